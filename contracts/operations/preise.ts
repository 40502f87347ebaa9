/** Prices: what a Mandant has agreed with its providers, goes before the price list. */
import { BOOK_RATE_NAMES, BOOK_RATES, type BookRateName } from '../book-rates.ts';
import {
  boolean,
  CPU_OF_A_REPORT,
  component,
  date,
  datetime,
  decimal,
  decimalInput,
  field,
  integer,
  listOf,
  nullable,
  operation,
  optional,
  pageQuery,
  preset,
  rowsOf,
  type TSchema,
  Type,
  text,
  weiter,
} from '../kit/index.ts';
import { Ersatzkurs } from './verbrauch.ts';

/** Entries of each list of a price book at most. */
export const PREISBUCH_MAX = 1_000;
/** Models that may stand for another one. */
export const GLEICHWERTIG_MAX = 20;

/** `*` in a pattern at most, and own prices that have one: each is tried with every model. */
export const STERNE_MAX = 8;
export const MUSTER_MAX = 200;

/** Of an own price: code points of its texts, and what a rate is at most, in USD. */
export const PREIS_BOUNDS = {
  anbieter: 200,
  modell: 200,
  preisstufe: 40,
  bemerkung: 500,
  usd: '1000000',
} as const;

const MODEL = 'claude-sonnet-4-5';

const fieldsOf = <T extends TSchema>(make: (name: BookRateName) => T) =>
  Object.fromEntries(BOOK_RATE_NAMES.map((name) => [name, make(name)])) as Record<BookRateName, T>;

const ANBIETER = 'Provider, as calls name it or as the price list does, in any case; null: any.';
const MODELL =
  'Name of the model as calls send it, or its id in the price list; `*` stands for any characters, up to eight times; 200 own prices may have one. Upper and lower case are the same.';
const PREISSTUFE =
  'Tier (`preisstufe` of a call) it is the price of; null: of every tier that has no price of its own.';
const AB = 'First local day it holds on; null: from the beginning.';
const BIS = 'First local day it no longer holds on; null: without end.';
const BEMERKUNG = 'What people should know about it.';
const PROZENT = 'What is taken off the price of the list, in percent.';

const validity = {
  gilt_ab: field(optional(date()), AB, '2026-01-01'),
  gilt_bis: field(optional(date()), BIS, '2027-01-01'),
};
const said = {
  gilt_ab: field(nullable(date()), AB, '2026-01-01'),
  gilt_bis: field(nullable(date()), BIS, '2027-01-01'),
};

const amount = () => decimalInput({ min: '0', max: PREIS_BOUNDS.usd });

const PreisEingabe = component('PreisEingabe', 'An own price of a model, or of all whose name fits.', {
  anbieter: field(optional(text({ min: 1, max: PREIS_BOUNDS.anbieter })), ANBIETER, 'anthropic'),
  modell: field(text({ min: 1, max: PREIS_BOUNDS.modell }), MODELL, MODEL),
  preisstufe: field(optional(text({ min: 1, max: PREIS_BOUNDS.preisstufe })), PREISSTUFE, 'batch'),
  ...validity,
  saetze: field(
    component(
      'SaetzeEingabe',
      'Rates in USD, at least one. A price with `eingabe` has `ausgabe`, too. Of tokens, characters, pages, images and seconds a rate left out is free where nothing more general is stated; tools that are left out keep the price of the list.',
      fieldsOf((name) => field(optional(amount()), BOOK_RATES[name].meaning)),
    ),
    'What it costs.',
  ),
  bemerkung: field(optional(text({ max: PREIS_BOUNDS.bemerkung })), BEMERKUNG, 'Rahmenvertrag 2026'),
});

const RabattEingabe = component('RabattEingabe', 'A discount on what a provider lists.', {
  anbieter: field(
    text({ min: 1, max: 200 }),
    'Provider, as calls name it or as the price list does.',
    'openai',
  ),
  prozent: field(decimalInput({ min: '0', max: '100' }), PROZENT, '12.5'),
  ...validity,
  bemerkung: field(optional(text({ max: 500 })), BEMERKUNG, 'Azure EA'),
});

