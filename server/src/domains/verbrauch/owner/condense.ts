/** Makes the lists of local days out of their calls, in a transaction of the owner of the database; requests only read lists. */
import type pg from 'pg';
import { DIMENSION_NAMES, DIMENSIONS, FIGURE_NAMES, FIGURES, type FigureName } from '#contracts';
import { uuidBytes } from '#kernel/hex.ts';
import { CopyBuffer } from '#platform/database/copy/copy-buffer.ts';
import { copyIn } from '#platform/database/copy/copy-in.ts';
import { createBreath } from '../lists/breath.ts';
import { Calls, type List } from '../lists/calls.ts';
import { GroupSums } from '../lists/group-sums.ts';
import { addList, toList } from '../lists/list.ts';
import { ADDENDS, eventValue } from '../rollup.ts';
import { dayAfter } from '../window.ts';

/** A local day of a Mandant. */
export interface Day {
  mandant_id: string;
  zeitzone: string;
  /** `YYYY-MM-DD` */
  tag: string;
}

/** What is in memory at a time; a day with more of them has several parts first. */
const CALLS_AT_ONCE = 200_000;
const ROWS_AT_ONCE = 5_000;
const LISTS_AT_ONCE = 1_000;
/** Bytes of lists that go to the database in one piece. */
const MESSAGE = 4 * 1024 * 1024;

/**
 * Every call is looked up in the values by text, which is fast only by hashing; the planner cannot know how few values there are.
 * In which order makes no difference, but finding it out takes longer than a small day. All rows of a cursor are wanted.
 */
const SETTINGS = `SET LOCAL work_mem = '32MB'; SET LOCAL enable_nestloop = off; SET LOCAL join_collapse_limit = 1;
  SET LOCAL cursor_tuple_fraction = 1`;

/** What a call adds, as a plain decimal; null where that is nothing. */
function addend(name: FigureName): string {
  const value = `nullif(${ADDENDS[name]}, 0)`;
  return FIGURES[name].kind === 'usd' || FIGURES[name].kind === 'eur'
    ? `trim_scale(${value})::text`
    : `${value}::text`;
}

/** The calls of the Mandant $1 from $2 to before $3: the numbers of their values, and what each adds to the figures. */
const CALLS = `SELECT ${DIMENSION_NAMES.map((name) => `m_${name}.merkmal_id`).join(', ')}, ${FIGURE_NAMES.map(addend).join(', ')}
  FROM ereignisse e ${DIMENSION_NAMES.map(
    (name) => `JOIN merkmale m_${name} ON m_${name}.mandant_id = $1
      AND m_${name}.dimension = ${DIMENSIONS[name].number} AND m_${name}.text = ${eventValue(name)}`,
  ).join('\n  ')}
  WHERE e.mandant_id = $1 AND e.zeitpunkt >= $2 AND e.zeitpunkt < $3`;

/** The rows of a SELECT as arrays, some at a time. */
export async function* pagesOf(
  client: pg.ClientBase,
  select: string,
  values: unknown[],
  rows: number,
): AsyncGenerator<unknown[][]> {
  await client.query(`DECLARE seiten NO SCROLL CURSOR FOR ${select}`, values);
  for (;;) {
    const page = await client.query<unknown[]>({ text: `FETCH ${rows} FROM seiten`, rowMode: 'array' });
    if (page.rows.length === 0) break;
    yield page.rows;
  }
  await client.query('CLOSE seiten');
}

/** The calls of a time, as many at once as there is memory for. */
async function* callsOf(
  client: pg.ClientBase,
  { mandant_id }: Day,
  von: string,
  bis: string,
): AsyncGenerator<Calls> {
  let calls = new Calls();
  for await (const page of pagesOf(client, CALLS, [mandant_id, von, bis], ROWS_AT_ONCE)) {
    for (const row of page) {
      const figures = row.slice(DIMENSION_NAMES.length) as (string | null)[];
      calls.add(
        row as number[],
        Object.fromEntries(FIGURE_NAMES.map((name, index) => [name, figures[index]])),
      );
    }
    if (calls.count < CALLS_AT_ONCE) continue;
    yield calls;
    calls = new Calls();
  }
  if (calls.count > 0) yield calls;
}

