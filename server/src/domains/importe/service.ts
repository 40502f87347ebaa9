/** Bringing calls of the past along: reading a file part by part, having its calls counted, taking them back. */
import { v7 as uuidv7 } from 'uuid';
import {
  type BodyOf,
  type importAbschliessen,
  type importAnlegen,
  type importEinzeln,
  type importe,
  type importTeil,
  MAX_IMPORT_TEIL,
  type QueryOf,
  type ResponseOf,
} from '#contracts';
import { compress, refuseOld, type SentContent } from '#domains/ereignisse/index.ts';
import { lockMandant } from '#domains/mandant/index.ts';
import { type Akteur, recordChange } from '#domains/protokoll/index.ts';
import { readSchluessel } from '#domains/schluessel/index.ts';
import { readClosedMonths } from '#domains/weiterbelastung/index.ts';
import { findRetold } from '#domains/zaehlung/index.ts';
import { enqueue } from '#jobs/index.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import { askInRequest, type MandantTx, requireRoomFor } from '#platform/database/index.ts';
import { cursorOf, pageOf } from '#platform/page.ts';
import { closedSpans } from './closed.ts';
import { contentOf, type Tally } from './content.ts';
import { importMissing, importRuns, noHash, noSuchKey, notAtThatPoint, tooManyCalls } from './errors.ts';
import { IMPORT_ARBEITEN } from './jobs/arbeiten.ts';
import { IMPORTS } from './limits.ts';
import {
  acceptedFrom,
  changeImport,
  countKnown,
  countRemovable,
  type ImportRow,
  insertImport,
  insertPart,
  isOneUnderWay,
  listImports,
  lockImport,
  readImport,
  readParts,
  removeImport,
  removeUnconfirmed,
  setRead,
} from './store.ts';
import { toApi } from './to-api.ts';

type Context = Pick<ServiceContext, 'db' | 'clock'>;
type ImportView = ResponseOf<typeof importe>['importe'][number];

/** An import as the audit log names it. */
const objektOf = ({ import_id, datei }: Pick<ImportRow, 'import_id' | 'datei'>) => ({
  art: 'import',
  id: import_id,
  name: datei,
});

async function read(tx: MandantTx, id: string): Promise<ImportView> {
  const row = await readImport(tx, id);
  if (!row) throw importMissing();
  return toApi(row, await readClosedMonths(tx));
}

/** The import, which stays as it is until the transaction ends. Throws 404; 409 where it is at another point. */
async function lockAt(tx: MandantTx, id: string, points: readonly string[]): Promise<ImportRow> {
  const row = await lockImport(tx, id);
  if (!row) throw importMissing();
  if (!points.includes(row.status)) throw notAtThatPoint();
  return row;
}

/** Begins an import. Throws 422 for a key that is none, and 409 while another one is under way. */
export function beginImport(
  { db, clock }: Context,
  mandant: MandantId,
  akteur: Akteur,
  input: BodyOf<typeof importAnlegen>,
): Promise<ImportView> {
  return db.forMandant(mandant, async (tx) => {
    const { zeitzone } = await lockMandant(tx);
    const key = await readSchluessel(tx, input.schluessel_id);
    if (!key || key.gesperrt_am !== null) throw noSuchKey(input.schluessel_id);
    if (await isOneUnderWay(tx)) throw importRuns();
    await removeUnconfirmed(tx);
    await requireRoomFor(tx, IMPORTS);
    const now = clock.now();
    const import_id = uuidv7();
    const { datei, groesse, schluessel_id } = input;
    const angelegt = { angelegt_am: now.toISOString(), angelegt_von: akteur.name };
    await insertImport(tx, {
      ...{ import_id, datei, groesse, schluessel_id, projekt: key.projekt, zeitzone },
      ...angelegt,
    });
    await recordChange(tx, mandant, now, {
      akteur,
      aktion: 'import.angelegt',
      objekt: objektOf({ import_id, datei }),
      nachher: { groesse, schluessel: key.name },
    });
    return read(tx, import_id);
  });
}