const FreigabeEingabe = component('FreigabeEingabe', 'A model that is approved, and what it may stand for.', {
  modell: field(text({ min: 1, max: 200 }), 'Name of the approved model as calls send it.', 'gpt-4o-mini'),
  ersetzt: field(
    listOf(text({ min: 1, max: 200 }), GLEICHWERTIG_MAX),
    'Models that it may be used instead of; `*` stands for any characters. None: it is approved for itself.',
    ['gpt-4o*'],
  ),
});

export const PreisbuchEingabe = component('PreisbuchEingabe', 'A price book as it is to be.', {
  fassung: field(
    integer({ min: 0 }),
    'The edition that this one replaces, as it was read; 0 where there is none yet.',
    3,
  ),
  gemeldete_kosten: preset(
    field(boolean(), 'Whether the cost that a call reports (`gemeldete_kosten_usd`) is its cost.'),
    false,
  ),
  preise: field(preset(listOf(PreisEingabe, PREISBUCH_MAX), []), 'Own prices.'),
  rabatte: field(preset(listOf(RabattEingabe, PREISBUCH_MAX), []), 'Discounts.'),
  freigaben: field(preset(listOf(FreigabeEingabe, PREISBUCH_MAX), []), 'Approved models.'),
});

const Preis = component('Preis', 'An own price.', {
  anbieter: field(nullable(text()), ANBIETER, 'anthropic'),
  modell: field(text(), MODELL, MODEL),
  preisstufe: field(nullable(text()), PREISSTUFE, 'batch'),
  ...said,
  saetze: field(
    component(
      'Saetze',
      'Rates in USD; null where nothing is stated.',
      fieldsOf((name) => field(nullable(decimal()), BOOK_RATES[name].meaning)),
    ),
    'What it costs.',
  ),
  bemerkung: field(nullable(text()), BEMERKUNG, 'Rahmenvertrag 2026'),
});

const Rabatt = component('Rabatt', 'A discount on what a provider lists.', {
  anbieter: field(text(), 'Provider, as calls name it or as the price list does.', 'openai'),
  prozent: field(decimal(), PROZENT, '12.5'),
  ...said,
  bemerkung: field(nullable(text()), BEMERKUNG, 'Azure EA'),
});

const Freigabe = component('Freigabe', 'A model that is approved, and what it may stand for.', {
  modell: field(text(), 'Name of the approved model.', 'gpt-4o-mini'),
  ersetzt: field(listOf(text(), GLEICHWERTIG_MAX), 'Models that it may be used instead of.', ['gpt-4o*']),
});

export const Preisbuch = component('Preisbuch', 'The price book of the Mandant: an edition of it.', {
  fassung: field(integer({ min: 0 }), 'Number of the edition; 0: there is none yet.', 3),
  erstellt_am: field(nullable(datetime()), 'When it was made.'),
  erstellt_von: field(nullable(text()), 'Who made it.', 'anna@muster.example'),
  gemeldete_kosten: field(boolean(), 'Whether the cost that a call reports is its cost.'),
  preise: field(listOf(Preis, PREISBUCH_MAX), 'Own prices.'),
  rabatte: field(listOf(Rabatt, PREISBUCH_MAX), 'Discounts.'),
  freigaben: field(listOf(Freigabe, PREISBUCH_MAX), 'Approved models.'),
});

/** The one rule by which a price is found, for people. */
export const PRECEDENCE =
  'What a call costs is, the first of these that there is: (1) the cost that the call reports, where the Mandant wants that; (2) an own price that holds on its local day; (3) the supplement to the price list, then the list, less the discount of the provider. Of several own prices that fit, the one goes first whose model is named as the call names it, then as the list does, then by a pattern, the one with more characters first; then the one that names the provider; then the one that names the tier; then the one that stands further up.';

const LESEN = { kind: 'session', right: 'konto.lesen' } as const;
const AENDERN = { kind: 'session', right: 'preise.aendern' } as const;

const Alter = component('Alter', 'Of which day something is.', {
  tag: field(date(), 'The day it is of, in UTC.', '2026-11-25'),
  alter_tage: field(integer({ min: 0 }), 'Whole days since then.', 2),
});