const COPY =
  'COPY verbrauch_liste (mandant_id, tag, nach, merkmal_id, teil, liste) FROM STDIN (FORMAT binary)';
/** The day PostgreSQL counts from. */
const FIRST_DAY = Temporal.PlainDate.from('2000-01-01');

/** Writes lists as the part of their day with this number. */
export async function writeLists(
  client: pg.ClientBase,
  { mandant_id, tag }: Pick<Day, 'mandant_id' | 'tag'>,
  teil: number,
  lists: Iterable<List>,
): Promise<void> {
  const mandant = uuidBytes(mandant_id);
  const numbers = Buffer.alloc(12);
  numbers.writeInt32BE(FIRST_DAY.until(tag).days, 0);
  numbers.writeInt16BE(teil, 10);
  let out = new CopyBuffer(MESSAGE);
  let rows = 0;
  const breath = createBreath();
  const send = async () => {
    if (rows > 0) await copyIn(client, COPY, [out.finish()]);
    out = new CopyBuffer(MESSAGE);
    rows = 0;
  };
  for (const { merkmal, nach, liste } of lists) {
    numbers.writeInt16BE(nach, 4);
    numbers.writeInt32BE(merkmal, 6);
    out.row(6);
    out.bytes(mandant, 0, mandant.length);
    for (const [start, end] of [
      [0, 4],
      [4, 6],
      [6, 10],
      [10, 12],
    ] as const)
      out.bytes(numbers, start, end);
    out.bytes(liste, 0, liste.length);
    rows += 1;
    if (out.length > MESSAGE) await send();
    await breath();
  }
  await send();
}

/** The parts of each list as one, of rows in the order of their lists. */
async function* merged(pages: AsyncIterable<unknown[][]>): AsyncGenerator<List[]> {
  let key: Omit<List, 'liste'> | null = null;
  let sums = new GroupSums();
  for await (const page of pages) {
    const lists: List[] = [];
    for (const [nach, merkmal, liste] of page as [number, number, Buffer][]) {
      if (key && (key.nach !== nach || key.merkmal !== merkmal)) {
        lists.push({ ...key, liste: toList(sums) });
        sums = new GroupSums();
      }
      key = { nach, merkmal };
      addList(sums, liste);
    }
    yield lists;
  }
  if (key) yield [{ ...key, liste: toList(sums) }];
}

/** Makes one list of the parts of each, and removes them. */
async function mergeParts(client: pg.ClientBase, day: Day): Promise<void> {
  const parts = `SELECT nach, merkmal_id, liste FROM verbrauch_liste
    WHERE mandant_id = $1 AND tag = $2 AND teil > 0 ORDER BY nach, merkmal_id`;
  const pages = pagesOf(client, parts, [day.mandant_id, day.tag], LISTS_AT_ONCE);
  for await (const lists of merged(pages)) await writeLists(client, day, 0, lists);
  await client.query('DELETE FROM verbrauch_liste WHERE mandant_id = $1 AND tag = $2 AND teil > 0', [
    day.mandant_id,
    day.tag,
  ]);
}

interface State {
  geaendert: string;
  /** Whether its lists are to be made of its calls: not where others have just made them. */
  offen: boolean;
  /** Changes that are not known to lie behind what the parts hold. */
  davor_geaendert: string;
  /** Up to when parts hold the day's calls as they are; null where there are none. */
  teile_bis: string | null;
  davor: string | null;
  /** The highest number of a part. */
  teile: number;
}

// Read before the events: what is counted meanwhile leaves the lists unused.
const STATE = `SELECT geaendert,
    gelistet IS DISTINCT FROM geaendert AS offen, geaendert - danach_geaendert AS davor_geaendert, davor,
    CASE WHEN teile_stand = geaendert - danach_geaendert THEN teile_bis END AS teile_bis,
    (SELECT coalesce(max(teil), 0)::int FROM verbrauch_liste WHERE mandant_id = $1 AND tag = $2) AS teile
  FROM verbrauch_tagesstand WHERE mandant_id = $1 AND tag = $2`;

