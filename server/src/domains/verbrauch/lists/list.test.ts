import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DIMENSION_NAMES, DIMENSIONS, FIGURE_NAMES, type FigureName } from '#contracts';
import { fuzzRuns } from '#test/fuzz.ts';
import { Calls } from './calls.ts';
import { FULL_SCALES, GroupSums } from './group-sums.ts';
import { addList, ListWriter, toList } from './list.ts';

type Row = Partial<Record<FigureName, string>>;

const isAmount = (name: FigureName) => (FULL_SCALES[FIGURE_NAMES.indexOf(name)] as number) > 0;
const decimal = fc
  .tuple(fc.bigInt({ min: -(10n ** 45n), max: 10n ** 45n }), fc.nat(24))
  .map(([digits, places]) => {
    const text = `${digits < 0n ? -digits : digits}`.padStart(places + 1, '0');
    const point = text.length - places;
    return `${digits < 0n ? '-' : ''}${text.slice(0, point)}${places ? `.${text.slice(point)}` : ''}`;
  });
const count = fc.oneof(
  fc.nat(300).map(String),
  fc.bigInt({ min: 0n, max: 2n ** 130n }).map(String),
  fc.bigInt({ min: -5n, max: 5n }).map(String),
);
/** Figures of a group, of any sign and size; most have few. */
const anyRow: fc.Arbitrary<Row> = fc.record(
  Object.fromEntries(FIGURE_NAMES.map((name) => [name, isAmount(name) ? decimal : count])) as Record<
    FigureName,
    fc.Arbitrary<string>
  >,
  { requiredKeys: [] },
);
const anyGroups = (most: number) =>
  fc.uniqueArray(fc.tuple(fc.integer({ min: 1, max: 2 ** 31 - 1 }), anyRow), {
    maxLength: most,
    selector: ([merkmal]) => merkmal,
  });

function sumsOf(groups: [number, Row][]): GroupSums {
  const sums = new GroupSums();
  for (const [merkmal, row] of groups) sums.addRow(sums.placeOf(merkmal), row);
  return sums;
}

/** In the smallest unit, without a library's help. */
const exact = (text: string | undefined, scale: number): bigint => {
  const [whole = '', fraction = ''] = (text ?? '0').split('.');
  return BigInt(whole + fraction.padEnd(scale, '0'));
};
const exactly = (rows: (Row | undefined)[]) =>
  FIGURE_NAMES.map((name, figure) =>
    rows.reduce((sum, row) => sum + exact(row?.[name], FULL_SCALES[figure] as number), 0n),
  );

const read = (lists: Buffer[]) => {
  const sums = new GroupSums();
  for (const list of lists) addList(sums, list);
  return new Map(sums.merkmale.map((merkmal, place) => [merkmal, sums.values(place)]));
};

test('lists read together are the exact sums of what was written', () => {
  const property = fc.property(fc.array(anyGroups(30), { minLength: 1, maxLength: 6 }), (lists) => {
    const found = read(lists.map((groups) => toList(sumsOf(groups))));
    const merkmale = new Set(lists.flat().map(([merkmal]) => merkmal));
    expect([...found.keys()].toSorted()).toEqual([...merkmale].toSorted());
    for (const [merkmal, values] of found)
      expect(values).toEqual(exactly(lists.map((groups) => groups.find(([own]) => own === merkmal)?.[1])));
  });
  fc.assert(property, { numRuns: fuzzRuns(60) });
});

test('a list out of lists is the list of their sum', () => {
  const property = fc.property(anyGroups(20), anyGroups(20), (some, others) => {
    const parts = [some, others].map((groups) => toList(sumsOf(groups)));
    const sums = new GroupSums();
    for (const part of parts) addList(sums, part);
    expect(read([toList(sums)])).toEqual(read(parts));
  });
  fc.assert(property, { numRuns: fuzzRuns(40) });
});

describe('a list', () => {
  test('holds some of the groups, in the order of their values, by other names', () => {
    const sums = sumsOf([
      [5, { aufrufe: '1' }],
      [6, { aufrufe: '2' }],
      [7, { aufrufe: '3' }],
    ]);
    const list = new ListWriter(sums, [90, 80, 70]).list(Int32Array.of(0, 2));
    expect([...read([list])].map(([merkmal, [aufrufe]]) => [merkmal, aufrufe])).toEqual([
      [70, 3n],
      [90, 1n],
    ]);
  });

  test('that is long is compressed', () => {
    const row = { aufrufe: '1', kosten_eur: '0.000123' };
    const groups = Array.from({ length: 5_000 }, (_, index): [number, Row] => [index + 1, row]);
    const list = toList(sumsOf(groups));
    expect(list.length).toBeLessThan(1_000);
    expect(read([list]).get(4_711)).toEqual(exactly([row]));
  });

  test('is refused when a later version has written it', () => {
    expect(() => read([Buffer.from([3, 0])])).toThrow('version 3');
    expect(() => read([Buffer.from([1, 1, 1, 18, 0, 1, 1])])).toThrow('figure of a later version');
  });
});

test('ten thousand numbers at the end of a limb are added without loss', () => {
  const sums = new GroupSums();
  const list = toList(sumsOf([[1, { eingabe_token: String(2 ** 32 - 1) }]]));
  for (let times = 0; times < 10_000; times += 1) addList(sums, list);
  expect(sums.value(0, FIGURE_NAMES.indexOf('eingabe_token'))).toBe(10_000n * (2n ** 32n - 1n));
});

test('calls make lists of every value by every other dimension, each the sum of its calls', () => {
  const anyCall = fc.record({
    merkmale: fc.tuple(
      ...DIMENSION_NAMES.map((_, index) => fc.integer({ min: 10 * index + 1, max: 10 * index + 4 })),
    ),
    row: anyRow,
  });
  const property = fc.property(fc.array(anyCall, { minLength: 1, maxLength: 40 }), (made) => {
    const calls = new Calls();
    for (const { merkmale, row } of made) calls.add(merkmale, row);
    const lists = [...calls.lists()];
    const keys = lists.map(({ merkmal, nach }) => `${merkmal} ${nach}`);
    expect(new Set(keys).size).toBe(keys.length);
    for (const [own] of DIMENSION_NAMES.entries())
      for (const [other, name] of DIMENSION_NAMES.entries()) {
        if (own === other) continue;
        for (const [merkmal, mine] of Map.groupBy(made, ({ merkmale }) => merkmale[own] as number)) {
          const list = lists.find(
            (each) => each.merkmal === merkmal && each.nach === DIMENSIONS[name].number,
          );
          const groups = Map.groupBy(mine, ({ merkmale }) => merkmale[other] as number);
          expect(read([list?.liste as Buffer])).toEqual(
            new Map(
              [...groups]
                .toSorted(([a], [b]) => a - b)
                .map(([key, of]) => [key, exactly(of.map(({ row }) => row))]),
            ),
          );
        }
      }
  });
  fc.assert(property, { numRuns: fuzzRuns(15) });
});