/** Takes a part of the calls. Throws 404, 409 where the file was read, 422 for calls that are too old or too many. */
export function takePart(
  { db }: Context,
  mandant: MandantId,
  { id, nr }: { id: string; nr: number },
  content: SentContent,
): Promise<ResponseOf<typeof importTeil>> {
  if (content.events > MAX_IMPORT_TEIL) throw tooManyCalls(MAX_IMPORT_TEIL, content.events);
  return db.forMandant(mandant, async (tx) => {
    const { zeitzone } = await lockAt(tx, id, ['liest']);
    refuseOld(await acceptedFrom(tx), content.packed);
    const held = contentOf(content, zeitzone);
    if (!held) return { aufrufe: 0, bekannt: 0 };
    const { ids, retold, ...told } = held;
    const bekannt_telemetrie = (await findRetold(askInRequest(tx), mandant, retold)).length;
    const bekannt = (await countKnown(tx, ids)) + bekannt_telemetrie;
    const packed = { umfang: content.packed.length, daten: await compress(content.packed) };
    await insertPart(tx, id, {
      ...told,
      ...packed,
      ...{ nr, anzahl: ids.length, bekannt, bekannt_telemetrie },
    });
    return { aufrufe: ids.length, bekannt };
  });
}

function addUp(tallies: readonly Tally[]): Tally {
  const sums = new Map<string, number>();
  for (const tally of tallies)
    for (const [value, count] of Object.entries(tally)) sums.set(value, (sums.get(value) ?? 0) + count);
  return Object.fromEntries(sums);
}

/** Notes what the file was; then its preview stands. Throws 404, 409 and 422. */
export function finishReading(
  { db, clock }: Context,
  mandant: MandantId,
  akteur: Akteur,
  { id, file }: { id: string; file: BodyOf<typeof importAbschliessen> },
): Promise<ImportView> {
  if (!/^[0-9a-f]{64}$/.test(file.sha256)) throw noHash(file.sha256);
  return db.forMandant(mandant, async (tx) => {
    const row = await lockAt(tx, id, ['liest']);
    const parts = await readParts(tx, id);
    const aufrufe = parts.reduce((sum, { anzahl }) => sum + anzahl, 0);
    const bekannt = parts.reduce((sum, part) => sum + part.bekannt, 0);
    const bekannt_telemetrie = parts.reduce((sum, part) => sum + part.bekannt_telemetrie, 0);
    const { dienst, sha256, zeilen, ausgelassen, kosten_usd = null } = file;
    await setRead(tx, id, {
      ...{ dienst, sha256, zeilen, kosten_usd },
      ausgelassen: ausgelassen.map(({ grund, anzahl }) => ({ grund, anzahl })),
      ...{ aufrufe, bekannt, bekannt_telemetrie },
      von: parts.map(({ von }) => von).sort()[0] ?? null,
      bis:
        parts
          .map(({ bis }) => bis)
          .sort()
          .at(-1) ?? null,
      modelle: addUp(parts.map(({ modelle }) => modelle)),
      monate: addUp(parts.map(({ monate }) => monate)),
    });
    await recordChange(tx, mandant, clock.now(), {
      akteur,
      aktion: 'import.gelesen',
      objekt: objektOf(row),
      nachher: { dienst, sha256, zeilen, aufrufe, bekannt, bekannt_telemetrie },
    });
    return read(tx, id);
  });
}

