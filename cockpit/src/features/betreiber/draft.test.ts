import { describe, expect, it } from 'vitest';
import { changeOf, type Draft, lastDayOf } from './draft.ts';

const before: Draft = {
  paket: 'team',
  bis: '2027-03-31',
  abrechnungsstatus: 'aktiv',
  notiz: 'x',
  kontingent: { anfragen_je_minute: '', ereignisse_je_minute: '600000' },
};
const sent = (part: Partial<Draft>) => changeOf(before, { ...before, ...part }, 'de');

describe('what is sent', () => {
  it('is nothing where nothing was changed', () => {
    expect(sent({ notiz: ' x ' })).toEqual({});
  });

  it('is what differs, and null for what was emptied', () => {
    expect(sent({ bis: '' })).toEqual({ paket_bis: null });
    expect(sent({ notiz: ' ' })).toEqual({ betreiber_notiz: null });
    expect(sent({ abrechnungsstatus: 'keine' })).toEqual({
      abrechnungsstatus: 'keine',
    });
  });

  it('is of the quota what differs', () => {
    expect(sent({ kontingent: { anfragen_je_minute: '6.000', ereignisse_je_minute: '600.000' } })).toEqual({
      anfragen_je_minute: 6_000,
    });
    expect(sent({ kontingent: { ...before.kontingent, ereignisse_je_minute: '' } })).toEqual({
      ereignisse_je_minute: null,
    });
  });

  it('keeps the end of a package that is exchanged, and has none where it is taken away', () => {
    expect(sent({ paket: 'starter' })).toEqual({
      paket: 'starter',
      paket_bis: '2027-03-31',
    });
    expect(sent({ paket: '' })).toEqual({ paket: null });
  });
});

it('the last day is that before the midnight it ends at', () => {
  expect(lastDayOf('2027-03-31T22:00:00.000Z', 'Europe/Berlin')).toBe('2027-03-31');
  expect(lastDayOf('2027-03-31T12:00:00.000Z', 'Europe/Berlin')).toBe('2027-03-31');
});
