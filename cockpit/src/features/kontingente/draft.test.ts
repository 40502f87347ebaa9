import { describe, expect, it } from 'vitest';
import { changeOfQuota, draftOfQuota } from './draft.ts';

const before = draftOfQuota({ anfragen_je_minute: 6_000, ereignisse_je_minute: null });

describe('what is sent of a quota', () => {
  it('is nothing where it means the same', () => {
    expect(changeOfQuota(before, { ...before, ereignisse_je_minute: ' ' }, 'de')).toEqual({});
    expect(changeOfQuota(before, { ...before, anfragen_je_minute: '6.000' }, 'de')).toEqual({});
    expect(changeOfQuota(before, { ...before, anfragen_je_minute: '6,000' }, 'en')).toEqual({});
  });

  it('is the number that was typed, and null for what was emptied', () => {
    expect(changeOfQuota(before, { anfragen_je_minute: '', ereignisse_je_minute: '600.000' }, 'de')).toEqual({
      anfragen_je_minute: null,
      ereignisse_je_minute: 600_000,
    });
  });

  it.each(['viele', '1,5', '-', '1e3'])('is %j as it was typed, for the service to refuse', (typed) => {
    const { anfragen_je_minute: sent } = changeOfQuota(
      before,
      { ...before, anfragen_je_minute: typed },
      'de',
    );
    expect(sent).toBeTypeOf('string');
  });
});
