/**
 * What counted calls had reserved (docs/decisions/0120): it is taken off in the transaction that adds their cost to the sums, so that
 * at any moment it is in one of both.
 */
import type pg from 'pg';
import type { PackedBatch } from '#domains/ereignisse/index.ts';

/** A call's part of a block. */
interface Reserviert {
  id: string;
  /** Exact decimal in EUR. */
  betrag: string;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const AMOUNT = /^\d{1,15}(?:\.\d{1,34})?$/;

/** What the free data of a call say of it; null where they name no block and a part of it. */
function toReserviert(zusatz: string): Reserviert | null {
  // Hardly any name one; they are not read for that.
  if (!zusatz.includes('"reserviert_eur"')) return null;
  const { reservierung: id, reserviert_eur: betrag } = JSON.parse(zusatz) as Record<string, unknown>;
  if (typeof id !== 'string' || typeof betrag !== 'string') return null;
  return UUID.test(id) && AMOUNT.test(betrag) ? { id, betrag } : null;
}

/** Collects what the events of a stretch had reserved. */
export class Reserved {
  readonly parts: Reserviert[] = [];

  /** What notes that of an event of a batch, by its number there. */
  of(batch: PackedBatch): (index: number) => void {
    const numberAt = batch.numbers('zusatz');
    return (index) => {
      const number = numberAt(index);
      const reserviert = number < 0 ? null : toReserviert(batch.text(number));
      if (reserviert !== null) this.parts.push(reserviert);
    };
  }
}

// Blocks in one order, as requests change them: neither waits for the other.
const TAKE_OFF = `
  WITH weniger AS (SELECT id, sum(betrag) AS betrag FROM unnest($2::uuid[], $3::numeric[]) AS n (id, betrag) GROUP BY id),
  sperre AS (SELECT reservierung_id FROM reservierungen
    WHERE mandant_id = $1 AND reservierung_id = ANY(ARRAY(SELECT id FROM weniger)) ORDER BY reservierung_id FOR UPDATE)
  UPDATE reservierungen r SET betrag_eur = greatest(r.betrag_eur - n.betrag, 0) FROM weniger n, sperre s
  WHERE r.mandant_id = $1 AND r.reservierung_id = n.id AND s.reservierung_id = n.id`;

/** Takes off what was reserved for calls of a Mandant; sends nothing where that is nothing. */
export async function takeOffReserved(
  client: Pick<pg.ClientBase, 'query'>,
  mandant: string,
  reserved: readonly Reserviert[],
): Promise<void> {
  if (reserved.length === 0) return;
  await client.query({
    name: 'reserviertes_verbuchen',
    text: TAKE_OFF,
    values: [mandant, reserved.map(({ id }) => id), reserved.map(({ betrag }) => betrag)],
  });
}
