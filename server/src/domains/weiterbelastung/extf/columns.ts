/**
 * The 125 columns of a booking, format version 13, by their place. Source: DATEV's description of the format
 * (developer.datev.de, „DATEV-Format“, Buchungsstapel) and the headings of DATEV's own sample `EXTF_Buchungsstapel.csv`, byte
 * for byte, with all their differences in spelling. Where the description's expression is narrower than what that sample holds
 * (keys of one to four digits, quantities without decimals), the wider form stands here.
 */

export interface Column {
  /** As it stands in the second line of the file. */
  head: string;
  /** Text stands in quotes, also where it is empty; nothing else does. */
  isText: boolean;
  /** What may stand in it, if anything does. */
  form: RegExp;
  /** Longest text; null for what is no text. */
  most: number | null;
}

const text = (head: string, most: number, form = /^.*$/s): Column => ({ head, isText: true, form, most });
const bare = (head: string, form: RegExp): Column => ({ head, isText: false, form, most: null });

const digits = (head: string, most: number) => bare(head, new RegExp(`^\\d{1,${most}}$`));
/** Digits before the comma, at most; places behind it, at most. */
const decimal = (head: string, before: number, places: number) =>
  bare(head, new RegExp(`^\\d{1,${before}}(,\\d{1,${places}})?$`));
const amount = (head: string, before: number) =>
  bare(head, new RegExp(`^(?!0+,00$)\\d{1,${before}},\\d{2}$`));
const flag = (head: string) => bare(head, /^[01]$/);
/** TTMMJJJJ. */
const day = (head: string) => bare(head, /^(0[1-9]|[12]\d|3[01])(0[1-9]|1[0-2])20\d{2}$/);
const account = (head: string) => bare(head, /^(?!0+$)\d{1,9}$/);
const capitals = (head: string, count: number) => text(head, count, new RegExp(`^([A-Z]{${count}})?$`));

const VOUCHER = /^[\w$&%*+\-/]*$/;
const WORD = /^\w*$/;
const COST_CENTRE = /^[\w ]*$/;

const pairs = (count: number, art: string, inhalt: string): Column[] =>
  Array.from({ length: count }, (_, at) => [
    text(`${art} ${at + 1}`, 20),
    text(`${inhalt} ${at + 1}`, 210),
  ]).flat();

export const COLUMNS: readonly Column[] = [
  amount('Umsatz (ohne Soll/Haben-Kz)', 10),
  text('Soll/Haben-Kennzeichen', 1, /^[SH]$/),
  capitals('WKZ Umsatz', 3),
  decimal('Kurs', 4, 6),
  amount('Basis-Umsatz', 10),
  capitals('WKZ Basis-Umsatz', 3),
  account('Konto'),
  account('Gegenkonto (ohne BU-Schlüssel)'),
  text('BU-Schlüssel', 4, /^\d*$/),
  bare('Belegdatum', /^\d{4}$/),
  text('Belegfeld 1', 36, VOUCHER),
  text('Belegfeld 2', 12, VOUCHER),
  amount('Skonto', 8),
  text('Buchungstext', 60),
  flag('Postensperre'),
  text('Diverse Adressnummer', 9, WORD),
  digits('Geschäftspartnerbank', 3),
  digits('Sachverhalt', 2),
  flag('Zinssperre'),
  text('Beleglink', 210),
  ...pairs(8, 'Beleginfo - Art', 'Beleginfo - Inhalt'),
  text('KOST1 - Kostenstelle', 36, COST_CENTRE),
  text('KOST2 - Kostenstelle', 36, COST_CENTRE),
  decimal('Kost-Menge', 12, 4),
  text('EU-Land u. UStID (Bestimmung)', 15),
  decimal('EU-Steuersatz (Bestimmung)', 2, 2),
  text('Abw. Versteuerungsart', 1, /^[IKPS]?$/),
  digits('Sachverhalt L+L', 3),
  digits('Funktionsergänzung L+L', 3),
  digits('BU 49 Hauptfunktionstyp', 1),
  digits('BU 49 Hauptfunktionsnummer', 2),
  digits('BU 49 Funktionsergänzung', 3),
  ...pairs(20, 'Zusatzinformation - Art', 'Zusatzinformation- Inhalt'),
  digits('Stück', 8),
  decimal('Gewicht', 8, 2),
  digits('Zahlweise', 2),
  text('Forderungsart', 10, WORD),
  bare('Veranlagungsjahr', /^20\d{2}$/),
  day('Zugeordnete Fälligkeit'),
  digits('Skontotyp', 1),
  text('Auftragsnummer', 30),
  capitals('Buchungstyp', 2),
  digits('USt-Schlüssel (Anzahlungen)', 4),
  capitals('EU-Land (Anzahlungen)', 2),
  digits('Sachverhalt L+L (Anzahlungen)', 3),
  decimal('EU-Steuersatz (Anzahlungen)', 2, 2),
  digits('Erlöskonto (Anzahlungen)', 8),
  capitals('Herkunft-Kz', 2),
  text('Buchungs GUID', 36),
  day('KOST-Datum'),
  text('SEPA-Mandatsreferenz', 35),
  flag('Skontosperre'),
  text('Gesellschaftername', 76),
  digits('Beteiligtennummer', 4),
  text('Identifikationsnummer', 11),
  text('Zeichnernummer', 20),
  day('Postensperre bis'),
  text('Bezeichnung SoBil-Sachverhalt', 30),
  digits('Kennzeichen SoBil-Buchung', 2),
  flag('Festschreibung'),
  day('Leistungsdatum'),
  day('Datum Zuord. Steuerperiode'),
  day('Fälligkeit'),
  text('Generalumkehr (GU)', 1, /^[01G]?$/),
  decimal('Steuersatz', 2, 2),
  capitals('Land', 2),
  text('Abrechnungsreferenz', 50),
  bare('BVV-Position', /^[1-5]$/),
  text('EU-Land u. UStID (Ursprung)', 15),
  decimal('EU-Steuersatz (Ursprung)', 2, 2),
  account('Abw. Skontokonto'),
];

/** Places of the columns that are written or looked at by name, counted from 1 as the format counts them. */
export const PLACE = {
  umsatz: 1,
  sollHaben: 2,
  wkz: 3,
  konto: 7,
  gegenkonto: 8,
  buSchluessel: 9,
  belegdatum: 10,
  belegfeld1: 11,
  buchungstext: 14,
  beleginfo: 21,
  kost1: 37,
  zusatzinformation: 48,
  festschreibung: 114,
  leistungsdatum: 115,
  steuerperiode: 116,
  abrechnungsreferenz: 121,
} as const;

/** Most bookings that a file may hold. */
export const MOST_BOOKINGS = 99_999;
