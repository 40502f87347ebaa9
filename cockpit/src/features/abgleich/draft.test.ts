import { expect, test } from 'vitest';
import { newDraft, toBody, toDraft } from './draft.ts';

const stored = {
  rechnung_id: '018f0000-0000-7000-8000-000000000000',
  monat: '2026-10',
  anbieter: 'openai',
  betrag: '-1412.18',
  waehrung: 'USD' as const,
  kurs: '0.8612',
  betrag_eur: '-1216.169416',
  rechnungsnummer: null,
  notiz: 'Gutschrift',
  erfasst_am: '2026-11-02T08:00:00Z',
  erfasst_von: null,
};

test('what was put in is written as the language has it, and comes back as it was', () => {
  const draft = toDraft(stored, 'de');
  expect(draft).toMatchObject({ betrag: '-1412,18', kurs: '0,8612', rechnungsnummer: '' });
  expect(toBody(draft, 'de')).toEqual({
    monat: '2026-10',
    anbieter: 'openai',
    betrag: '-1412.18',
    waehrung: 'USD',
    kurs: '0.8612',
    rechnungsnummer: null,
    notiz: 'Gutschrift',
  });
});

test('thousands, a typographic minus, and no rate for EUR', () => {
  const typed = {
    ...newDraft({ monat: '2026-10', anbieter: ' openai ' }, 'de'),
    betrag: '1.412,18',
    kurs: '0,9',
  };
  expect(toBody(typed, 'de')).toMatchObject({ anbieter: 'openai', betrag: '1412.18', kurs: null });
  expect(toBody({ ...typed, betrag: '\u22125,5' }, 'de').betrag).toBe('-5.5');
});

test('what is no number goes as it was typed, so that the service names the field', () => {
  expect(toBody({ ...newDraft({ monat: '2026-10' }, 'de'), betrag: 'viel' }, 'de').betrag).toBe('viel');
});
