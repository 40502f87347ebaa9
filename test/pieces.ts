/** What the pieces of counted calls add up to by all of their values at once; and what the events do. */
import { expect } from 'vitest';
import {
  DIMENSION_NAMES,
  DIMENSIONS,
  FIGURE_NAMES,
  FIGURES,
  type FigureName,
  OWN_DIMENSION_NAMES,
} from '#contracts';
import { HISTOGRAMS, STEP_DIGITS } from '#domains/verbrauch/index.ts';
import { stueckeZusammenlegenJob } from '#domains/verbrauch/jobs/stuecke-zusammenlegen.ts';
import {
  AMOUNT_NAMES,
  type AmountName,
  COUNT_NAMES,
  LIMB_EXPONENTS,
  type LimbColumn,
  limbsOf,
  type PieceColumn,
  scaleOf,
} from '#domains/verbrauch/pieces/columns.ts';
import { readPiece } from '#domains/verbrauch/pieces/packed-columns.ts';
import { textOf } from '#kernel/money.ts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import { ownerOf } from './jobs.ts';
import type { TestService } from './service.ts';
import { type CountedCall, figuresOf, keyOf, type Sql, type Table } from './sums-by-dimension.ts';

/** The rows of a piece by column; those that are 0 throughout are not there. */
export function unpackPiece(piece: Uint8Array) {
  const columns = new Map<PieceColumn, Float64Array>();
  const count = readPiece(piece, (name, rows) => {
    const values = new Float64Array(rows);
    columns.set(name, values);
    return values;
  });
  return { count, columns };
}

const MS_OF_MINUTE = 60_000;
const MS_OF_DAY = 86_400_000;

const NO_OWN = OWN_DIMENSION_NAMES.map(() => '');

/** What the calls with the same values in the same minute add up to, as the pieces must have it. `ownOf`: those of the Mandant's own dimensions. */
export function crossedSumsOf(
  calls: CountedCall[],
  ownOf: (call: CountedCall) => string[] = () => NO_OWN,
): Table {
  const sets = Map.groupBy(calls, (call) => {
    const { row, tag, stunde, minute } = call;
    const values = DIMENSION_NAMES.map((name) => row[DIMENSIONS[name].column] ?? '');
    return keyOf(row.mandant_id, tag, stunde, minute, [...values, ...ownOf(call)]);
  });
  return Object.fromEntries([...sets].map(([key, set]) => [key, figuresOf(set)]));
}

interface StoredPiece extends Record<string, unknown> {
  mandant_id: string;
  tag_von: string;
  tag_bis: string;
  anzahl: number;
  daten: Buffer;
}

/** Of each column of an amount what one of it is worth. */
const WORTHS = AMOUNT_NAMES.flatMap((name) =>
  LIMB_EXPONENTS.slice(0, limbsOf(name)).map((exponent, limb) => ({
    name,
    column: `${name}_${limb}` as LimbColumn,
    worth: 10n ** BigInt(scaleOf(name) + exponent),
  })),
);

const once = <K, V>(make: (key: K) => V): ((key: K) => V) => {
  const known = new Map<K, V>();
  return (key) => {
    const value = known.get(key) ?? make(key);
    known.set(key, value);
    return value;
  };
};
const dayOf = once((days: number) => new Date(days * MS_OF_DAY).toISOString().slice(0, 10));
const instantOf = once((minutes: number) =>
  Temporal.Instant.fromEpochMilliseconds(minutes * MS_OF_MINUTE).toString(),
);

type Columns = ReturnType<typeof unpackPiece>['columns'];
type Figures = Map<string, bigint>;

/** Makes what adds a row to figures; zeros, which most are, add nothing. */
function adderOf(columns: Columns): (figures: Figures, row: number) => void {
  const added = [...COUNT_NAMES.map((name) => ({ name, column: name, worth: 1n })), ...WORTHS].map(
    ({ name, column, worth }) => ({ name, numbers: columns.get(column), worth }),
  );
  const histograms = HISTOGRAMS.map((name) => ({ name, numbers: columns.get(name) }));
  const calls = columns.get('aufrufe');
  return (figures, row) => {
    const add = (name: string, more: bigint) => figures.set(name, (figures.get(name) ?? 0n) + more);
    for (const { name, numbers, worth } of added) {
      const number = numbers?.[row];
      if (number) add(name, BigInt(number) * worth);
    }
    for (const { name, numbers } of histograms) {
      const step = numbers?.[row];
      if (step) add(name, BigInt(calls?.[row] ?? 0) * 10n ** (BigInt(STEP_DIGITS) * (BigInt(step) - 1n)));
    }
  };
}

