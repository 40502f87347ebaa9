import { describe, expect, it } from 'vitest';
import { BOOK_RATE_NAMES } from '#contracts/book-rates.ts';
import { RATE_GROUPS, readRate, unitOf } from './rates.ts';

describe('readRate', () => {
  it.each([
    ['2,5', '2.5'],
    ['2.5', '2.5'],
    [' 0,000000000000001 ', '0.000000000000001'],
    // Never a thousand: prices of lists have three decimals, too.
    ['1.125', '1.125'],
    ['1,125', '1.125'],
    ['1.250,75', '1250.75'],
    ['1,250.75', '1250.75'],
    ['12', '12'],
  ])('reads %j as %j', (typed, read) => expect(readRate(typed)).toBe(read));

  it.each(['', '-1', '1,2,3', '2,50 $', 'frei', '1.25,0.3'])('leaves %j to be refused', (typed) =>
    expect(readRate(typed)).toBe(typed),
  );
});

it('the form has every rate of the price book once', () => {
  const shown = RATE_GROUPS.flatMap(({ rates }): readonly string[] => rates);
  expect(shown.toSorted()).toEqual(BOOK_RATE_NAMES.toSorted());
});

it('tokens are by the million, all else by what it is', () => {
  expect(unitOf('video_ausgabe')).toBe('mtok');
  expect(unitOf('zitat')).toBe('mtok');
  expect(unitOf('zeichen')).toBe('mchars');
});
