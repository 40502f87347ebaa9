/** What a Mandant has set for its bookings, and what is wrong with it. */
import type { Sentence } from '#kernel/sentence.ts';
import { inChart, isReceivables, type Kontenrahmen, liftsAutomatism, vatOf } from './accounts.ts';

export interface BookingSettings {
  /** Of the tax adviser at DATEV, 1001 to 9999999. */
  beraternummer: string;
  /** Of the company with its adviser, 1 to 99999. */
  mandantennummer: string;
  /** Month in which its fiscal year begins, 1 to 12. */
  wirtschaftsjahr_beginn: number;
  /** Digits of an account, 4 to 8; those of customers have one more. */
  sachkontenlaenge: number;
  /** SKR03 or SKR04; null for another chart. */
  kontenrahmen: Kontenrahmen | null;
  /** For end customers without an account of their own. */
  sammelkonto: string;
  erloeskonto: string;
  /** Tax key, where the revenue account does not work out VAT by itself. */
  bu_schluessel: string | null;
  /** Percent that is put on every line; null: amounts are booked as they are. */
  steuersatz_prozent: string | null;
  /** Whether bookkeeping locks the batch when it takes it. */
  festschreibung: boolean;
  /** Initials, two or four capitals. */
  diktatkuerzel: string | null;
  /** Name of the batch, to which the month is added; null: `Weiterberechnung`. */
  bezeichnung: string | null;
}

export interface SettingsFault {
  feld: keyof BookingSettings;
  code: string;
  /** With a fault nothing is written; a hint is for somebody to think about. */
  schwere: 'fehler' | 'hinweis';
  satz: Sentence;
}

/** A month is ` 10/2026`, of 30 characters in all. */
const MOST_BEZEICHNUNG = 22;

const fault = (feld: keyof BookingSettings, code: string, de: string, en: string): SettingsFault => ({
  feld,
  code,
  schwere: 'fehler',
  satz: { de, en },
});

const hint = (...parts: Parameters<typeof fault>): SettingsFault => ({
  ...fault(...parts),
  schwere: 'hinweis',
});

const isBetween = (text: string, least: number, most: number): boolean =>
  /^\d{1,7}$/.test(text) && Number(text) >= least && Number(text) <= most;

const isOneOf = (value: number, least: number, most: number): boolean =>
  Number.isInteger(value) && value >= least && value <= most;

function numberFaults(settings: BookingSettings): SettingsFault[] {
  const faults: SettingsFault[] = [];
  if (!isBetween(settings.beraternummer, 1001, 9_999_999))
    faults.push(
      fault(
        'beraternummer',
        'beraternummer',
        'Die Beraternummer ist eine Zahl von 1001 bis 9999999.',
        'The adviser’s number is a number from 1001 to 9999999.',
      ),
    );
  if (!isBetween(settings.mandantennummer, 1, 99_999))
    faults.push(
      fault(
        'mandantennummer',
        'mandantennummer',
        'Die Mandantennummer ist eine Zahl von 1 bis 99999.',
        'The client number is a number from 1 to 99999.',
      ),
    );
  if (!isOneOf(settings.wirtschaftsjahr_beginn, 1, 12))
    faults.push(
      fault(
        'wirtschaftsjahr_beginn',
        'wirtschaftsjahr_beginn',
        'Das Wirtschaftsjahr beginnt in einem Monat von 1 bis 12.',
        'The fiscal year begins in a month from 1 to 12.',
      ),
    );
  return faults;
}

/** Whether an account may be written at a length of account numbers: digits, not only zeros, one more for a customer's. */
export const isAccount = (konto: string, laenge: number, personal: boolean): boolean =>
  /^(?!0+$)\d+$/.test(konto) && konto.length <= laenge + (personal ? 1 : 0);

function collectiveFaults({
  sachkontenlaenge: laenge,
  kontenrahmen,
  sammelkonto,
}: BookingSettings): SettingsFault[] {
  const faults: SettingsFault[] = [];
  if (!isAccount(sammelkonto, laenge, true))
    faults.push(
      fault(
        'sammelkonto',
        'konto',
        `Das Sammelkonto besteht aus höchstens ${laenge + 1} Ziffern, nicht nur Nullen.`,
        `The collective account has at most ${laenge + 1} digits, not only zeros.`,
      ),
    );
  else if (kontenrahmen !== null && isReceivables(sammelkonto, kontenrahmen, laenge))
    faults.push(
      fault(
        'sammelkonto',
        'sammelkonto_forderungen',
        `Das Konto ${sammelkonto} (Forderungen) wird nicht direkt bebucht. Geben Sie ein Debitorenkonto an, etwa 1${'0'.repeat(laenge)}.`,
        `Nobody books on account ${sammelkonto} (receivables). State an account of a customer, such as 1${'0'.repeat(laenge)}.`,
      ),
    );
  return faults;
}

function accountFaults(settings: BookingSettings): SettingsFault[] {
  const { sachkontenlaenge: laenge, erloeskonto } = settings;
  if (!isOneOf(laenge, 4, 8))
    return [
      fault(
        'sachkontenlaenge',
        'sachkontenlaenge',
        'Sachkonten haben 4 bis 8 Stellen.',
        'Accounts of the general ledger have 4 to 8 digits.',
      ),
    ];
  const faults = collectiveFaults(settings);
  if (!isAccount(erloeskonto, laenge, false))
    faults.push(
      fault(
        'erloeskonto',
        'konto',
        `Das Erlöskonto besteht aus höchstens ${laenge} Ziffern, nicht nur Nullen.`,
        `The revenue account has at most ${laenge} digits, not only zeros.`,
      ),
    );
  return faults;
}