/** How fresh what every price rests on is. */
export const Preisstand = component('Preisstand', 'How old what prices rest on is.', {
  liste: field(
    nullable(Alter),
    'The price list in force: the day on which its source last had it; null where that is not known.',
  ),
  ergaenzung: field(
    Alter,
    'The supplement to the list: the day on which the source of one of its entries was last read.',
  ),
  kurse: field(
    nullable(Alter),
    'The newest reference rate of the European Central Bank; null where none is known: amounts are converted at the substitute rate.',
  ),
});

export const preiseLesen = operation({
  id: 'preise.lesen',
  method: 'GET',
  path: '/v1/cockpit/preise',
  summary: 'Das Preisbuch des Mandanten.',
  description: `The price book in force. ${PRECEDENCE}`,
  access: LESEN,
  response: component(
    'GeltendesPreisbuch',
    'The price book in force, and how old what stands behind it is.',
    {
      ...Preisbuch.properties,
      stand: field(Preisstand, 'How old list, supplement and exchange rates are.'),
    },
  ),
});

const Tageskurs = component('Tageskurs', 'A rate of a day.', {
  tag: field(date(), 'The day it is of.', '2026-11-25'),
  usd_eur: field(decimal(), 'EUR for one USD.', '0.8621'),
});

/** Reference rates that are shown: two weeks of working days. */
export const SHOWN_RATES = 10;

export const preisKurse = operation({
  id: 'preise.kurse',
  method: 'GET',
  path: '/v1/cockpit/preise/kurse',
  summary: 'Die Wechselkurse, zu denen umgerechnet wird: die letzten Referenzkurse und der Ersatzkurs.',
  description:
    'The exchange rates: a call is converted at the reference rate of the European Central Bank of its local day, or of the last day before it that has one; at the substitute where there is none.',
  access: LESEN,
  response: component('Wechselkurse', 'The exchange rates that hold.', {
    referenzkurse: field(
      listOf(Tageskurs, SHOWN_RATES),
      'The reference rates that are known, the latest first; empty where none was ever fetched.',
    ),
    geholt_am: field(nullable(datetime()), 'When the latest of them was fetched; null where there is none.'),
    ersatzkurs: field(Ersatzkurs, 'The substitute that this installation is configured with.'),
  }),
});

export const preiseSetzen = operation({
  id: 'preise.setzen',
  method: 'PUT',
  path: '/v1/cockpit/preise',
  summary: 'Ersetzt das Preisbuch durch eine neue Fassung.',
  description:
    'Makes a new edition of the price book; the one before is kept. Calls are priced by it from now on; those that were counted before keep their cost, but for those without a price.',
  cpu: CPU_OF_A_REPORT,
  access: AENDERN,
  refuses: { 409: ['preisbuch_veraltet', 'hoechstzahl_erreicht'] },
  body: PreisbuchEingabe,
  response: Preisbuch,
});

export const preisFassungen = operation({
  id: 'preise.fassungen',
  method: 'GET',
  path: '/v1/cockpit/preise/fassungen',
  summary: 'Die Fassungen des Preisbuchs, die neueste zuerst.',
  description:
    'All editions of the price book, the latest first, page by page. They are kept as long as the account.',
  access: LESEN,
  query: Type.Object(pageQuery()),
  response: component('Preisbuchfassungen', 'Editions of the price book.', {
    fassungen: field(
      rowsOf(
        component('Preisbuchfassung', 'An edition of the price book in short.', {
          fassung: field(integer({ min: 1 }), 'Its number.', 3),
          erstellt_am: field(datetime(), 'When it was made.'),
          erstellt_von: field(nullable(text()), 'Who made it.', 'anna@muster.example'),
          preise: field(integer({ min: 0 }), 'How many own prices it has.', 12),
          rabatte: field(integer({ min: 0 }), 'How many discounts it has.', 1),
          freigaben: field(integer({ min: 0 }), 'How many approved models it has.', 4),
        }),
      ),
      'The editions.',
    ),
    weiter,
  }),
});