/** Has the calls counted. Throws 404; 409 where it is not read, holds no call, or another one is under way. */
export function applyImport(
  { db, clock }: Context,
  mandant: MandantId,
  akteur: Akteur,
  id: string,
): Promise<ImportView> {
  return db.forMandant(mandant, async (tx) => {
    await lockMandant(tx);
    const row = await lockAt(tx, id, ['bereit']);
    if (row.aufrufe === 0) throw notAtThatPoint();
    if (await isOneUnderWay(tx)) throw importRuns();
    const now = clock.now();
    const by = { angewendet_am: now.toISOString(), angewendet_von: akteur.name };
    await changeImport(tx, id, { status: 'laeuft', ...by });
    await enqueue(tx, IMPORT_ARBEITEN, { import_id: id });
    await recordChange(tx, mandant, now, {
      akteur,
      aktion: 'import.begonnen',
      objekt: objektOf(row),
      nachher: { sha256: row.sha256, aufrufe: row.aufrufe, bekannt: row.bekannt },
    });
    return read(tx, id);
  });
}

/** Removes what was read. Throws 404; 409 where it was confirmed. */
export function discardImport(
  { db, clock }: Context,
  mandant: MandantId,
  akteur: Akteur,
  id: string,
): Promise<ImportView> {
  return db.forMandant(mandant, async (tx) => {
    const row = await lockAt(tx, id, ['liest', 'bereit']);
    const answer = await read(tx, id);
    await removeImport(tx, id);
    await recordChange(tx, mandant, clock.now(), {
      akteur,
      aktion: 'import.verworfen',
      objekt: objektOf(row),
      vorher: { status: row.status, aufrufe: row.aufrufe },
    });
    return answer;
  });
}

/** Has the calls taken back. Throws 404; 409 where nothing of it can be, or another one is under way. */
export function undoImport(
  { db, clock }: Context,
  mandant: MandantId,
  akteur: Akteur,
  id: string,
): Promise<ImportView> {
  return db.forMandant(mandant, async (tx) => {
    await lockMandant(tx);
    const row = await lockAt(tx, id, ['fertig', 'fehlgeschlagen']);
    if (await isOneUnderWay(tx)) throw importRuns();
    const zuruecknehmbar = await countRemovable(tx, id, closedSpans(await readClosedMonths(tx)));
    if (zuruecknehmbar === 0) throw notAtThatPoint();
    const now = clock.now();
    const by = { zurueckgenommen_am: now.toISOString(), zurueckgenommen_von: akteur.name };
    await changeImport(tx, id, { status: 'ruecknahme', ...by });
    await enqueue(tx, IMPORT_ARBEITEN, { import_id: id });
    await recordChange(tx, mandant, now, {
      akteur,
      aktion: 'import.ruecknahme_begonnen',
      objekt: objektOf(row),
      vorher: { angenommen: row.angenommen },
      nachher: { zuruecknehmbar },
    });
    return read(tx, id);
  });
}

const LIST = cursorOf('importe.liste', 'uuid');

/** A page of them, the latest first. */
export async function readImports(
  { db }: Context,
  mandant: MandantId,
  { limit, nach }: QueryOf<typeof importe>,
): Promise<ResponseOf<typeof importe>> {
  const before = LIST.read(nach)?.[0] ?? null;
  return db.forMandant(mandant, async (tx) => {
    const found = await listImports(tx, { limit: limit + 1, before });
    const closed = await readClosedMonths(tx);
    const { rows, weiter } = pageOf(found, limit, LIST, ({ import_id }) => [import_id]);
    return { importe: rows.map((row) => toApi(row, closed)), weiter };
  });
}

/** One, with how much of it can be taken back. Throws 404. */
export function readOneImport(
  { db }: Context,
  mandant: MandantId,
  id: string,
): Promise<ResponseOf<typeof importEinzeln>> {
  return db.forMandant(mandant, async (tx) => {
    const answer = await read(tx, id);
    const isOver = answer.status === 'fertig' || answer.status === 'fehlgeschlagen';
    const spans = closedSpans(await readClosedMonths(tx));
    return { ...answer, zuruecknehmbar: isOver ? await countRemovable(tx, id, spans) : 0 };
  });
}
