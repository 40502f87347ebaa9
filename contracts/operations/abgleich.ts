/** Reconciliation: what was counted beside what providers invoice. */
import {
  CPU_OF_A_REPORT,
  component,
  count,
  datetime,
  decimal,
  decimalInput,
  field,
  formed,
  listOf,
  nullable,
  oneOf,
  operation,
  optional,
  pageQuery,
  preset,
  rowsOf,
  Type,
  text,
  uuid,
  weiter,
} from '../kit/index.ts';

const ACCESS = { kind: 'session', right: 'weiterbelastung.verwalten' } as const;
const MONAT = '^\\d{4}-(0[1-9]|1[0-2])$';
/** Invoices of a provider for a month. */
export const MAX_RECHNUNGEN = 100;

const rechnung = {
  monat: field(formed(MONAT, 7), 'The month it is about.', '2026-10'),
  anbieter: field(text({ min: 1, max: 200 }), 'The provider, as calls name it.', 'openai'),
  betrag: field(
    decimalInput({ min: '-1000000000', max: '1000000000' }),
    'Net amount; negative for a credit.',
    '412.18',
  ),
  waehrung: preset(field(oneOf('EUR', 'USD'), 'Currency of the amount.'), 'EUR'),
  kurs: field(
    optional(decimalInput({ min: '0.0001', max: '1000' })),
    'EUR for one USD, as it was paid. Null: the reference rate of the last day of the month.',
    '0.8612',
  ),
  rechnungsnummer: field(optional(text({ max: 60 })), 'Number of the invoice.', 'INV-2026-10-7'),
  notiz: field(optional(text({ max: 500 })), 'What should be known of it.'),
};

export const RechnungEingabe = component(
  'RechnungEingabe',
  'What a provider invoices for a month.',
  rechnung,
);

export const Rechnung = component('Rechnung', 'An invoice of a provider.', {
  rechnung_id: field(uuid(), 'Names it.'),
  monat: field(text(), 'The month it is about.', '2026-10'),
  anbieter: field(text(), 'The provider.', 'openai'),
  betrag: field(decimal(), 'Net amount in its currency.', '412.18'),
  waehrung: field(oneOf('EUR', 'USD'), 'Its currency.'),
  kurs: field(decimal(), 'EUR for one unit of the currency; 1 for EUR.', '0.8612'),
  betrag_eur: field(decimal(), 'In EUR, exact.', '354.969416'),
  rechnungsnummer: field(nullable(text()), 'Its number.', 'INV-2026-10-7'),
  notiz: field(nullable(text()), 'What should be known of it.'),
  erfasst_am: field(datetime(), 'When it was put in.'),
  erfasst_von: field(nullable(text()), 'Who put it in.', 'anna@muster.example'),
});

const Ursache = component('Abgleichursache', 'Why counted and invoiced may differ.', {
  art: field(
    oneOf(
      'nicht_gezaehlt',
      'wechselkurs',
      'ersatzkurs',
      'monatsgrenze',
      'ersatzkurs_offen',
      'unbepreist',
      'teilbepreist',
      'geschaetzt',
      'preisbuch',
      'wartend',
      'unzaehlbar',
      'rundung',
      'ungeklaert',
    ),
    '`nicht_gezaehlt`: no call of the provider was counted; `wechselkurs`: the invoice was paid at another rate than the calls were converted at; `ersatzkurs`: calls were converted at the substitute where the reference rate of their day is known by now; `monatsgrenze`: calls that lie in another month in UTC, by which providers bill; `ersatzkurs_offen`: calls at the substitute whose reference rate is not known; `unbepreist`, `teilbepreist`: calls without a known price, or with one for a part only; `geschaetzt`: cost that rests on estimated counts; `preisbuch`: calls with own prices or discounts, which the provider may not have charged by; `wartend`, `unzaehlbar`: accepted calls of all providers that may be of the month and are not counted yet, or were set aside; `rundung`: the rest is less than a cent of each invoice; `ungeklaert`: the rest.',
  ),
  aufrufe: field(nullable(count()), 'Calls it is about; null where that cannot be told.', 12),
  betroffen_eur: field(nullable(decimal()), 'Cost that rests on it; null where that cannot be told.', '3.4'),
  betrag_eur: field(
    nullable(decimal()),
    'What it explains of the difference; null where that cannot be told. All of them add up to the difference.',
    '-0.12',
  ),
});

const Gemeldet = component('GemeldeteKosten', 'Calls whose cost is what they reported, beside the list.', {
  aufrufe: field(count(), 'Calls of days that are over whose cost is what they reported.', 900),
  verglichen: field(count(), 'Those of them that price book or list know a whole price of.', 880),
  gemeldet_eur: field(decimal(), 'What the compared calls reported.', '81.4'),
  liste_eur: field(decimal(), 'What the same calls cost by price book and list.', '84.15'),
  differenz_eur: field(decimal(), 'Reported less list.', '-2.75'),
});

