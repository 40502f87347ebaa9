import { describe, expect, it } from 'vitest';
import { changePermille } from './decimal.ts';
import {
  formatChange,
  formatCount,
  formatCountChange,
  formatCountShort,
  formatDecimal,
  formatDuration,
  formatMoney,
  formatMoneyExact,
  formatShare,
  formatSize,
} from './number.ts';

describe('formatMoney', () => {
  it.each([
    ['1234.5', '1.234,50\u00a0€'],
    ['0', '0,00\u00a0€'],
    ['0.01', '0,01\u00a0€'],
    ['0.00042', '0,000420\u00a0€'],
    ['0.0099999', '0,010000\u00a0€'],
    ['-0.0003', '−0,000300\u00a0€'],
    ['0.0000004', '<\u00a00,000001\u00a0€'],
    ['-0.0000004', '>\u00a0−0,000001\u00a0€'],
    ['9007199254740993.25', '9.007.199.254.740.993,25\u00a0€'],
  ])('%s in German', (amount, text) => {
    expect(formatMoney(amount, 'de')).toBe(text);
  });

  it('speaks English and other currencies', () => {
    expect(formatMoney('1234.5', 'en')).toBe('€1,234.50');
    expect(formatMoney('0.00042', 'en', 'USD')).toBe('$0.000420');
  });

  it('never shows an unknown amount as zero', () => {
    expect(formatMoney(null, 'de')).toBe('–');
  });
});

describe('exact forms', () => {
  it('keep every digit', () => {
    expect(formatMoneyExact('12.345678901234', 'de')).toBe('12,345678901234\u00a0€');
    expect(formatDecimal('0.86543', 'de')).toBe('0,86543');
  });
});

describe('formatCount', () => {
  it('groups, and tells unknown from zero', () => {
    expect(formatCount(1234567, 'de')).toBe('1.234.567');
    expect(formatCount(0, 'de')).toBe('0');
    expect(formatCount(null, 'de')).toBe('–');
  });

  it('shortens from ten million on', () => {
    expect(formatCountShort(9_999_999, 'de')).toBe('9.999.999');
    expect(formatCountShort(12_345_678, 'de')).toBe('12,3\u00a0Mio.');
  });
});

describe('formatChange and formatShare', () => {
  it('carry a sign and few digits', () => {
    expect(formatChange(123, 'de')).toBe('+12,3\u00a0%');
    expect(formatChange(-50, 'en')).toBe('−5%');
    expect(formatChange(15_300, 'de')).toBe('+1.530\u00a0%');
    expect(formatChange(changePermille('3', '3') ?? 1, 'de')).toBe('0\u00a0%');
  });

  it('of a count have a sign, too', () => {
    expect([1200, -3, 0].map((change) => formatCountChange(change, 'de'))).toEqual(['+1.200', '−3', '0']);
  });

  it('have no share of nothing', () => {
    expect(formatShare(1, 8, 'de')).toBe('12,5\u00a0%');
    expect(formatShare(0, 0, 'de')).toBe('–');
  });
});

describe('formatDuration', () => {
  it.each([
    [0, '0\u00a0ms'],
    [999, '999\u00a0ms'],
    [12_449, '12,4\u00a0s'],
    [59_999, '59,9\u00a0s'],
    [185_000, '3\u00a0min 05\u00a0s'],
    [7_620_000, '2\u00a0h 07\u00a0min'],
  ])('%i', (ms, text) => {
    expect(formatDuration(ms, 'de')).toBe(text);
  });
});

describe('formatSize', () => {
  it.each([
    [0, '0\u00a0Byte'],
    [999, '999\u00a0Byte'],
    [30_400, '30\u00a0kB'],
    [12_440_000, '12,4\u00a0MB'],
    [2_000_000_000_000, '2.000\u00a0GB'],
  ])('%i', (bytes, text) => {
    expect(formatSize(bytes, 'de')).toBe(text);
  });
});
