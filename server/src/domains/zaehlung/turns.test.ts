import fc from 'fast-check';
import { expect, test } from 'vitest';
import { planTurns } from './turns.ts';

const waiting = (mandant: string, ereignisse: number, umfang = 100 * ereignisse) => ({
  mandant,
  ereignisse,
  umfang,
});

test('where Mandanten may not share a turn, each has its own', () => {
  const turns = planTurns([waiting('a', 3), waiting('big', 9_000), waiting('b', 5)], false);
  expect(turns.map(({ mandanten }) => mandanten)).toEqual([['a'], ['big'], ['b']]);
});

test('little of many shares a turn, much has one of its own, in the order of waiting', () => {
  const turns = planTurns([
    waiting('a', 3),
    waiting('big', 9_000),
    waiting('b', 5),
    waiting('heavy', 1, 2 ** 22),
  ]);
  expect(turns.map(({ mandanten }) => mandanten)).toEqual([['a', 'b'], ['big'], ['heavy']]);
});

test('everybody has exactly one turn, and none of the shared ones is large', () => {
  const each = fc.record({
    ereignisse: fc.integer({ min: 1, max: 2_000 }),
    umfang: fc.integer({ min: 1, max: 2 ** 21 }),
  });
  fc.assert(
    fc.property(fc.array(each, { maxLength: 1_500 }), (list) => {
      const all = list.map((entry, index) => ({ ...entry, mandant: `m${index}` }));
      const turns = planTurns(all);
      expect(turns.flatMap(({ mandanten }) => mandanten).toSorted()).toEqual(
        all.map(({ mandant }) => mandant).toSorted(),
      );
      const of = new Map(all.map((entry) => [entry.mandant, entry]));
      for (const { mandanten } of turns.filter((turn) => turn.mandanten.length > 1)) {
        const sum = (name: 'ereignisse' | 'umfang') =>
          mandanten.reduce((total, mandant) => total + (of.get(mandant)?.[name] ?? 0), 0);
        expect(sum('ereignisse')).toBeLessThanOrEqual(5_000);
        expect(sum('umfang')).toBeLessThanOrEqual(4 * 2 ** 20);
        expect(mandanten.length).toBeLessThanOrEqual(500);
      }
    }),
  );
});