const Preisbuch = component(
  'Preisbuchkosten',
  'Calls with a price of the own price book, own prices and discounts, beside the list; of days that are over.',
  {
    aufrufe: field(count(), 'Calls with an own price or a discount.', 900),
    kosten_eur: field(decimal(), 'What they cost.', '81.4'),
    verglichen: field(count(), 'Those of them that the list knows a whole price of.', 880),
    preisbuch_eur: field(decimal(), 'What the compared calls cost by the price book.', '80.1'),
    listenpreis_eur: field(
      decimal(),
      'What they would cost at the list price, at the same exchange rates.',
      '89',
    ),
    differenz_eur: field(decimal(), 'By the price book less at the list price.', '-8.9'),
    offene_tage: field(
      count(),
      'Days of the month with calls that are not compared: not yet, or their calls are kept no longer.',
      0,
    ),
  },
);

const Zeile = component('Abgleichzeile', 'A provider in a month.', {
  monat: field(text(), 'The local month.', '2026-10'),
  anbieter: field(nullable(text()), 'The provider as calls name it; null: they name none.', 'openai'),
  aufrufe: field(count(), 'Calls.', 1200),
  unbepreist: field(count(), 'Calls without a known price.', 0),
  teilbepreist: field(count(), 'Calls of which only a part has a known price.', 0),
  gemessen_eur: field(nullable(decimal()), 'Cost that was measured.', '350.1'),
  geschaetzt_eur: field(nullable(decimal()), 'Cost that rests on estimates or partial prices.', '2.5'),
  kosten_eur: field(nullable(decimal()), 'Both together; null where no call has a known price.', '352.6'),
  kosten_usd: field(nullable(decimal()), 'The same in USD.', '410.02'),
  rechnung_eur: field(nullable(decimal()), 'What was invoiced; null where nothing was put in.', '354.969416'),
  rechnungen: field(listOf(Rechnung, MAX_RECHNUNGEN), 'The invoices.'),
  differenz_eur: field(
    nullable(decimal()),
    'Invoiced less counted; null where one of them is unknown.',
    '2.369416',
  ),
  differenz_prozent: field(
    nullable(decimal()),
    'The difference in percent of what was counted, to two places.',
    '0.67',
  ),
  ursachen: field(listOf(Ursache, 13), 'Likely causes; none without a difference.'),
  gemeldet: field(nullable(Gemeldet), 'Reported costs beside the list; null where no call has reported one.'),
  preisbuch: field(
    nullable(Preisbuch),
    'The own price book beside the list; null where no call is known to have a price of it.',
  ),
});

/** Months of an answer. */
export const MAX_MONATE = 12;

const Summe = component('Abgleichsumme', 'All providers of a month.', {
  monat: field(text(), 'The local month.', '2026-10'),
  anbieter: field(count(), 'Providers, those that calls do not name counted as one.', 4),
  aufrufe: field(count(), 'Calls.', 5200),
  unbepreist: field(count(), 'Calls without a known price.', 0),
  teilbepreist: field(count(), 'Calls of which only a part has a known price.', 0),
  gemessen_eur: field(nullable(decimal()), 'Cost that was measured.', '900.1'),
  geschaetzt_eur: field(nullable(decimal()), 'Cost that rests on estimates or partial prices.', '2.5'),
  kosten_eur: field(nullable(decimal()), 'Both together; null where no call has a known price.', '902.6'),
  kosten_usd: field(nullable(decimal()), 'The same in USD.', '1049.53'),
  rechnung_eur: field(nullable(decimal()), 'All that was invoiced; null where nothing was put in.', '871.2'),
  verglichen: field(count(), 'Providers whose difference is known: the next three are about them alone.', 3),
  verglichen_eur: field(nullable(decimal()), 'What was counted of them; null where there are none.', '862.3'),
  differenz_eur: field(
    nullable(decimal()),
    'The sum of their differences; null where there are none.',
    '8.9',
  ),
  differenz_prozent: field(
    nullable(decimal()),
    'The difference in percent of what was counted of them, to two places.',
    '1.03',
  ),
  ohne_rechnung: field(count(), 'Providers that were called and have no invoice.', 1),
  ohne_rechnung_eur: field(
    nullable(decimal()),
    'What was counted of those; null where none of them has a known cost.',
    '40.3',
  ),
});

export const abgleich = operation({
  id: 'abgleich.liste',
  method: 'GET',
  path: '/v1/cockpit/abgleich',
  summary: 'Gezählte Kosten und Rechnungen der Anbieter je Monat, mit Differenz und Ursachen.',
  description:
    'What was counted for each provider in a month beside what the provider invoiced, with the difference and what may explain it, and all providers of a month together; the latest month first, page by page.',
  access: ACCESS,
  query: Type.Object({
    monat: Type.Optional(field(formed(MONAT, 7), 'The local month; without it the last twelve.', '2026-10')),
    ...pageQuery(),
  }),
  response: component('Abgleich', 'Counted and invoiced.', {
    zeilen: field(rowsOf(Zeile), 'Providers by month.'),
    summen: field(
      listOf(Summe, MAX_MONATE),
      'All providers of each month that has a row here, whole also where its other rows are on another page.',
    ),
    weiter,
    gezaehlt_bis: field(datetime(), 'Everything received up to then is counted.'),
  }),
});