/** A Mandant that is removed meanwhile waits for the end of the transaction, and takes the lists along. */
const LOCK = `SELECT FROM mandanten WHERE mandant_id = $1
  AND pg_try_advisory_xact_lock(hashtext('verbrauch_liste'), hashtext($1::text)) FOR KEY SHARE`;

/** Whether the lists of the Mandant are this transaction's to write: it is there, and nobody else is at them. */
export async function lockLists(client: pg.ClientBase, mandant: string): Promise<boolean> {
  const { rowCount } = await client.query(LOCK, [mandant]);
  return rowCount !== 0;
}

/** The state of a day; lists that do not hold any more are removed. Null where there is nothing to do for us. */
async function begin(client: pg.ClientBase, { mandant_id, tag }: Day): Promise<State | null> {
  if (!(await lockLists(client, mandant_id))) return null;
  await client.query(SETTINGS);
  const { rows } = await client.query<State>(STATE, [mandant_id, tag]);
  const [state] = rows;
  if (!state?.offen) return null;
  const kept = state.teile_bis === null ? '' : 'AND teil = 0';
  await client.query(`DELETE FROM verbrauch_liste WHERE mandant_id = $1 AND tag = $2 ${kept}`, [
    mandant_id,
    tag,
  ]);
  return state.teile_bis === null ? { ...state, teile: 0 } : state;
}

const startOf = ({ tag, zeitzone }: Day) => Temporal.PlainDate.from(tag).toZonedDateTime(zeitzone);
const instantOf = (at: Temporal.ZonedDateTime) => at.toInstant().toString();

/** Makes the lists of a day that is over. */
export async function listDay(client: pg.ClientBase, day: Day): Promise<void> {
  const state = await begin(client, day);
  if (!state) return;
  const { geaendert, teile_bis, teile } = state;
  const start = startOf(day);
  const bis = instantOf(dayAfter(start));
  let count = teile;
  let last: Calls | null = null;
  for await (const calls of callsOf(client, day, teile_bis ?? instantOf(start), bis)) {
    if (last) await writeLists(client, day, ++count, last.lists());
    last = calls;
  }
  if (count === 0) await writeLists(client, day, 0, last?.lists() ?? []);
  else {
    if (last) await writeLists(client, day, ++count, last.lists());
    await mergeParts(client, day);
  }
  await client.query(
    `UPDATE verbrauch_tagesstand SET gelistet = $3, gelistet_am = now(), davor = NULL, teile_bis = NULL, teile_stand = NULL,
       teile_am = NULL WHERE mandant_id = $1 AND tag = $2`,
    [day.mandant_id, day.tag, geaendert],
  );
}

/** From now on changes of calls of the day before the instant are told from others. To be committed before `listPart`. */
export async function beginPart(
  client: pg.ClientBase,
  { mandant_id, tag }: Day,
  davor: string,
): Promise<void> {
  await client.query(
    'UPDATE verbrauch_tagesstand SET davor = greatest(davor, $3) WHERE mandant_id = $1 AND tag = $2',
    [mandant_id, tag, davor],
  );
}

/** Makes lists of the calls of a day that is not over: those before the instant that `beginPart` has set. */
export async function listPart(client: pg.ClientBase, day: Day): Promise<void> {
  const state = await begin(client, day);
  if (!state || state.davor === null) return;
  const { davor, davor_geaendert, teile_bis, teile } = state;
  let count = teile;
  for await (const calls of callsOf(client, day, teile_bis ?? instantOf(startOf(day)), davor))
    await writeLists(client, day, ++count, calls.lists());
  await client.query(
    // Not the bound of now: somebody may have set a later one meanwhile.
    `UPDATE verbrauch_tagesstand SET teile_bis = $4, teile_stand = $3, teile_am = now() WHERE mandant_id = $1 AND tag = $2`,
    [day.mandant_id, day.tag, davor_geaendert, davor],
  );
}
