import { describe, expect, it } from 'vitest';
import { moneyColumn } from './money-column.ts';

const shown = (amounts: (string | null)[], language: 'de' | 'en' = 'de') => {
  const column = moneyColumn(amounts, language);
  return amounts.map((amount) => column.text(amount).replaceAll('\u00a0', ' '));
};

describe('moneyColumn', () => {
  it.each([
    [
      ['1307.411', '52.4', '0'],
      ['1.307,41 €', '52,40 €', '0,00 €'],
    ],
    [
      ['0.04', '0.00362', '0.2'],
      ['0,0400 €', '0,0036 €', '0,2000 €'],
    ],
    [
      ['0.0000042', '0.5'],
      ['0,000004 €', '0,500000 €'],
    ],
    [
      ['3.5', '0.00042'],
      ['3,5000 €', '0,0004 €'],
    ],
    [
      ['3.5', '0.000042'],
      ['3,5000 €', '< 0,0001 €'],
    ],
    [
      ['240', '0.0042'],
      ['240,00 €', '< 0,01 €'],
    ],
    [
      ['0.02', '0.3'],
      ['0,02 €', '0,30 €'],
    ],
    [
      ['0.102', '0.103'],
      ['0,10 €', '0,10 €'],
    ],
    [
      ['-0.005', '12'],
      ['> −0,01 €', '12,00 €'],
    ],
    [
      ['-0.25', null],
      ['−0,25 €', '–'],
    ],
    [[null], ['–']],
    [['0'], ['0,00 €']],
    [
      ['0.0000000003', '0.9'],
      ['< 0,000001 €', '0,900000 €'],
    ],
    [
      ['9007199254740993.25', '1'],
      ['9.007.199.254.740.993,25 €', '1,00 €'],
    ],
  ])('%j', (amounts, texts) => {
    expect(shown(amounts)).toEqual(texts);
  });

  it('writes English, too', () => {
    expect(shown(['1307.411', '0.001'], 'en')).toEqual(['€1,307.41', '< €0.01']);
  });

  it('writes differences with a sign, and other currencies', () => {
    const column = moneyColumn(['12.5', '-3', '0', '0.004', '-0.004'], 'de', {
      currency: 'USD',
      signed: true,
    });
    const texts = ['12.5', '-3', '0', '0.004', '-0.004', null].map((amount) =>
      column.text(amount).replaceAll('\u00a0', ' '),
    );
    expect(texts).toEqual(['+12,50 $', '−3,00 $', '0,00 $', '< +0,01 $', '> −0,01 $', '–']);
  });

  it('aligns points: every known amount has the same number of decimals', () => {
    for (const amounts of [
      ['0.1', '0.000123', '0.99'],
      ['9.5', '0.004'],
      ['1000000', '0.5', '0.0001'],
    ]) {
      const decimals = shown(amounts).map((text) => /,(\d+)/.exec(text)?.[1]?.length);
      expect(new Set(decimals).size, amounts.join()).toBe(1);
    }
  });

  it('notices a sum that its parts, as shown, do not add up to', () => {
    const column = moneyColumn(['0.014', '0.014', '20'], 'de');
    expect(column.hidesParts(['0.014', '0.014'], '0.028')).toBe(true);
    expect(column.hidesParts(['0.01', '0.02'], '0.03')).toBe(false);
    expect(column.hidesParts(['0.014', null], '0.014')).toBe(false);
    expect(column.hidesParts([null], null)).toBe(false);
  });
});
