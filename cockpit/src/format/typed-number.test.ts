import { describe, expect, it } from 'vitest';
import { readNumber } from './typed-number.ts';

describe('readNumber', () => {
  it.each([
    ['12,5', 'de', '12.5'],
    ['1.000', 'de', '1000'],
    ['12.500,50', 'de', '12500.50'],
    ['0.125', 'de', '0.125'],
    [' 5 ', 'de', '5'],
    ['1,000.5', 'en', '1000.5'],
    ['12.5', 'en', '12.5'],
    ['viel', 'de', 'viel'],
    ['', 'de', ''],
  ] as const)('%j in %s is %j', (text, language, expected) => {
    expect(readNumber(text, language)).toBe(expected);
  });
});
