/** SQL of reservations, for requests. */
import { sql } from 'kysely';
import { type Eur, eurFrom, eurText } from '#kernel/money.ts';
import type { MandantTx } from '#platform/database/index.ts';

/** Nobody else decides about reservations of the Mandant until the transaction ends. */
export async function lockReservations(tx: MandantTx): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('reservierungen'), hashtext(${tx.mandant}))`.execute(tx);
}

export interface ReservedAmount {
  id: string;
  amount: Eur;
}

/** Takes amounts off blocks, as far as they have so much left; of unknown ones nothing happens. */
export async function takeOff(tx: MandantTx, parts: readonly ReservedAmount[]): Promise<void> {
  if (parts.length === 0) return;
  // In one order, as counting does: neither waits for the other.
  await sql`
    WITH weniger AS (SELECT id, sum(betrag) AS betrag
        FROM unnest(${parts.map(({ id }) => id)}::uuid[], ${parts.map(({ amount }) => eurText(amount))}::numeric[]) AS n (id, betrag)
        GROUP BY id),
      sperre AS (SELECT reservierung_id FROM reservierungen
        WHERE mandant_id = ${tx.mandant} AND reservierung_id = ANY(ARRAY(SELECT id FROM weniger))
        ORDER BY reservierung_id FOR UPDATE)
    UPDATE reservierungen r SET betrag_eur = greatest(r.betrag_eur - n.betrag, 0)
    FROM weniger n, sperre s
    WHERE r.mandant_id = ${tx.mandant} AND r.reservierung_id = n.id AND s.reservierung_id = n.id`.execute(tx);
}

/** Removes what has lapsed or is booked as a whole. */
export async function removeOver(tx: MandantTx, now: Date): Promise<number> {
  const removed = await tx
    .deleteFrom('reservierungen')
    .where('mandant_id', '=', tx.mandant)
    .where(({ eb, or }) => or([eb('verfaellt_am', '<=', now.toISOString()), eb('betrag_eur', '<=', '0')]))
    .executeTakeFirst();
  return Number(removed.numDeletedRows);
}

/** How many blocks are open, and what is reserved for each of these objects. */
export async function readReserved(
  tx: MandantTx,
  objekte: readonly string[],
  now: Date,
): Promise<{ open: number; reserved: Map<string, Eur> }> {
  const open = await tx
    .selectFrom('reservierungen')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('mandant_id', '=', tx.mandant)
    .executeTakeFirstOrThrow();
  const { rows } = await sql<{ objekt: string; betrag: string }>`
    SELECT z.objekt, trim_scale(sum(r.betrag_eur))::text AS betrag
    FROM reservierungen r CROSS JOIN LATERAL unnest(r.fuer) AS z (objekt)
    WHERE r.mandant_id = ${tx.mandant} AND r.verfaellt_am > ${now.toISOString()} AND r.fuer && ${objekte}::text[]
      AND z.objekt = ANY(${objekte}::text[])
    GROUP BY z.objekt`.execute(tx);
  return {
    open: Number(open.n),
    reserved: new Map(rows.map(({ objekt, betrag }) => [objekt, eurFrom(betrag)])),
  };
}

export interface Block extends ReservedAmount {
  tags: readonly string[];
}

export async function insertBlocks(
  tx: MandantTx,
  blocks: readonly Block[],
  { from, to }: { from: Date; to: Date },
): Promise<void> {
  if (blocks.length === 0) return;
  await tx
    .insertInto('reservierungen')
    .values(
      blocks.map(({ id, amount, tags }) => ({
        mandant_id: tx.mandant,
        reservierung_id: id,
        fuer: [...tags],
        betrag_eur: eurText(amount),
        angelegt_am: from.toISOString(),
        verfaellt_am: to.toISOString(),
      })),
    )
    .execute();
}