export const rechnungErfassen = operation({
  id: 'abgleich.rechnung_erfassen',
  method: 'POST',
  path: '/v1/cockpit/abgleich/rechnungen',
  status: 201,
  summary: 'Erfasst die Rechnung eines Anbieters.',
  description: 'Puts in an invoice of a provider for a month. Several for one month add up.',
  access: ACCESS,
  refuses: { 409: ['rechnungen_zu_viele', 'rechnung_vorhanden', 'kein_kurs', 'hoechstzahl_erreicht'] },
  body: RechnungEingabe,
  response: Rechnung,
});

const ID = Type.Object({ rechnung_id: field(uuid(), 'The invoice.') });

export const rechnungAendern = operation({
  id: 'abgleich.rechnung_aendern',
  method: 'PUT',
  path: '/v1/cockpit/abgleich/rechnungen/{rechnung_id}',
  summary: 'Ändert eine erfasste Rechnung.',
  description: 'Replaces what was put in of an invoice.',
  access: ACCESS,
  refuses: { 409: ['rechnungen_zu_viele', 'rechnung_vorhanden', 'kein_kurs'] },
  params: ID,
  body: RechnungEingabe,
  response: Rechnung,
});

export const rechnungEntfernen = operation({
  id: 'abgleich.rechnung_entfernen',
  method: 'DELETE',
  path: '/v1/cockpit/abgleich/rechnungen/{rechnung_id}',
  summary: 'Entfernt eine erfasste Rechnung.',
  description: 'Takes out an invoice that was put in.',
  access: ACCESS,
  params: ID,
  response: Rechnung,
});

/** Models of a file of usage. */
export const MAX_NUTZUNG = 2_000;

const nutzung = {
  aufrufe: field(nullable(decimal()), 'Requests in the file; whole. Null where it does not say.', '1200'),
  eingabe_token: field(
    nullable(decimal()),
    'Input tokens in the file, as the provider counts them; whole.',
    '400000',
  ),
  ausgabe_token: field(nullable(decimal()), 'Output tokens in the file; whole.', '90000'),
  betrag: field(nullable(decimal()), 'What the file says was charged; exact.', '41.2'),
  waehrung: field(nullable(oneOf('USD', 'EUR')), 'Currency of it.', 'USD'),
};

export const nutzungVergleichen = operation({
  id: 'abgleich.nutzung_vergleichen',
  method: 'POST',
  path: '/v1/cockpit/abgleich/nutzung',
  summary: 'Vergleicht die Nutzungs- oder Kostendatei eines Anbieters mit dem Gezählten, je Modell.',
  description:
    'Reads the CSV that OpenAI or Anthropic let their customers download (costs or usage, known by its columns) and holds it against what was counted of the month, which is one in UTC, as providers have it, model by model; names that differ by a date alone are one model where nothing else can be meant. Nothing is stored.',
  cpu: CPU_OF_A_REPORT,
  access: ACCESS,
  body: component('Nutzungsdatei', 'A file of a provider.', {
    monat: field(formed(MONAT, 7), 'The month in UTC.', '2026-10'),
    csv: field(text({ max: 2_000_000 }), 'The file.', 'start_time,amount_value,amount_currency\n'),
  }),
  response: component('Nutzungsvergleich', 'A provider’s file beside what was counted.', {
    anbieter: field(oneOf('openai', 'anthropic'), 'Whose file it is.'),
    art: field(oneOf('kosten', 'nutzung'), 'Whether it tells of costs or of usage.'),
    monat: field(text(), 'The month in UTC.', '2026-10'),
    andere_monate: field(count(), 'Lines of the file about other months; they are left out.', 0),
    zeilen: field(
      listOf(
        component('Nutzungszeile', 'A model in the file and as it was counted.', {
          modell: field(nullable(text()), 'The model; null: the file names none.', 'gpt-4o-mini'),
          gezaehlt_als: field(
            nullable(text()),
            'The name it was counted under, where that is the same one with a date or without; null: under its own, or not at all.',
            'gpt-4o-mini-2024-07-18',
          ),
          datei: field(
            nullable(component('DateiNutzung', 'What the file says.', nutzung)),
            'In the file; null: it does not have the model.',
          ),
          gezaehlt: field(
            nullable(
              component('GezaehlteNutzung', 'What was counted.', {
                aufrufe: field(count(), 'Calls.', 1180),
                unbepreist: field(count(), 'Calls without a known price.', 0),
                eingabe_token: field(decimal(), 'Input tokens as sent; whole.', '398000'),
                ausgabe_token: field(decimal(), 'Output tokens as sent; whole.', '89000'),
                kosten_usd: field(nullable(decimal()), 'Cost in USD.', '40.9'),
              }),
            ),
            'As it was counted; null: it was not.',
          ),
          differenz_usd: field(
            nullable(decimal()),
            'The file less what was counted; null where one of them is unknown, or not in USD.',
            '0.3',
          ),
        }),
        MAX_NUTZUNG,
      ),
      'By model, those of no name last.',
    ),
  }),
});
