import { expect, it } from 'vitest';
import { emptyPrice, priceDraftOf, priceFrom, toApproved, toDiscount, toPrice } from './draft.ts';

it('a price that is typed with a comma is sent with a point; an empty field is null', () => {
  const draft = emptyPrice(' gpt-4o* ', '');
  const price = toPrice({ ...draft, saetze: { ...draft.saetze, eingabe: '2,5', ausgabe: '10' } });
  expect(price).toMatchObject({ modell: 'gpt-4o*', anbieter: null, gilt_bis: null, bemerkung: null });
  expect(price.saetze).toMatchObject({ eingabe: '2.5', ausgabe: '10', cache_lese: null });
});

it('a price goes through the form unchanged in either language', () => {
  const draft = emptyPrice('m', 'a');
  const price = toPrice({ ...draft, gilt_ab: '2026-01-01', saetze: { ...draft.saetze, eingabe: '1.125' } });
  for (const language of ['de', 'en'] as const) expect(toPrice(priceDraftOf(price, language))).toEqual(price);
});

it('a price that begins with that of the list leaves tools to the list', () => {
  const saetze = { ...toPrice(emptyPrice()).saetze, eingabe: '2.5', websuche: '0.01' };
  const looked = {
    modell: 'gpt-4o',
    anbieter: null,
    quelle: 'x',
    herkunft: 'liste' as const,
    rabatt_prozent: null,
    saetze,
  };
  expect(priceFrom(looked, 'de').saetze).toMatchObject({ eingabe: '2,5', websuche: '' });
});

it('a discount has a comma, too; models that may be replaced stand one a line', () => {
  const typed = { anbieter: 'openai', prozent: '12,5', gilt_ab: '', gilt_bis: '', bemerkung: '' };
  expect(toDiscount(typed).prozent).toBe('12.5');
  expect(toApproved({ modell: 'a', ersetzt: ' gpt-4o*\n\n x \n' }).ersetzt).toEqual(['gpt-4o*', 'x']);
});
