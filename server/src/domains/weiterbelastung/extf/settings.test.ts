import { expect, test } from 'vitest';
import { type BookingSettings, settingsFaults } from './settings.ts';

const SETTINGS: BookingSettings = {
  beraternummer: '29098',
  mandantennummer: '55003',
  wirtschaftsjahr_beginn: 1,
  sachkontenlaenge: 4,
  kontenrahmen: '03',
  sammelkonto: '10000',
  erloeskonto: '8400',
  bu_schluessel: null,
  steuersatz_prozent: '19',
  festschreibung: false,
  diktatkuerzel: null,
  bezeichnung: null,
};
const faultsOf = (more: Partial<BookingSettings>) =>
  settingsFaults({ ...SETTINGS, ...more }).map(({ feld, code, schwere }) => `${schwere} ${feld} ${code}`);

test.each<Partial<BookingSettings>>([
  {},
  { erloeskonto: '4400', kontenrahmen: '04' },
  { erloeskonto: '8200', bu_schluessel: '3' },
  { erloeskonto: '8400', bu_schluessel: '40' },
  { erloeskonto: '84000', sammelkonto: '100000', sachkontenlaenge: 5 },
  { erloeskonto: '84001', sammelkonto: '100000', sachkontenlaenge: 5, bu_schluessel: '3' },
  { erloeskonto: '8336', steuersatz_prozent: null },
  { erloeskonto: '8200', steuersatz_prozent: null },
  { erloeskonto: '84001', sammelkonto: '100000', sachkontenlaenge: 5 },
  { kontenrahmen: null, bu_schluessel: '3' },
  { diktatkuerzel: 'ABCD', bezeichnung: 'KI 1/2' },
])('without a fault: %j', (more) => {
  expect(faultsOf(more)).toEqual([]);
});

test.each<[Partial<BookingSettings>, string]>([
  [{ beraternummer: '1000' }, 'fehler beraternummer beraternummer'],
  [{ beraternummer: '12345678' }, 'fehler beraternummer beraternummer'],
  [{ mandantennummer: '0' }, 'fehler mandantennummer mandantennummer'],
  [{ wirtschaftsjahr_beginn: 13 }, 'fehler wirtschaftsjahr_beginn wirtschaftsjahr_beginn'],
  [{ sachkontenlaenge: 9 }, 'fehler sachkontenlaenge sachkontenlaenge'],
  [{ sammelkonto: '100000' }, 'fehler sammelkonto konto'],
  [{ sammelkonto: '1400' }, 'fehler sammelkonto sammelkonto_forderungen'],
  [{ erloeskonto: '84000' }, 'fehler erloeskonto konto'],
  [{ erloeskonto: '0000' }, 'fehler erloeskonto konto'],
  [{ bu_schluessel: '3' }, 'fehler bu_schluessel bu_schluessel_nicht_erlaubt'],
  [{ erloeskonto: '8409', bu_schluessel: '3' }, 'fehler bu_schluessel bu_schluessel_nicht_erlaubt'],
  [
    { erloeskonto: '8950', bu_schluessel: '40', steuersatz_prozent: null },
    'fehler bu_schluessel bu_schluessel_nicht_erlaubt',
  ],
  [{ bu_schluessel: 'x' }, 'fehler bu_schluessel bu_schluessel'],
  [{ steuersatz_prozent: '-1' }, 'fehler steuersatz_prozent steuersatz'],
  [{ steuersatz_prozent: null }, 'hinweis steuersatz_prozent steuersatz_passt_nicht'],
  [{ erloeskonto: '8336' }, 'hinweis steuersatz_prozent steuersatz_passt_nicht'],
  [{ erloeskonto: '8200', bu_schluessel: '2' }, 'hinweis steuersatz_prozent steuersatz_passt_nicht'],
  [{ erloeskonto: '8200' }, 'hinweis bu_schluessel bu_schluessel_fehlt'],
  [{ diktatkuerzel: 'ab' }, 'fehler diktatkuerzel diktatkuerzel'],
  [{ bezeichnung: 'Für Köln' }, 'fehler bezeichnung bezeichnung'],
  [{ bezeichnung: 'x'.repeat(23) }, 'fehler bezeichnung bezeichnung'],
])('with one: %j', (more, fault) => {
  expect(faultsOf(more)).toEqual([fault]);
});
