/** Passing costs on: settings of accounting, statements, files for bookkeeping, months that are closed. */
import {
  boolean,
  component,
  count,
  date,
  datetime,
  decimal,
  decimalInput,
  field,
  formed,
  integer,
  listOf,
  nullable,
  oneOf,
  operation,
  optional,
  pageQuery,
  rowsOf,
  sum,
  Type,
  text,
  weiter,
} from '../kit/index.ts';
import { betraege, MonatStatus, monatQuery, WEITERBELASTEN } from './endkunden.ts';

/** What is asked for is null where it is not set. */
const einstellungen = {
  beraternummer: field(optional(integer({ min: 1001, max: 9_999_999 })), 'Number of the tax adviser.', 29098),
  mandantennummer: field(
    optional(integer({ min: 1, max: 99_999 })),
    'Number the tax adviser keeps the books of the company under.',
    55003,
  ),
  wirtschaftsjahr_beginn: field(
    Type.Optional(integer({ min: 1, max: 12 })),
    'The month the fiscal year begins with.',
    1,
  ),
  sachkontenlaenge: field(
    Type.Optional(integer({ min: 4, max: 8 })),
    'Digits of ledger accounts, as set at the tax adviser.',
    4,
  ),
  kontenrahmen: field(optional(oneOf('03', '04')), 'Chart of accounts: SKR03 or SKR04.', '03'),
  sammelkonto: field(
    optional(text({ max: 9 })),
    'The account of end customers that have none of their own.',
    '10000',
  ),
  erloeskonto: field(optional(text({ max: 9 })), 'The revenue account charges are booked to.', '8400'),
  bu_schluessel: field(
    optional(text({ max: 4 })),
    'Tax key; null where the revenue account is an automatic one.',
    '3',
  ),
  steuersatz_prozent: field(
    optional(decimalInput({ min: '0', max: '99.99' })),
    'Value added tax in percent; bookings are then gross. Null: no tax is added.',
    '19',
  ),
  festschreibung: field(Type.Optional(boolean()), 'Whether bookings come locked.', false),
  diktatkuerzel: field(optional(text({ max: 4 })), 'Initials of who makes the batch.', 'AB'),
  bezeichnung: field(optional(text({ max: 30 })), 'Name of the batch; null: one with the month.'),
  verbranntes_berechnen: field(
    Type.Optional(boolean()),
    'Whether burnt money is charged. Where not, statements show it as a line of its own.',
    true,
  ),
  aufschlag_ausweisen: field(
    Type.Optional(boolean()),
    'Whether statements tell the end customer the markup.',
    false,
  ),
};

export const BuchhaltungEingabe = component(
  'BuchhaltungEingabe',
  'Settings of accounting. A field left out stays, null clears it.',
  einstellungen,
);

export const Buchhaltung = component('Buchhaltung', 'Settings of accounting.', {
  beraternummer: field(nullable(integer()), 'Number of the tax adviser.', 29098),
  mandantennummer: field(nullable(integer()), 'Number the tax adviser keeps the books under.', 55003),
  wirtschaftsjahr_beginn: field(integer(), 'The month the fiscal year begins with.', 1),
  sachkontenlaenge: field(integer(), 'Digits of ledger accounts.', 4),
  kontenrahmen: field(nullable(oneOf('03', '04')), 'Chart of accounts.', '03'),
  sammelkonto: field(nullable(text()), 'The account of end customers that have none of their own.', '10000'),
  erloeskonto: field(nullable(text()), 'The revenue account.', '8400'),
  bu_schluessel: field(nullable(text()), 'Tax key.', '3'),
  steuersatz_prozent: field(nullable(decimal()), 'Value added tax in percent; null: none is added.', '19'),
  festschreibung: field(boolean(), 'Whether bookings come locked.'),
  diktatkuerzel: field(nullable(text()), 'Initials of who makes the batch.', 'AB'),
  bezeichnung: field(nullable(text()), 'Name of the batch; null: one with the month.'),
  verbranntes_berechnen: field(boolean(), 'Whether burnt money is charged.'),
  aufschlag_ausweisen: field(boolean(), 'Whether statements tell the markup.'),
  fehlt: field(
    listOf(text(), 10),
    'What must be set before a booking batch can be made, by the names of the fields.',
    ['beraternummer'],
  ),
});

