import { expect, it } from 'vitest';
import { parseCustomersSearch, parseStatementSearch } from './search.ts';

it('takes a month, and remembers that another one said nothing', () => {
  expect(parseCustomersSearch({ monat: '2026-10' })).toEqual({ monat: '2026-10' });
  expect(parseCustomersSearch({ monat: '2026-13' })).toEqual({ unlesbar: 'monat' });
  expect(parseCustomersSearch({ unlesbar: 'monat' })).toEqual({ unlesbar: 'monat' });
  expect(parseCustomersSearch({ monat: '2026-10', unlesbar: 'monat' })).toEqual({ monat: '2026-10' });
  expect(parseCustomersSearch({})).toEqual({});
});

it('searches for no more than a name can hold', () => {
  expect(parseCustomersSearch({ suche: 'x'.repeat(200) }).suche).toHaveLength(120);
  expect(parseCustomersSearch({ suche: '' }).suche).toBeUndefined();
});

it('takes references as they are', () => {
  for (const referenz of ['kunde/ä %25', '0', '..', ' '])
    expect(parseStatementSearch({ referenz })).toEqual({ referenz });
  expect(parseStatementSearch({ ansicht: 'tabelle' }).ansicht).toBe('tabelle');
});
