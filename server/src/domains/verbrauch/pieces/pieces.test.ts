import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DIMENSION_NAMES } from '#contracts';
import { unpackPiece } from '#test/pieces.ts';
import {
  AMOUNT_NAMES,
  LIMB_EXPONENTS,
  type LimbColumn,
  limbsOf,
  type PieceColumn,
  scaleOf,
} from './columns.ts';
import { packPiece } from './packed-columns.ts';
import { PieceRows } from './piece-rows.ts';

const COLUMNS: readonly PieceColumn[] = [
  'tag',
  'minute',
  'agent',
  'aufrufe',
  'eingabe_token',
  'kosten_eur_3',
];
const WIDE = new Set<PieceColumn>(['eingabe_token', 'kosten_eur_3']);
const EDGES = [0, 1, 255, 256, 65_535, 65_536, 2 ** 31 - 1];

const narrow = fc.oneof(fc.integer(), fc.constantFrom(...EDGES, ...EDGES.map((edge) => -edge)));
const wide = fc.oneof(
  narrow,
  fc.integer({ min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER }),
  fc.constantFrom(2 ** 32, 2 ** 32 - 1, -(2 ** 32), Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER),
);

const rows = fc
  .integer({ min: 1, max: 300 })
  .chain((count) =>
    fc.tuple(
      ...COLUMNS.map((column) =>
        fc.oneof(
          fc.array(WIDE.has(column) ? wide : narrow, { minLength: count, maxLength: count }),
          fc.constant(Array<number>(count).fill(0)),
        ),
      ),
    ),
  );

test('what is packed is what is unpacked', () => {
  fc.assert(
    fc.property(rows, (values) => {
      const count = values[0]?.length ?? 0;
      const columns = new Map(COLUMNS.map((name, index) => [name, Float64Array.from(values[index] ?? [])]));
      const piece = unpackPiece(packPiece(columns, count));
      expect(piece.count).toBe(count);
      for (const [index, name] of COLUMNS.entries()) {
        const column = piece.columns.get(name);
        const found = column ? Array.from(column, Number) : Array<number>(count).fill(0);
        expect(found, name).toEqual(values[index]?.map((value) => value + 0));
      }
    }),
  );
});

test('an amount is the sum of its limbs, all of its sign', () => {
  const amount = fc.oneof(
    fc.bigInt({ min: -(10n ** 42n), max: 10n ** 42n }),
    fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }),
    fc.constantFrom(0n, 1n, -1n, 10n ** 10n, 10n ** 22n, 10n ** 37n, 10n ** 37n - 1n),
  );
  fc.assert(
    fc.property(fc.constantFrom(...AMOUNT_NAMES), fc.array(amount, { minLength: 1 }), (name, amounts) => {
      const out = new PieceRows();
      for (const each of amounts) {
        out.add();
        out.setAmount(name, each);
      }
      const { columns } = unpackPiece(out.pack(DIMENSION_NAMES, []));
      for (const [row, each] of amounts.entries()) {
        const limbs = LIMB_EXPONENTS.slice(0, limbsOf(name)).map((exponent, limb) => ({
          worth: 10n ** BigInt(scaleOf(name) + exponent),
          value: BigInt(columns.get(`${name}_${limb}` as LimbColumn)?.[row] ?? 0),
        }));
        expect(limbs.reduce((sum, { worth, value }) => sum + worth * value, 0n)).toBe(each);
        for (const { value } of limbs) expect(value * each >= 0n).toBe(true);
      }
    }),
  );
});

test('bytes that are no piece are refused', () => {
  const piece = packPiece(new Map([['aufrufe', Float64Array.from({ length: 40 }, (_, row) => row)]]), 40);
  expect(() => unpackPiece(Buffer.from(piece).fill(9, 0, 1))).toThrow('a piece has version 9');
  expect(() => unpackPiece(piece.subarray(0, piece.length - 1))).toThrow('a piece ends before its rows');
});
