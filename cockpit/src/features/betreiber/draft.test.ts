import { describe, expect, it } from 'vitest';
import { changeOf, type Draft, lastDayOf } from './draft.ts';

const before: Draft = { paket: 'team', bis: '2027-03-31', abrechnungsstatus: 'aktiv', notiz: 'x' };

describe('what is sent', () => {
  it('is nothing where nothing was changed', () => {
    expect(changeOf(before, { ...before, notiz: ' x ' })).toEqual({});
  });

  it('is what differs, and null for what was emptied', () => {
    expect(changeOf(before, { ...before, bis: '' })).toEqual({ paket_bis: null });
    expect(changeOf(before, { ...before, notiz: ' ' })).toEqual({ betreiber_notiz: null });
    expect(changeOf(before, { ...before, abrechnungsstatus: 'keine' })).toEqual({
      abrechnungsstatus: 'keine',
    });
  });

  it('keeps the end of a package that is exchanged, and has none where it is taken away', () => {
    expect(changeOf(before, { ...before, paket: 'starter' })).toEqual({
      paket: 'starter',
      paket_bis: '2027-03-31',
    });
    expect(changeOf(before, { ...before, paket: '' })).toEqual({ paket: null });
  });
});

it('the last day is that before the midnight it ends at', () => {
  expect(lastDayOf('2027-03-31T22:00:00.000Z', 'Europe/Berlin')).toBe('2027-03-31');
  expect(lastDayOf('2027-03-31T12:00:00.000Z', 'Europe/Berlin')).toBe('2027-03-31');
});