const RATE = /^\d{1,2}(\.\d{1,2})?$/;
/** The rates of common tax keys. */
const KEY_RATES: Record<string, string> = { 2: '7', 3: '19', 102: '7', 101: '19' };
const sameRate = (a: string, b: string) => Number(a) === Number(b);

/** What is booked must be what bookkeeping takes VAT out of: gross on accounts and under keys that have a rate. */
function rateHint(settings: BookingSettings, charted: { percent: string | null } | null): SettingsFault[] {
  const { steuersatz_prozent: rate, bu_schluessel: key, erloeskonto } = settings;
  const expected = charted ? (charted.percent ?? '0') : (KEY_RATES[key ?? ''] ?? null);
  if (expected === null || (key !== null && charted) || sameRate(expected, rate ?? '0')) return [];
  return [
    hint(
      'steuersatz_prozent',
      'steuersatz_passt_nicht',
      `Zum Erlöskonto ${erloeskonto} gehört ein Steuersatz von ${expected} %, eingestellt ist ${rate === null ? 'keiner' : `${rate} %`}.`,
      `Revenue account ${erloeskonto} goes with a tax rate of ${expected} %, ${rate === null ? 'none' : `${rate} %`} is set.`,
    ),
  ];
}

/** An account without VAT of its own, and no key: what is booked with tax would all be revenue. */
function keyHint({
  steuersatz_prozent: rate,
  erloeskonto,
  sachkontenlaenge,
}: BookingSettings): SettingsFault[] {
  if (rate === null || sameRate(rate, '0') || inChart(erloeskonto, sachkontenlaenge) === null) return [];
  return [
    hint(
      'bu_schluessel',
      'bu_schluessel_fehlt',
      `Das Konto ${erloeskonto} rechnet keine Umsatzsteuer heraus: Ohne BU-Schlüssel wird sie als Erlös gebucht.`,
      `Account ${erloeskonto} takes out no VAT: without a tax key it is booked as revenue.`,
    ),
  ];
}

function taxFaults(settings: BookingSettings): SettingsFault[] {
  const { kontenrahmen, erloeskonto, sachkontenlaenge: laenge, bu_schluessel: key } = settings;
  const faults: SettingsFault[] = [];
  if (settings.steuersatz_prozent !== null && !RATE.test(settings.steuersatz_prozent))
    return [
      fault(
        'steuersatz_prozent',
        'steuersatz',
        'Der Steuersatz ist eine Zahl von 0 bis 99 mit höchstens zwei Nachkommastellen.',
        'The tax rate is a number from 0 to 99 with at most two decimals.',
      ),
    ];
  if (key !== null && !/^\d{1,4}$/.test(key))
    return [
      fault(
        'bu_schluessel',
        'bu_schluessel',
        'Der BU-Schlüssel besteht aus 1 bis 4 Ziffern.',
        'The tax key has 1 to 4 digits.',
      ),
    ];
  const charted = kontenrahmen === null ? null : vatOf(erloeskonto, kontenrahmen, laenge);
  if (key !== null && charted && (charted.percent === null || !liftsAutomatism(key)))
    faults.push(
      fault(
        'bu_schluessel',
        'bu_schluessel_nicht_erlaubt',
        charted.percent === null
          ? `Auf dem Konto ${erloeskonto} gibt es keine Umsatzsteuer, also auch keinen BU-Schlüssel.`
          : `Das Konto ${erloeskonto} rechnet die Umsatzsteuer selbst (Automatikkonto): Lassen Sie den BU-Schlüssel leer.`,
        charted.percent === null
          ? `There is no VAT on account ${erloeskonto}, hence no tax key.`
          : `Account ${erloeskonto} works out VAT by itself: leave the tax key empty.`,
      ),
    );
  const isKeyless = kontenrahmen !== null && charted === null && key === null;
  return [...faults, ...rateHint(settings, charted), ...(isKeyless ? keyHint(settings) : [])];
}

function nameFaults({ diktatkuerzel, bezeichnung }: BookingSettings): SettingsFault[] {
  const faults: SettingsFault[] = [];
  if (diktatkuerzel !== null && !/^([A-Z]{2}){1,2}$/.test(diktatkuerzel))
    faults.push(
      fault(
        'diktatkuerzel',
        'diktatkuerzel',
        'Das Diktatkürzel besteht aus zwei oder vier Großbuchstaben ohne Umlaute.',
        'The initials are two or four capitals of A to Z.',
      ),
    );
  if (bezeichnung !== null && !new RegExp(`^[\\w./ ]{1,${MOST_BEZEICHNUNG}}$`).test(bezeichnung))
    faults.push(
      fault(
        'bezeichnung',
        'bezeichnung',
        `Die Bezeichnung hat 1 bis ${MOST_BEZEICHNUNG} Zeichen: Buchstaben ohne Umlaute, Ziffern, Leerzeichen, _ . und /.`,
        `The name of the batch has 1 to ${MOST_BEZEICHNUNG} characters: letters of A to Z, digits, blanks, _ . and /.`,
      ),
    );
  return faults;
}

/** What is wrong with settings, each with a sentence; empty where a batch can be written without a second thought. */
export const settingsFaults = (settings: BookingSettings): SettingsFault[] => {
  const accounts = accountFaults(settings);
  return [
    ...numberFaults(settings),
    ...accounts,
    ...(accounts.some(({ feld }) => feld !== 'sammelkonto') ? [] : taxFaults(settings)),
    ...nameFaults(settings),
  ];
};
