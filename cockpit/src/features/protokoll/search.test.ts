import { describe, expect, it } from 'vitest';
import { parseAuditSearch, toFilter } from './search.ts';

describe('parseAuditSearch', () => {
  it('keeps an action and days', () => {
    const raw = { aktion: 'avv.akzeptiert', von: '2026-01-01', bis: '2026-01-31' };
    expect(toFilter(parseAuditSearch(raw))).toEqual(raw);
  });

  it('leaves out what is none', () => {
    expect(toFilter(parseAuditSearch({ aktion: '', von: 'gestern', bis: 7 }))).toEqual({});
  });
});
