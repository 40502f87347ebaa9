import { expect, test } from 'vitest';
import { spikeOf } from './spitze.ts';

const MEASURE = { schwelle: '3', z: '3.5', mindest_eur: '5' };

test.each([
  [
    'is dear enough, more than three times the median and far from it',
    '40',
    ['1', '2', '3', '4'],
    { median: '2.5', z: '25.29' },
  ],
  ['is no more than three times the median', '7.5', ['1', '2', '3', '4'], null],
  ['costs less than is looked at', '4.99', ['0', '0', '0', '0'], null],
  ['has no week to be compared with', '40', [], null],
  ['differs where the weeks do not', '7.51', ['2.5', '2.5', '2.5', '2.5'], { median: '2.5', z: null }],
  ['comes where there never was anything', '5', ['0', '0', '0', '0'], { median: '0', z: null }],
  // Median 10, deviations 8, 8, 9, 20: their median is 8.5, so that 3.5 is reached at 54.11.
  ['is far in times but not by the spread', '54', ['1', '2', '18', '30'], null],
])('an hour that %s', (_what, value, others, expected) => {
  expect(spikeOf(value, others, MEASURE)).toEqual(expected);
});

test('is exact at the edge', () => {
  const others = ['0.1', '0.1', '0.1', '0.1'];
  const measure = { schwelle: '3', z: '3.5', mindest_eur: '0' };
  // 3 times 0.1 is 0.30000000000000004 in floating point.
  expect(spikeOf('0.3', others, measure)).toBeNull();
  expect(spikeOf('0.3000000000000000000000001', others, measure)).toEqual({ median: '0.1', z: null });
});