/** Adds to the figures of each row of the piece. */
function addPiece(sums: Map<string, Figures>, piece: StoredPiece, texts: Map<string, string>) {
  const { count, columns } = unpackPiece(piece.daten);
  if (count !== piece.anzahl) throw new Error(`${count} rows in a piece of ${piece.anzahl}`);
  const addRow = adderOf(columns);
  const reader = (name: PieceColumn) => {
    const numbers = columns.get(name);
    return (row: number) => Number(numbers?.[row] ?? 0);
  };
  const [day, hour, minute] = [reader('tag'), reader('stunde'), reader('minute')];
  const dimensions = [...DIMENSION_NAMES, ...OWN_DIMENSION_NAMES].map(reader);
  const textOfValue = (number: number) => (number === 0 ? '' : texts.get(`${piece.mandant_id} ${number}`));
  for (let row = 0; row < count; row += 1) {
    const tag = dayOf(day(row));
    if (tag < piece.tag_von || tag > piece.tag_bis) throw new Error(`${tag} in a piece of other days`);
    const values = dimensions.map((numberOf) => textOfValue(numberOf(row)));
    const key = keyOf(piece.mandant_id, tag, instantOf(hour(row)), instantOf(minute(row)), values);
    const figures = sums.get(key) ?? new Map<string, bigint>();
    sums.set(key, figures);
    addRow(figures, row);
  }
}

const toText = (name: string, value: bigint): string => {
  const { kind } = FIGURES[name as FigureName] ?? { kind: 'count' };
  return kind === 'usd' || kind === 'eur' ? textOf(value, scaleOf(name as AmountName)) : value.toString();
};

/** And what they do; calls that are taken back add up to nothing and are not there. */
export async function readCrossedSums(sql: Sql): Promise<Table> {
  const texts = new Map(
    (
      await sql<{ key: string; text: string }>(
        `SELECT mandant_id || ' ' || merkmal_id AS key, text FROM merkmale`,
      )
    ).map(({ key, text }) => [key, text]),
  );
  const sums = new Map<string, Map<string, bigint>>();
  const pieces = await sql<StoredPiece>(
    'SELECT mandant_id, tag_von::text, tag_bis::text, anzahl, daten FROM verbrauch_stuecke',
  );
  for (const piece of pieces) addPiece(sums, piece, texts);
  return Object.fromEntries(
    [...sums]
      .filter(([, figures]) => [...figures.values()].some((value) => value !== 0n))
      .map(([key, figures]) => [
        key,
        Object.fromEntries(
          [...FIGURE_NAMES, ...HISTOGRAMS].map((name) => [name, toText(name, figures.get(name) ?? 0n)]),
        ),
      ]),
  );
}

/** Puts pieces together: what counting has left, or what is of a day or a month. */
export async function putTogether(
  { sql, context }: TestService,
  owner: OwnerDatabase,
  what: 'roh' | 'NOT roh',
): Promise<void> {
  await sql(
    `UPDATE verbrauch_stuecke SET faellig_am = now() - interval '1 day' WHERE faellig_am IS NOT NULL AND ${what}`,
  );
  await stueckeZusammenlegenJob({ owner, log: context.log }).run();
}

/** The pieces add up to these calls: as counting leaves them, and put together. */
export async function expectPieces(
  service: TestService,
  calls: CountedCall[],
  ownOf?: (call: CountedCall) => string[],
): Promise<void> {
  const { sql } = service;
  const expected = crossedSumsOf(calls, ownOf);
  expect(await readCrossedSums(sql), 'as counted').toEqual(expected);
  const owner = ownerOf(service);
  try {
    for (const what of ['roh', 'NOT roh'] as const) {
      await putTogether(service, owner, what);
      expect(await readCrossedSums(sql), 'put together').toEqual(expected);
    }
  } finally {
    await owner.close();
  }
}
