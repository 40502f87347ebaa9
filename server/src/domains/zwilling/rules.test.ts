import { expect, test } from 'vitest';
import { URSACHEN } from '#contracts';
import { compare, isWatched, placeOf, sumOf } from './rules.ts';

test('the rest is exact, and unknown where one side is', () => {
  expect(compare('0.3', '0.1')).toEqual({ real_eur: '0.3', gespart_eur: '0.1', zwilling_eur: '0.2' });
  expect(compare('0.1', '0.1').zwilling_eur).toBe('0');
  expect(compare(null, '0.1').zwilling_eur).toBeNull();
  expect(compare('0.3', null).zwilling_eur).toBeNull();
});

test('sums leave out what is unknown, and are unknown of nothing else', () => {
  expect(sumOf(['0.1', null, '0.2'])).toBe('0.3');
  expect(sumOf([null])).toBeNull();
  expect(sumOf([])).toBeNull();
});

test('every cause has a place of its own, what is proven first', () => {
  expect(URSACHEN.map(placeOf)).toEqual([1, 2, 3, 4, 5]);
  expect(placeOf('wiederholungen')).toBe(1);
});

test('a cause is watched by a rule of its type, a stop by any that stops', () => {
  const rule = { typ: 'schleife_exakt', stufe: 'warnen', ersatz: false };
  expect(URSACHEN.filter((each) => isWatched(each, [rule]))).toEqual(['wiederholungen']);
  expect(URSACHEN.filter((each) => isWatched(each, [{ ...rule, stufe: 'sperren' }]))).toEqual([
    'wiederholungen',
    'angehalten',
  ]);
  const model = { typ: 'modell_zu_gross', stufe: 'warnen', ersatz: false };
  expect(isWatched('modell', [model])).toBe(false);
  expect(isWatched('modell', [{ ...model, ersatz: true }])).toBe(true);
});
