/**
 * Running sums of values that somebody asks for: made once of pieces, beside counting, and at last, under the counting lock, of the
 * pieces that came meanwhile; from then on counting adds to them. One transaction: what a crash undoes is made again.
 */
import { setImmediate } from 'node:timers/promises';
import type pg from 'pg';
import { batchesOf, GRAINS, type Grain, SUM_COLUMNS } from '#domains/verbrauch/index.ts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import { type AskedValue, type Client, columnsOf, noteAsked } from './asked-values.ts';
import { SumsOfPieces, type Wanted } from './sums/of-pieces.ts';
import { holdCounting } from './taking.ts';
import { arrayText, sumUp } from './write/statement.ts';

/** Values whose sums are made in one transaction, and sums that are held meanwhile. */
const AT_ONCE = 200;
const MOST_SUMS = 100_000;
/** Rows whose pieces are read at a time. */
const ROWS_AT_ONCE = 100_000;
/** Pieces may be put together while they are read. */
const ATTEMPTS = 4;

const ALONE = `SELECT FROM mandanten WHERE mandant_id = $1
  AND pg_try_advisory_xact_lock(hashtext('verbrauch_gefuehrt'), hashtext($1::text)) FOR KEY SHARE`;
const OPEN = `SELECT g.dimension, g.text, m.merkmal_id FROM verbrauch_gefuehrt g
  LEFT JOIN merkmale m ON m.mandant_id = g.mandant_id AND m.dimension = g.dimension AND m.text = g.text
  WHERE g.mandant_id = $1 AND g.seit IS NULL ORDER BY g.dimension, g.text LIMIT $2`;
const NUMBERS = `SELECT m.dimension, m.text, m.merkmal_id FROM merkmale m
  JOIN unnest($2::smallint[], $3::text[]) AS n (d, t) ON m.dimension = n.d AND m.text = n.t WHERE m.mandant_id = $1`;
const STATE = 'SELECT marken, stunden_ab FROM zaehlstaende WHERE mandant_id = $1';
const PIECES = `SELECT nummer, marke::text, anzahl FROM verbrauch_stuecke
  WHERE mandant_id = $1 AND tag_bis >= coalesce($2::timestamptz::date - 1, '-infinity') ORDER BY nummer`;
const BYTES = `SELECT marke::text, daten FROM verbrauch_stuecke
  WHERE mandant_id = $1 AND nummer = ANY($2::bigint[])`;
const KEEP = `UPDATE verbrauch_gefuehrt g SET seit = $4 FROM unnest($2::smallint[], $3::text[]) AS n (d, t)
  WHERE g.mandant_id = $1 AND g.dimension = n.d AND g.text = n.t`;
/** Who skipped what had no sums looks again, as after any call. */
const MARK = `INSERT INTO zaehlmarken (mandant_id, nummer, merkmale, tage, schluessel, agenten, aufrufe_am, laeufe)
  SELECT mandant_id, marken + 1, $2::int[], '{}', '{}', '{}', '{}', '{}' FROM zaehlstaende WHERE mandant_id = $1`;
const MARKED =
  'UPDATE zaehlstaende SET marken = marken + 1, stuecke_bis = stuecke_bis + 1 WHERE mandant_id = $1';
/** Another choice of values has another number. */
export const ANOTHER_CHOICE = 'UPDATE zaehlstaende SET gefuehrt = gefuehrt + 1 WHERE mandant_id = $1';

interface OpenValue {
  dimension: number;
  text: string;
  merkmal_id: number | null;
}

interface PieceRow {
  nummer: number;
  marke: string;
  anzahl: number;
}

interface CountingState {
  marken: number;
  /** Hours that begin before have no sums; null: all have some. */
  stunden_ab: string | null;
}

/** Of whom nothing was counted. */
const NOTHING_COUNTED: CountingState = { marken: 0, stunden_ab: null };

async function readState(client: Client, mandant: string): Promise<CountingState> {
  const { rows } = await client.query<CountingState>(STATE, [mandant]);
  return rows[0] ?? NOTHING_COUNTED;
}

const readPieces = async (
  client: Client,
  mandant: string,
  { stunden_ab }: CountingState,
): Promise<PieceRow[]> => (await client.query<PieceRow>(PIECES, [mandant, stunden_ab])).rows;

/** Pieces were put together while they were read, or hours removed. */
class PiecesChanged extends Error {}

const wantedOf = (values: readonly OpenValue[]): Wanted => {
  const wanted = new Map<number, Set<number>>();
  for (const { dimension, merkmal_id } of values) {
    const numbers = wanted.get(dimension) ?? new Set();
    if (merkmal_id !== null) numbers.add(merkmal_id);
    wanted.set(dimension, numbers);
  }
  return (dimension, merkmal) => wanted.get(dimension)?.has(merkmal) === true;
};

