/** SQL of imports, for requests. Instants go in and come out as ISO 8601 in UTC. */
import { sql } from 'kysely';
import { toCount } from '#kernel/count.ts';
import { exactText, type MandantTx } from '#platform/database/index.ts';
import type { PartContent, Tally } from './content.ts';

const COUNTS = [
  'groesse',
  'zeilen',
  'aufrufe',
  'bekannt',
  'bekannt_telemetrie',
  'uebergeben',
  'gezaehlt',
  'angenommen',
  'schon_da_telemetrie',
  'zurueckgenommen',
  'geblieben',
] as const;

const COLUMNS = [
  'import_id',
  'status',
  'datei',
  'schluessel_id',
  'zeitzone',
  'sha256',
  'dienst',
  'ausgelassen',
  'von',
  'bis',
  'modelle',
  'monate',
  'angelegt_am',
  'angelegt_von',
  'angewendet_am',
  'angewendet_von',
  'beendet_am',
  'zurueckgenommen_am',
  'zurueckgenommen_von',
  ...COUNTS,
] as const;

/** Why rows were left out, and how many. */
interface LeftOut {
  grund: string;
  anzahl: number;
}

const selectImports = (tx: MandantTx) =>
  tx
    .selectFrom('importe')
    .select(COLUMNS)
    .select(({ ref }) => exactText(ref('kosten_usd')).as('kosten_usd'))
    .where('mandant_id', '=', tx.mandant);

type Read = Awaited<ReturnType<ReturnType<typeof selectImports>['execute']>>[number];

const countOf = (value: number | string | null) => (value === null ? null : toCount(value));

const toImport = (row: Read) => ({
  ...row,
  ausgelassen: (row.ausgelassen ?? []) as LeftOut[],
  modelle: (row.modelle ?? {}) as Tally,
  monate: (row.monate ?? {}) as Tally,
  groesse: toCount(row.groesse),
  zeilen: countOf(row.zeilen),
  aufrufe: toCount(row.aufrufe),
  bekannt: toCount(row.bekannt),
  bekannt_telemetrie: toCount(row.bekannt_telemetrie),
  schon_da_telemetrie: toCount(row.schon_da_telemetrie),
  uebergeben: toCount(row.uebergeben),
  gezaehlt: toCount(row.gezaehlt),
  angenommen: toCount(row.angenommen),
  zurueckgenommen: toCount(row.zurueckgenommen),
  geblieben: countOf(row.geblieben),
});

export type ImportRow = ReturnType<typeof toImport>;

export async function readImport(tx: MandantTx, id: string): Promise<ImportRow | undefined> {
  const row = await selectImports(tx).where('import_id', '=', id).executeTakeFirst();
  return row && toImport(row);
}

/** … and keeps it from changing until the transaction ends. */
export async function lockImport(tx: MandantTx, id: string): Promise<ImportRow | undefined> {
  const row = await selectImports(tx).where('import_id', '=', id).forUpdate().executeTakeFirst();
  return row && toImport(row);
}

/** The latest first, at most this many, older than `before`. */
export async function listImports(
  tx: MandantTx,
  { limit, before }: { limit: number; before: string | null },
): Promise<ImportRow[]> {
  const query = selectImports(tx).orderBy('import_id', 'desc').limit(limit);
  const rows = await (before === null ? query : query.where('import_id', '<', before)).execute();
  return rows.map(toImport);
}