export const buchhaltungLesen = operation({
  id: 'weiterbelastung.buchhaltung_lesen',
  method: 'GET',
  path: '/v1/cockpit/mandant/buchhaltung',
  summary: 'Die Einstellungen der Buchhaltung.',
  description: 'Settings of accounting: numbers and accounts of the booking batch, tax, what is charged.',
  access: WEITERBELASTEN,
  response: Buchhaltung,
});

export const buchhaltungSetzen = operation({
  id: 'weiterbelastung.buchhaltung_setzen',
  method: 'PUT',
  path: '/v1/cockpit/mandant/buchhaltung',
  summary: 'Setzt Beraternummer, Konten, Steuersatz und was berechnet wird.',
  description: 'Sets what is given. Closed months keep the tax and the rules they were billed by.',
  access: WEITERBELASTEN,
  body: BuchhaltungEingabe,
  response: Buchhaltung,
});

const REFERENZ = Type.Object({
  endkunde_ref: field(
    text({ min: 1, max: 120 }),
    'The reference, percent-encoded; of merged ones any.',
    'kunde-4711',
  ),
});

const Zeile = component('Abrechnungszeile', 'A line of a statement. Amounts in EUR.', {
  art: field(
    oneOf('verbrauch', 'korrektur'),
    '`verbrauch`: calls of the month; `korrektur`: what changed since in a month closed before.',
  ),
  monat: field(text(), 'The local month the calls are of.', '2026-10'),
  referenz: field(text(), 'Reference of the end customer.', 'kunde-4711'),
  name: field(nullable(text()), 'Their name; null: the reference.', 'Müller & Söhne GmbH'),
  kostenstelle: field(nullable(text()), 'Cost centre.', '4711'),
  debitorenkonto: field(nullable(text()), 'Their own account in bookkeeping.', '10001'),
  aufschlag_prozent: field(decimal(), 'Markup in percent.', '15'),
  aufrufe: field(integer(), 'Calls; of a correction how many more, which may be fewer than none.', 1200),
  unbepreist: field(integer(), 'Calls without a known price.', 0),
  teilbepreist: field(integer(), 'Calls of which only a part has a known price.', 0),
  kosten_eur: field(nullable(decimal()), 'Cost, exact.', '103.4417'),
  verbranntes_geld_eur: field(decimal(), 'The part of it that was burnt.', '3.2'),
  abrechenbar_eur: field(nullable(decimal()), 'What the markup is put on.', '100.2417'),
  betrag_eur: field(nullable(decimal()), 'What is charged, two decimals.', '115.28'),
});

const Posten = component('Abrechnungsposten', 'A part of what is charged.', {
  schluessel: field(text(), 'Key of the agent, name of the model; empty for calls without one.'),
  name: field(text(), 'Name to show.', 'Triage'),
  aufrufe: field(count(), 'Calls.', 400),
  token: field(decimal(), 'All tokens, in and out, as sent; whole.', '120000'),
  betrag_eur: field(
    nullable(decimal()),
    'Its part of what is charged, two decimals; the parts add up to the whole.',
    '12.4',
  ),
});

export const MAX_POSTEN = 100_000;

