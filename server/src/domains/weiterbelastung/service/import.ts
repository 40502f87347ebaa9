/** End customers out of a CSV. */
import type { endkundenEinlesen, ResponseOf } from '#contracts';
import { type Akteur, recordChange } from '#domains/protokoll/index.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import { requireRoomFor } from '#platform/database/index.ts';
import type { EndkundeZeile } from '../endkunden-csv/read.ts';
import { CUSTOMERS } from '../limits.ts';
import { type EndkundeRow, lockReferences, putEndkunden, type Stammdaten } from '../store/endkunden.ts';
import { EMPTY, stammdatenOf } from './endkunden.ts';

/** A column that the file lacks changes nothing, an empty cell is no markup. */
const markupOf = (line: { aufschlag_prozent?: string | null }, before: Stammdaten): string =>
  line.aufschlag_prozent === undefined ? before.aufschlag_prozent : (line.aufschlag_prozent ?? '0');

/** What the lines change of the end customers there are. */
function compare(zeilen: EndkundeZeile[], byReference: ReadonlyMap<string, EndkundeRow>) {
  const changed: (Stammdaten & { referenz: string })[] = [];
  const done = { neu: 0, geaendert: 0, gleich: 0 };
  for (const { referenz, ...line } of zeilen) {
    const row = byReference.get(referenz);
    const before = row ? stammdatenOf(row) : EMPTY;
    const next: Stammdaten = { ...before, ...line, aufschlag_prozent: markupOf(line, before) };
    const isThere = row !== undefined && row.entfernt_am === null;
    const isSame = isThere && JSON.stringify(next) === JSON.stringify(before);
    if (!isSame) changed.push({ referenz, ...next });
    done[isSame ? 'gleich' : row ? 'geaendert' : 'neu'] += 1;
  }
  return { changed, done };
}

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
    const { changed, done } = compare(zeilen, new Map(known.map((row) => [row.referenz, row])));
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