const insertInto = (grain: Grain): string => {
  const { table, column } = GRAINS[grain];
  const names = SUM_COLUMNS.map(({ name }) => name);
  const arrays = SUM_COLUMNS.map(({ type }, index) => `$${index + 5}::${type}[]`);
  return `INSERT INTO ${table} AS v (mandant_id, dimension, ${column}, merkmal_id, ${names.join(', ')})
    SELECT $1, n.* FROM unnest($2::smallint[], $3::timestamptz[], $4::int[], ${arrays.join(', ')}) AS n
    ON CONFLICT (mandant_id, dimension, ${column}, merkmal_id) DO UPDATE SET ${sumUp('v', names).join(', ')}`;
};

async function writeSums(client: Client, mandant: string, sums: SumsOfPieces): Promise<void> {
  for (const grain of Object.keys(GRAINS) as Grain[]) {
    const cells = sums.take(grain);
    if (cells.length === 0) continue;
    await client.query(insertInto(grain), [
      mandant,
      arrayText(cells.map(({ dimension }) => dimension)),
      arrayText(cells.map(({ begins }) => begins)),
      arrayText(cells.map(({ merkmal }) => merkmal)),
      ...SUM_COLUMNS.map(({ name }) => arrayText(cells.map((cell) => cell.sums[name]))),
    ]);
  }
}

/** Adds what these pieces have of the wanted values to their running sums. */
async function addPieces(
  client: Client,
  mandant: string,
  { stunden_ab }: CountingState,
  pieces: readonly PieceRow[],
  wanted: Wanted,
): Promise<void> {
  const sums = new SumsOfPieces(Date.now(), stunden_ab === null ? -Infinity : Date.parse(stunden_ab));
  for (const some of batchesOf(pieces, ROWS_AT_ONCE)) {
    const marken = new Set(some.map(({ marke }) => marke));
    const { rows } = await client.query<{ marke: string; daten: Buffer }>(BYTES, [
      mandant,
      some.map(({ nummer }) => nummer),
    ]);
    const found = rows.filter(({ marke }) => marken.has(marke));
    if (found.length !== some.length) throw new PiecesChanged();
    for (const { daten } of found) {
      sums.add(daten, wanted);
      if (sums.size > MOST_SUMS) await writeSums(client, mandant, sums);
      await setImmediate();
    }
  }
  await writeSums(client, mandant, sums);
}

/** What became of an attempt: nothing was left to be made; more may be; or it cannot be made for now. */
type Outcome = 'done' | 'more' | 'later';

/** Makes the sums of some values in one transaction. */
async function makeSome(client: pg.PoolClient, mandant: string): Promise<Outcome> {
  if (!(await client.query(ALONE, [mandant])).rowCount) return 'later';
  const before = await readState(client, mandant);
  // Before the values: each that these pieces have has its number then.
  const pieces = await readPieces(client, mandant, before);
  const { rows: values } = await client.query<OpenValue>(OPEN, [mandant, AT_ONCE]);
  if (values.length === 0) return 'done';
  await addPieces(client, mandant, before, pieces, wantedOf(values));
  // From here on nobody counts the Mandant, and none of its hours go.
  await holdCounting(client, mandant);
  const state = await readState(client, mandant);
  if (state.stunden_ab !== before.stunden_ab) throw new PiecesChanged();
  const now = await readPieces(client, mandant, state);
  const known = new Set(pieces.map(({ marke }) => marke));
  const later = now.filter(({ marke }) => !known.has(marke));
  if (now.length - later.length !== pieces.length) throw new PiecesChanged();
  // A value that was not called before may have its number by now.
  const { rows: numbered } = await client.query<OpenValue>(NUMBERS, [mandant, ...columnsOf(values)]);
  await addPieces(client, mandant, state, later, wantedOf(numbered));
  await client.query(KEEP, [mandant, ...columnsOf(values), state.marken]);
  await client.query(ANOTHER_CHOICE, [mandant]);
  const numbers = numbered.flatMap(({ merkmal_id }) => merkmal_id ?? []);
  await client.query(MARK, [mandant, arrayText(numbers)]);
  await client.query(MARKED, [mandant]);
  return 'more';
}

/** Makes the sums of all values that were asked for and have none; resolves with whether all have some. */
export async function makeAsked(owner: OwnerDatabase, mandant: string): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const outcome = await owner.transaction((client) => makeSome(client, mandant));
      if (outcome !== 'more') return outcome === 'done';
      attempt = 0;
    } catch (error) {
      if (!(error instanceof PiecesChanged) || attempt === ATTEMPTS) throw error;
    }
  }
}

/**
 * Has these values have running sums, and waits for them; resolves with whether all have some. What cannot be made for now, or is too
 * much, has none, and is unknown.
 */
export async function keepValues(
  owner: OwnerDatabase,
  mandant: string,
  asked: readonly AskedValue[],
): Promise<boolean> {
  const { lackSums, areTooMany } = await owner.transaction((client) => noteAsked(client, mandant, asked));
  const areMade = !lackSums || (await makeAsked(owner, mandant));
  return areMade && !areTooMany;
}
