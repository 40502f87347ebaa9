import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDecimal, changePermille, compareDecimal, isDecimal, sumDecimals } from './decimal.ts';

const plain = fc
  .tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.integer({ min: 0, max: 12 }))
  .map(([value, digits]) => {
    const text = (value < 0n ? -value : value).toString().padStart(digits + 1, '0');
    const whole = digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
    return value < 0n ? `-${whole}` : whole;
  });

describe('addDecimal', () => {
  it('is exact where floats are not', () => {
    expect(addDecimal('0.1', '0.2')).toBe('0.3');
    expect(addDecimal('9007199254740993', '0.000001')).toBe('9007199254740993.000001');
    expect(addDecimal('-0.05', '0.05')).toBe('0');
  });

  it('can be taken back', () => {
    const negate = (text: string) => (text.startsWith('-') ? text.slice(1) : `-${text}`);
    fc.assert(
      fc.property(plain, plain, (a, b) => {
        const sum = addDecimal(a, b);
        expect(isDecimal(sum)).toBe(true);
        expect(compareDecimal(addDecimal(sum, negate(b)), a)).toBe(0);
      }),
    );
  });
});

describe('compareDecimal', () => {
  it('orders by size, not by text', () => {
    expect(['10', '9.5', '-3', '-0.5', '0.00001'].sort(compareDecimal)).toEqual([
      '-3',
      '-0.5',
      '0.00001',
      '9.5',
      '10',
    ]);
  });
});

describe('sumDecimals', () => {
  it('leaves out the unknown and is unknown when nothing is known', () => {
    expect(sumDecimals(['1.5', null, '2.25'])).toBe('3.75');
    expect(sumDecimals([null, null])).toBeNull();
    expect(sumDecimals([])).toBeNull();
  });
});

describe('changePermille', () => {
  it.each([
    ['15', '10', 500],
    ['5', '10', -500],
    ['0', '10', -1000],
    ['10', '0', null],
    ['10', null, null],
    [null, '10', null],
  ])('%s after %s', (now, before, expected) => {
    expect(changePermille(now, before)).toBe(expected);
  });
});
