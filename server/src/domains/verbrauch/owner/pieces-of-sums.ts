/**
 * The pieces of a local day whose events are gone, made of what was added up of it: by hour of all calls and of each dimension, by day of
 * pairs where these were listed. In a transaction of the owner of the database.
 */
import type pg from 'pg';
import { DIMENSION_NAMES, DIMENSIONS, type DimensionName, FIGURE_NAMES, type FigureName } from '#contracts';
import { createLocalHours, type LocalHour } from '#kernel/local-hours.ts';
import { EUR_SCALE, scaledFrom } from '#kernel/money.ts';
import { createBreath } from '../pieces/breath.ts';
import { AMOUNT_NAMES, type AmountName, scaleOf } from '../pieces/columns.ts';
import { dayOfText } from '../pieces/periods.ts';
import { PieceRows } from '../pieces/piece-rows.ts';
import { addSums, type CallSums, type SumsKey } from '../pieces/sum-rows.ts';
import { HISTOGRAMS, sqlTypeOf, TOTAL } from '../rollup.ts';
import { readFormerList } from './former-list.ts';

/** A local day of a Mandant, `YYYY-MM-DD`. */
interface Day {
  mandant_id: string;
  zeitzone: string;
  tag: string;
}

export interface PieceOfSums {
  /** Numbers of the dimensions that its rows tell apart, in order. */
  dimensionen: readonly number[];
  rows: number;
  bytes: Buffer;
}

/** Rows of a piece, about; and rows and lists that are read at once. */
const ROWS = 20_000;
const SUMS_AT_ONCE = 500;
const LISTS_AT_ONCE = 50;
/** As questions have it: instants of old may have seconds. */
const minuteOf = (ms: number): number => Math.floor(ms / 60_000);
/** Hours of the day $2 in the time zone $3. By the day of UTC, too: before the year 1 had its second day, days are those of UTC everywhere. */
const OF_DAY = `stunde >= least($2::date::timestamp AT TIME ZONE $3, $2::date::timestamp AT TIME ZONE 'UTC')
  AND stunde < greatest(($2::date + 1)::timestamp AT TIME ZONE $3, ($2::date + 1)::timestamp AT TIME ZONE 'UTC')`;

const scaleOfFigure = (name: FigureName): number =>
  AMOUNT_NAMES.includes(name as AmountName) ? scaleOf(name as AmountName) : 0;
const PLACES = FIGURE_NAMES.map((name, index) => ({ name, index, scale: scaleOfFigure(name) }));

/** Figures by name, of what is read of each by its place. */
const figuresOf = (read: (place: (typeof PLACES)[number]) => bigint): CallSums['figures'] =>
  Object.fromEntries(PLACES.map((place) => [place.name, read(place)])) as CallSums['figures'];

/** The rows of a SELECT as arrays, some at a time. */
async function* pagesOf(
  client: pg.ClientBase,
  select: string,
  values: unknown[],
  rows: number,
): AsyncGenerator<unknown[][]> {
  await client.query(`DECLARE summen NO SCROLL CURSOR FOR ${select}`, values);
  for (;;) {
    const page = await client.query<unknown[]>({ text: `FETCH ${rows} FROM summen`, rowMode: 'array' });
    if (page.rows.length === 0) break;
    yield page.rows;
  }
  await client.query('CLOSE summen');
}

/** Collects the rows of pieces of the same dimensions. */
class Collected {
  readonly #dimensionen: readonly number[];
  #rows = new PieceRows();

  constructor(dimensionen: readonly number[]) {
    this.#dimensionen = dimensionen;
  }