export const preisFassung = operation({
  id: 'preise.fassung',
  method: 'GET',
  path: '/v1/cockpit/preise/fassungen/{fassung}',
  summary: 'Eine Fassung des Preisbuchs.',
  description: 'An edition of the price book as it was.',
  access: LESEN,
  params: Type.Object({ fassung: field(integer({ min: 1, max: 2_147_483_647 }), 'Number of the edition.') }),
  response: Preisbuch,
});

export const preiseAusgeben = operation({
  id: 'preise.ausgeben',
  method: 'GET',
  path: '/v1/cockpit/preise/csv',
  summary: 'Die eigenen Preise als CSV.',
  description:
    'The own prices as CSV with semicolons and decimal comma, a line each; `POST` on the same path reads it.',
  cpu: CPU_OF_A_REPORT,
  access: LESEN,
  media: ['text/csv'],
  response: Type.String(),
});

export const preiseEinlesen = operation({
  id: 'preise.einlesen',
  method: 'POST',
  path: '/v1/cockpit/preise/csv',
  summary: 'Liest eigene Preise aus einer CSV-Datei.',
  description:
    'Replaces the own prices by those of a CSV with the columns of the export, which is a new edition of the price book; discounts and all else stay. Semicolons or commas as separator, decimal comma or point. With `probe` it is only checked: the answer is the book as it would be. A line that cannot be read is named by its number, and nothing is stored.',
  cpu: CPU_OF_A_REPORT,
  access: AENDERN,
  refuses: { 409: ['preisbuch_veraltet', 'hoechstzahl_erreicht'] },
  body: component('PreiseCsv', 'Own prices as CSV.', {
    fassung: field(integer({ min: 0 }), 'The edition that is replaced, as it was read.', 3),
    csv: field(text({ max: 1_000_000 }), 'The file.', 'modell;eingabe;ausgabe\r\ngpt-4o;2,5;10\r\n'),
    probe: preset(field(boolean(), 'Whether it is only checked.'), false),
  }),
  response: Preisbuch,
});

const Nachgeschlagen = component('Modellpreis', 'What a model costs now, as calls of it are priced.', {
  anbieter: field(nullable(text()), 'Provider as asked for.', 'openai'),
  modell: field(text(), 'Model as asked for.', 'gpt-4o-mini'),
  quelle: field(
    nullable(text()),
    'Where the price is from, as it stands with each call (`preis_quelle`); null: it has none.',
    'genai-prices 0.1.8 openai/gpt-4o-mini',
  ),
  herkunft: field(
    nullable(Type.Enum(['preisbuch', 'ergaenzung', 'liste'])),
    'Own price, supplement to the list, or the list; null: no price.',
    'liste',
  ),
  rabatt_prozent: field(nullable(decimal()), 'Discount that is taken off; null: none.', '12.5'),
  saetze: field(
    nullable(
      component(
        'GeltendeSaetze',
        'Rates in USD after the discount; null where there is none. For calls with much input the list may have others.',
        fieldsOf((name) => field(nullable(decimal()), BOOK_RATES[name].meaning)),
      ),
    ),
    'What it costs; null: unknown.',
  ),
});

export const preiseNachschlagen = operation({
  id: 'preise.nachschlagen',
  method: 'POST',
  path: '/v1/cockpit/preise/nachschlagen',
  summary: 'Schlägt nach, was Modelle jetzt kosten und woher der Preis kommt.',
  description:
    'What models cost now at the usual tier, by the price book in force and the price list. Changes nothing.',
  access: LESEN,
  body: component('Nachschlagen', 'Models to look up.', {
    modelle: field(
      listOf(
        component('GefragtesModell', 'A model as calls name it.', {
          anbieter: field(optional(text({ max: 200 })), 'Provider; null: none is named.', 'openai'),
          modell: field(text({ min: 1, max: 200 }), 'Model.', 'gpt-4o-mini'),
        }),
        200,
      ),
      'The models.',
    ),
  }),
  response: component('Modellpreise', 'What models cost.', {
    modelle: field(listOf(Nachgeschlagen, 200), 'In the order of the question.'),
  }),
});