export const abrechnung = operation({
  id: 'weiterbelastung.abrechnung',
  method: 'GET',
  path: '/v1/cockpit/endkunden/{endkunde_ref}/abrechnung',
  summary: 'Die Abrechnung eines Endkunden für einen Monat.',
  description: 'What stands on the statement of an end customer, as the PDF shows it.',
  access: WEITERBELASTEN,
  params: REFERENZ,
  query: Type.Object(monatQuery),
  response: component('Abrechnung', 'What one end customer is charged for a month.', {
    monat: field(text(), 'The local month.', '2026-10'),
    status: field(MonatStatus, 'Whether the figures still change.'),
    geschlossen_am: field(nullable(datetime()), 'When the month was closed.'),
    zeile: field(Zeile, 'Calls of the month.'),
    korrekturen: field(listOf(Zeile, 1_000), 'What changed in months closed before.'),
    aufschlag: field(
      nullable(
        component('Aufschlag', 'A markup.', {
          prozent: field(decimal(), 'In percent.', '15'),
          betrag_eur: field(decimal(), 'What it comes to in the amount, two decimals.', '15.04'),
        }),
      ),
      'The markup, where the settings tell the end customer of it.',
    ),
    nicht_berechnet_eur: field(
      nullable(decimal()),
      'Burnt money that is not charged, two decimals; null where burnt money is charged.',
      '3.2',
    ),
    agenten: field(listOf(Posten, MAX_POSTEN), 'By agent, the most expensive first.'),
    modelle: field(listOf(Posten, MAX_POSTEN), 'By model, the most expensive first.'),
    tage: field(
      listOf(
        component('Abrechnungstag', 'A day of a statement.', {
          tag: field(date(), 'Local day.', '2026-10-01'),
          aufrufe: field(count(), 'Calls.', 40),
          betrag_eur: field(nullable(decimal()), 'Its part of what is charged, two decimals.', '3.1'),
        }),
        31,
      ),
      'Every day of the month.',
    ),
    netto_eur: field(nullable(decimal()), 'Charge and corrections together, two decimals.', '114.93'),
    umsatzsteuer: field(
      nullable(
        component('Umsatzsteuer', 'Value added tax.', {
          prozent: field(decimal(), 'In percent.', '19'),
          betrag_eur: field(decimal(), 'Of the lines together, two decimals.', '21.84'),
          brutto_eur: field(decimal(), 'With the tax, two decimals.', '136.77'),
        }),
      ),
      'Tax, where the settings name a rate; rounded line by line, as bookings are.',
    ),
  }),
});

const Monat = component('Abrechnungsmonat', 'A month, and what all end customers are charged for it.', {
  monat: field(text(), 'The local month.', '2026-10'),
  status: field(
    MonatStatus,
    '`laeuft`: not over; `offen`: over, figures may change; `geschlossen`: billed, changes go to a later month.',
  ),
  abschliessbar: field(boolean(), 'Whether it can be closed now.'),
  geschlossen_am: field(nullable(datetime()), 'When it was closed.'),
  geschlossen_von: field(nullable(text()), 'Who closed it.', 'anna@muster.example'),
  endkunden: field(sum(), 'End customers with calls or corrections.', 12),
  ...betraege,
});

export const abrechnungsmonate = operation({
  id: 'weiterbelastung.monate',
  method: 'GET',
  path: '/v1/cockpit/abrechnung/monate',
  summary: 'Die Monate mit ihrem Stand, der neueste zuerst.',
  description: 'Months since the first call, the latest first, page by page.',
  access: WEITERBELASTEN,
  query: Type.Object(pageQuery(12)),
  response: component('Abrechnungsmonate', 'Months.', {
    monate: field(rowsOf(Monat), 'The months.'),
    weiter,
  }),
});

export const monatAbschliessen = operation({
  id: 'weiterbelastung.monat_abschliessen',
  method: 'POST',
  path: '/v1/cockpit/abrechnung/abschliessen',
  summary: 'Schließt einen Monat ab: seine Abrechnungen stehen dann fest.',
  description:
    'Stores what every end customer is charged, corrections included. What changes later in the month (calls that come late, prices) is charged in the next open month as a correction. Months are closed in their order, and once.',
  access: WEITERBELASTEN,
  refuses: { 409: ['monat_laeuft', 'monat_geschlossen', 'monat_nicht_an_der_reihe', 'noch_nicht_gezaehlt'] },
  body: component('Monatsabschluss', 'Which month is to be closed.', {
    monat: field(formed('^\\d{4}-(0[1-9]|1[0-2])$', 7), 'The local month.', '2026-10'),
  }),
  response: Monat,
});
