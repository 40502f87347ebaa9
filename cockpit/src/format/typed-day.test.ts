import { describe, expect, it } from 'vitest';
import { readDay } from './typed-day.ts';

describe('a day that was typed', () => {
  it.each([
    ['26.11.2026', '2026-11-26'],
    ['1.2.2026', '2026-02-01'],
    ['26/11/2026', '2026-11-26'],
    ['2026-11-26', '2026-11-26'],
    [' 29.02.2028 ', '2028-02-29'],
  ])('%s is read', (text, day) => expect(readDay(text)).toBe(day));

  it.each([
    '',
    '26.11.',
    '26.11.26',
    '30.02.2026',
    '29.02.2027',
    '2026-13-01',
    '0.1.2026',
    '11-26-2026',
    'heute',
  ])('"%s" is none', (text) => expect(readDay(text)).toBeNull());
});
