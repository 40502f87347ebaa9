/** End customers out of a CSV. */
import type { endkundenEinlesen, ResponseOf } from '#contracts';
import { type Akteur, recordChange } from '#domains/protokoll/index.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import { requireRoomFor } from '#platform/database/index.ts';
import type { EndkundeZeile } from '../endkunden-csv/read.ts';
import { CUSTOMERS } from '../limits.ts';
import { lockReferences, putEndkunden, type Stammdaten } from '../store/endkunden.ts';
import { EMPTY, stammdatenOf } from './endkunden.ts';

/** Puts in and changes end customers, all or none; with `probe` it only says what would change. Throws 409 where there would be too many. */
export function importEndkunden(
  { db, clock }: Pick<ServiceContext, 'db' | 'clock'>,
  mandant: MandantId,
  akteur: Akteur,
  { zeilen, probe }: { zeilen: EndkundeZeile[]; probe: boolean },
): Promise<ResponseOf<typeof endkundenEinlesen>> {
  return db.forMandant(mandant, async (tx) => {
    const known = await lockReferences(
      tx,
      zeilen.map(({ referenz }) => referenz),
    );
    const byReference = new Map(known.map((row) => [row.referenz, row]));
    const changed: (Stammdaten & { referenz: string })[] = [];
    const done = { neu: 0, geaendert: 0, gleich: 0 };
    for (const { referenz, ...line } of zeilen) {
      const row = byReference.get(referenz);
      const before = row ? stammdatenOf(row) : EMPTY;
      const next: Stammdaten = { ...before, ...line, aufschlag_prozent: markupOf(line, before) };
      const isSame = JSON.stringify(next) === JSON.stringify(before);
      const isGone = row !== undefined && row.entfernt_am !== null;
      if (!row) done.neu += 1;
      else if (isSame && !isGone) done.gleich += 1;
      else done.geaendert += 1;
      if (!row || !isSame || isGone) changed.push({ referenz, ...next });
    }
    await requireRoomFor(tx, CUSTOMERS, done.neu);
    if (!probe) await putEndkunden(tx, changed);
    if (!probe && changed.length > 0)
      await recordChange(tx, mandant, clock.now(), {
        akteur,
        aktion: 'endkunden.eingelesen',
        objekt: { art: 'mandant', id: mandant },
        nachher: { ...done },
      });
    return done;
  });
}

/** A column that the file lacks changes nothing, an empty cell is no markup. */
const markupOf = (line: { aufschlag_prozent?: string | null }, before: Stammdaten): string =>
  line.aufschlag_prozent === undefined ? before.aufschlag_prozent : (line.aufschlag_prozent ?? '0');
