import { expect, it } from 'vitest';
import type { Preis } from '../../api/types.ts';
import { EMPTY } from './book.ts';
import { diffBooks, isNothing } from './diff.ts';

const noRates = { eingabe: null, ausgabe: null, cache_lese: null } as Preis['saetze'];
const price = (modell: string, part: Partial<Preis> = {}): Preis => ({
  anbieter: 'openai',
  modell,
  preisstufe: null,
  gilt_ab: null,
  gilt_bis: null,
  saetze: { ...noRates, eingabe: '2.5', ausgabe: '10' },
  bemerkung: null,
  ...part,
});
const book = (...preise: Preis[]) => ({ ...EMPTY, preise });

it('names what came, what went, and of what stayed the fields that changed', () => {
  const before = book(price('bleibt'), price('alt'), price('teurer'));
  const teurer = price('teurer', {
    saetze: { ...noRates, eingabe: '3', ausgabe: '10', cache_lese: '0.3' },
    gilt_ab: '2026-01-01',
  });
  expect(diffBooks(before, book(price('bleibt'), teurer, price('neu'))).entries).toEqual([
    {
      list: 'preise',
      kind: 'changed',
      entry: teurer,
      fields: [
        { field: 'gilt_ab', before: null, after: '2026-01-01' },
        { field: 'eingabe', before: '2.5', after: '3' },
        { field: 'cache_lese', before: null, after: '0.3' },
      ],
    },
    { list: 'preise', kind: 'added', entry: price('neu') },
    { list: 'preise', kind: 'removed', entry: price('alt') },
  ]);
});

it('a price of another tier or provider is another price', () => {
  const after = book(price('gpt-4o', { preisstufe: 'batch' }));
  expect(diffBooks(book(price('gpt-4o')), after).entries.map(({ kind }) => kind)).toEqual([
    'added',
    'removed',
  ]);
});

it('sees discounts, approved models and the switch', () => {
  const rabatt = { anbieter: 'openai', prozent: '10', gilt_ab: null, gilt_bis: null, bemerkung: null };
  const before = {
    ...EMPTY,
    rabatte: [rabatt],
    freigaben: [{ modell: 'gpt-4o-mini', ersetzt: ['gpt-4o'] }],
  };
  const after = {
    ...before,
    gemeldete_kosten: true,
    rabatte: [{ ...rabatt, prozent: '12.5' }],
    freigaben: [{ modell: 'gpt-4o-mini', ersetzt: [] }],
  };
  const { gemeldete_kosten, entries } = diffBooks(before, after);
  expect(gemeldete_kosten).toEqual({ before: false, after: true });
  expect(entries.map((each) => each.kind === 'changed' && each.fields)).toEqual([
    [{ field: 'prozent', before: '10', after: '12.5' }],
    [{ field: 'ersetzt', before: 'gpt-4o', after: null }],
  ]);
});

it('two alike differ in nothing', () => {
  expect(isNothing(diffBooks(book(price('a')), book(price('a'))))).toBe(true);
});
