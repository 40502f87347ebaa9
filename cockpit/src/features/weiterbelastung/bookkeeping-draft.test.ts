import { expect, it } from 'vitest';
import type { Buchhaltung } from '../../api/types.ts';
import { toBody, toDraft } from './bookkeeping-draft.ts';

const stored: Buchhaltung = {
  beraternummer: 29098,
  mandantennummer: null,
  wirtschaftsjahr_beginn: 7,
  sachkontenlaenge: 4,
  kontenrahmen: '03',
  sammelkonto: '10000',
  erloeskonto: null,
  bu_schluessel: null,
  steuersatz_prozent: '7.7',
  festschreibung: false,
  diktatkuerzel: 'AB',
  bezeichnung: null,
  verbranntes_berechnen: true,
  aufschlag_ausweisen: false,
  hinweise: [],
  fehlt: ['mandantennummer'],
};

it.each(['de', 'en'] as const)('what is not changed is sent as it was: %s', (language) => {
  const { fehlt, hinweise, ...settings } = stored;
  expect(toBody(toDraft(stored, language), language)).toEqual(settings);
});

it('numbers are read as the language writes them, and emptied fields clear', () => {
  const draft = toDraft(stored, 'de');
  expect(draft.steuersatz_prozent).toBe('7,7');
  const body = toBody({ ...draft, steuersatz_prozent: ' 19,5 ', beraternummer: ' ', sammelkonto: '' }, 'de');
  expect(body).toMatchObject({ steuersatz_prozent: '19.5', beraternummer: null, sammelkonto: null });
});

it('what is no number goes as it was typed, so that the field is named', () => {
  expect(toBody({ ...toDraft(stored, 'de'), beraternummer: '12a' }, 'de').beraternummer).toBe('12a');
});