/** Whether an import is being counted or taken back. */
export async function isOneUnderWay(tx: MandantTx): Promise<boolean> {
  const found = await tx
    .selectFrom('importe')
    .select('import_id')
    .where('mandant_id', '=', tx.mandant)
    .where('status', 'in', ['laeuft', 'ruecknahme'])
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

export interface NewImport {
  import_id: string;
  datei: string;
  groesse: number;
  schluessel_id: string;
  projekt: string | null;
  zeitzone: string;
  angelegt_am: string;
  angelegt_von: string | null;
}

export async function insertImport(tx: MandantTx, row: NewImport): Promise<void> {
  await tx
    .insertInto('importe')
    .values({ ...row, mandant_id: tx.mandant, status: 'liest' })
    .execute();
}

/** Changes some columns of an import. */
export async function changeImport(
  tx: MandantTx,
  id: string,
  change: { status: string } & Partial<
    Pick<ImportRow, 'angewendet_am' | 'angewendet_von' | 'zurueckgenommen_am' | 'zurueckgenommen_von'>
  >,
): Promise<void> {
  await tx
    .updateTable('importe')
    .set(change)
    .where('mandant_id', '=', tx.mandant)
    .where('import_id', '=', id)
    .execute();
}

export async function removeImport(tx: MandantTx, id: string): Promise<void> {
  await tx
    .deleteFrom('import_teile')
    .where('mandant_id', '=', tx.mandant)
    .where('import_id', '=', id)
    .execute();
  await tx.deleteFrom('importe').where('mandant_id', '=', tx.mandant).where('import_id', '=', id).execute();
}

/** Removes what was read and never confirmed. */
export async function removeUnconfirmed(tx: MandantTx): Promise<void> {
  const rows = await tx
    .selectFrom('importe')
    .select('import_id')
    .where('mandant_id', '=', tx.mandant)
    .where('status', 'in', ['liest', 'bereit'])
    .execute();
  for (const { import_id } of rows) await removeImport(tx, import_id);
}

/** How many of these calls are counted already. */
export async function countKnown(tx: MandantTx, ids: readonly string[]): Promise<number> {
  const { rows } = await sql<{ bekannt: number }>`SELECT count(*)::int AS bekannt FROM ereignis_kennungen
    WHERE mandant_id = ${tx.mandant} AND ereignis_id = ANY(${ids}::uuid[])`.execute(tx);
  return rows[0]?.bekannt ?? 0;
}

/** The instant before which no event is taken; null: all are. */
export async function acceptedFrom(tx: MandantTx): Promise<string | null> {
  const row = await tx.selectFrom('aufbewahrung').select('annahme_ab').executeTakeFirst();
  return row?.annahme_ab ?? null;
}

export interface NewPart extends Omit<PartContent, 'ids' | 'retold'> {
  nr: number;
  anzahl: number;
  umfang: number;
  daten: Buffer;
  bekannt: number;
  bekannt_telemetrie: number;
}

/** Keeps a part, once. */
export async function insertPart(tx: MandantTx, id: string, part: NewPart): Promise<void> {
  await tx
    .insertInto('import_teile')
    .values({
      ...part,
      modelle: JSON.stringify(part.modelle),
      monate: JSON.stringify(part.monate),
      mandant_id: tx.mandant,
      import_id: id,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** What the parts of a file hold, in their order. */
export async function readParts(tx: MandantTx, id: string): Promise<Omit<NewPart, 'daten' | 'umfang'>[]> {
  const rows = await tx
    .selectFrom('import_teile')
    .select(['nr', 'anzahl', 'bekannt', 'bekannt_telemetrie', 'von', 'bis', 'modelle', 'monate'])
    .where('mandant_id', '=', tx.mandant)
    .where('import_id', '=', id)
    .orderBy('nr')
    .execute();
  return rows.map((row) => ({ ...row, modelle: row.modelle as Tally, monate: row.monate as Tally }));
}

/** What is known of a file once it is read. */
export interface ReadFile {
  dienst: string;
  sha256: string;
  zeilen: number;
  ausgelassen: LeftOut[];
  kosten_usd: string | null;
  aufrufe: number;
  bekannt: number;
  bekannt_telemetrie: number;
  von: string | null;
  bis: string | null;
  modelle: Tally;
  monate: Tally;
}

export async function setRead(tx: MandantTx, id: string, file: ReadFile): Promise<void> {
  await tx
    .updateTable('importe')
    .set({
      ...file,
      status: 'bereit',
      ausgelassen: JSON.stringify(file.ausgelassen),
      modelle: JSON.stringify(file.modelle),
      monate: JSON.stringify(file.monate),
    })
    .where('mandant_id', '=', tx.mandant)
    .where('import_id', '=', id)
    .execute();
}

/** A stretch of time, ISO 8601; the end is not meant any more. */
export interface Span {
  von: string;
  bis: string;
}

/** How many calls an import alone has told of, outside of these spans, that are kept. */
export async function countRemovable(tx: MandantTx, id: string, closed: readonly Span[]): Promise<number> {
  const { rows } = await sql<{ anzahl: number }>`SELECT count(*)::float8 AS anzahl FROM import_aufrufe a
    WHERE mandant_id = ${tx.mandant} AND import_id = ${id}
      AND zeitpunkt >= coalesce((SELECT annahme_ab FROM aufbewahrung), '-infinity')
      AND NOT EXISTS (SELECT FROM unnest(${closed.map(({ von }) => von)}::timestamptz[],
        ${closed.map(({ bis }) => bis)}::timestamptz[]) AS zu (von, bis) WHERE a.zeitpunkt >= zu.von AND a.zeitpunkt < zu.bis)`.execute(
    tx,
  );
  return rows[0]?.anzahl ?? 0;
}