  add(key: SumsKey, sums: CallSums): void {
    addSums(this.#rows, key, sums);
  }

  /** A piece of what there is: once it is enough, or in the end whatever it is. */
  *take(most = ROWS): Generator<PieceOfSums> {
    const rows = this.#rows;
    if (rows.count === 0 || rows.count < most) return;
    this.#rows = new PieceRows();
    yield { dimensionen: this.#dimensionen, rows: rows.count, bytes: rows.pack([], {}) };
  }

  rest(): Generator<PieceOfSums> {
    return this.take(0);
  }
}

const COLUMNS = [
  ...FIGURE_NAMES.map((name) => ({ name, type: sqlTypeOf(name) })),
  ...HISTOGRAMS.map((name) => ({ name, type: 'numeric' })),
];
const NAMES = COLUMNS.map(({ name }) => name).join(', ');
const ADDED_UP = COLUMNS.map(({ name, type }) => `sum(${name})::${type} AS ${name}`).join(', ');
const AS_TEXT = COLUMNS.map(({ name }) => `trim_scale(${name}::numeric)::text`).join(', ');

/** As the release before left them: what it had added up, and calls that it kept one by one. */
function hoursBy(name: DimensionName | 'alle'): string {
  const [number, merkmal] =
    name === 'alle' ? [TOTAL.dimension, TOTAL.merkmal] : [DIMENSIONS[name].number, `e.${name}`];
  return `SELECT stunde, merkmal_id, ${AS_TEXT} FROM (
      SELECT stunde, merkmal_id, ${ADDED_UP} FROM (
        SELECT mandant_id, stunde, merkmal_id, ${NAMES} FROM verbrauch_stunde WHERE dimension = ${number}
        UNION ALL SELECT e.mandant_id, e.stunde, ${merkmal}::integer, ${NAMES} FROM verbrauch_einzeln e) AS beides
      WHERE mandant_id = $1 AND ${OF_DAY} GROUP BY 1, 2) AS s`;
}

/** The hours of the day: by the values of a dimension, or of all calls. */
async function* ofHours(
  client: pg.ClientBase,
  { mandant_id, zeitzone, tag }: Day,
  name: DimensionName | 'alle',
  localHour: (ms: number) => LocalHour,
): AsyncGenerator<PieceOfSums> {
  const collected = new Collected(name === 'alle' ? [] : [DIMENSIONS[name].number]);
  const breath = createBreath();
  const ofDay = [mandant_id, tag, zeitzone];
  for await (const page of pagesOf(client, hoursBy(name), ofDay, SUMS_AT_ONCE)) {
    for (const [stunde, merkmal, ...texts] of page as [string, number, ...string[]][]) {
      const ms = Date.parse(stunde);
      if (localHour(ms).tag !== tag) continue;
      const values = name === 'alle' ? [] : [[name, merkmal] as const];
      const [latenz = '0', ersteZeichen = '0'] = texts.slice(FIGURE_NAMES.length);
      collected.add(
        { tag: dayOfText(tag), stunde: minuteOf(ms), values },
        {
          figures: figuresOf(({ index, scale }) => scaledFrom(texts[index] as string, scale)),
          histograms: { latenz: BigInt(latenz), erste_zeichen: BigInt(ersteZeichen) },
        },
      );
      yield* collected.take();
    }
    await breath();
  }
  yield* collected.rest();
}

/** Lists have amounts of either currency in the same unit, which is finer than those of USD are. */
const figuresIn = (values: readonly bigint[]): CallSums['figures'] =>
  figuresOf(({ name, index, scale }) => {
    const value = values[index] as bigint;
    return AMOUNT_NAMES.includes(name as AmountName) ? value / 10n ** BigInt(EUR_SCALE - scale) : value;
  });

/** Each pair once: lists are kept both ways. */
const PAIRS = DIMENSION_NAMES.flatMap((own, index) =>
  DIMENSION_NAMES.slice(index + 1).map((other) => [own, other] as const),
);
const LISTS = `SELECT l.merkmal_id, l.liste FROM verbrauch_liste l
  JOIN merkmale m ON m.mandant_id = l.mandant_id AND m.merkmal_id = l.merkmal_id
  WHERE l.mandant_id = $1 AND l.tag = $2 AND l.nach = $3 AND l.teil = 0 AND m.dimension = $4`;

/** The day by the values of two dimensions. */
async function* ofPair(
  client: pg.ClientBase,
  { mandant_id, zeitzone, tag }: Day,
  [own, other]: (typeof PAIRS)[number],
): AsyncGenerator<PieceOfSums> {
  const numbers = [DIMENSIONS[own].number, DIMENSIONS[other].number];
  const collected = new Collected(numbers);
  const stunde = minuteOf(Temporal.PlainDate.from(tag).toZonedDateTime(zeitzone).epochMilliseconds);
  const breath = createBreath();
  const values = [mandant_id, tag, ...numbers.toReversed()];
  for await (const page of pagesOf(client, LISTS, values, LISTS_AT_ONCE))
    for (const [merkmal, liste] of page as [number, Buffer][]) {
      for (const { merkmal: against, values: listed } of readFormerList(liste)) {
        const both = [[own, merkmal] as const, [other, against] as const];
        collected.add({ tag: dayOfText(tag), stunde, values: both }, { figures: figuresIn(listed) });
        yield* collected.take();
      }
      await breath();
    }
  yield* collected.rest();
}

/** Pieces by each dimension and of all calls; and where the day `isListed`, of each pair. */
export async function* piecesOfSums(
  client: pg.ClientBase,
  day: Day,
  isListed: boolean,
): AsyncGenerator<PieceOfSums> {
  const localHour = createLocalHours(day.zeitzone);
  for (const name of ['alle', ...DIMENSION_NAMES] as const) yield* ofHours(client, day, name, localHour);
  if (isListed) for (const pair of PAIRS) yield* ofPair(client, day, pair);
}
