/** End customers: who costs are passed on to, at which markup, and what they are charged in a month. */
import {
  boolean,
  component,
  count,
  datetime,
  decimal,
  decimalInput,
  email,
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

export const WEITERBELASTEN = { kind: 'session', right: 'weiterbelastung.verwalten' } as const;

/** The month a question is about. */
export const monatQuery = {
  monat: Type.Optional(
    field(
      formed('^\\d{4}-(0[1-9]|1[0-2])$', 7),
      'The local month; the current one when left out.',
      '2026-10',
    ),
  ),
};

const AUFSCHLAG = { min: '-100', max: '10000' };
const MAX_MERGED = 100;

const eingabe = {
  name: field(optional(text({ max: 120 })), 'Name to show; null: the reference.', 'Müller & Söhne GmbH'),
  kostenstelle: field(optional(text({ max: 36 })), 'Cost centre in bookkeeping.', '4711'),
  debitorenkonto: field(
    optional(text({ max: 9 })),
    'Their own account in bookkeeping; null: the collective account of the settings.',
    '10001',
  ),
  email: field(optional(email()), 'Where statements go; null: nowhere.', 'buchhaltung@mueller.example'),
};

export const EndkundeEingabe = component('EndkundeEingabe', 'A new end customer.', {
  referenz: field(text({ min: 1, max: 120 }), 'The reference that calls name them by.', 'kunde-4711'),
  ...eingabe,
  aufschlag_prozent: preset(field(decimalInput(AUFSCHLAG), 'Markup in percent on the cost.', '15'), '0'),
});

export const EndkundeAenderung = component(
  'EndkundeAenderung',
  'What to change; a field left out stays, null clears (a markup: to 0).',
  {
    ...eingabe,
    aufschlag_prozent: field(optional(decimalInput(AUFSCHLAG)), 'Markup in percent on the cost.', '15'),
  },
);

/** What an end customer is known by. */
const stammdaten = {
  endkunde_id: field(uuid(), 'Names the end customer in addresses.'),
  referenz: field(text(), 'The reference that calls name them by; never changes.', 'kunde-4711'),
  name: field(nullable(text()), 'Name to show; null: the reference.', 'Müller & Söhne GmbH'),
  kostenstelle: field(nullable(text()), 'Cost centre in bookkeeping.', '4711'),
  debitorenkonto: field(nullable(text()), 'Their own account in bookkeeping.', '10001'),
  email: field(nullable(text()), 'Where statements go.', 'buchhaltung@mueller.example'),
  aufschlag_prozent: field(decimal(), 'Markup in percent on the cost.', '15'),
  entfernt: field(
    boolean(),
    'Whether they were deleted: nothing is known of them any more but the reference, which calls still name.',
  ),
  zusammengefuehrt: field(
    listOf(
      component('ZusammengefuehrteReferenz', 'A reference that was merged into an end customer.', {
        endkunde_id: field(uuid(), 'Names it in addresses.'),
        referenz: field(text(), 'The reference calls name.', 'kunde-4117'),
      }),
      MAX_MERGED,
    ),
    'References that count for this end customer, too.',
  ),
  erstellt_am: field(datetime(), 'When counting first met the reference, or somebody put it in.'),
};

export const Endkunde = component('Endkunde', 'An end customer.', stammdaten);

/** What is charged, of an end customer or of all together. Amounts of a month: exact in EUR, but for what is charged. */
export const betraege = {
  aufrufe: field(count(), 'Calls.', 1200),
  unbepreist: field(count(), 'Calls without a known price; their cost is in no amount.', 0),
  teilbepreist: field(count(), 'Calls of which only a part has a known price.', 0),
  kosten_eur: field(nullable(decimal()), 'Cost; null where no call has a known price.', '103.4417'),
  verbranntes_geld_eur: field(decimal(), 'The part of it that was burnt.', '3.2'),
  abrechenbar_eur: field(
    nullable(decimal()),
    'What the markup is put on: the cost, without what was burnt where the settings keep that off the bill.',
    '100.2417',
  ),
  aufschlag_eur: field(nullable(decimal()), 'The markup on it, exact.', '15.036255'),
  betrag_eur: field(
    nullable(decimal()),
    'What is charged for the calls of the month: with the markup, half-up to the cent. Of several end customers: the sum of what each is charged.',
    '115.28',
  ),
  korrekturen_eur: field(
    decimal(),
    'What is charged besides for changes in months that were closed before; negative where it became less.',
    '-0.35',
  ),
};

const Zeile = component('EndkundeImMonat', 'An end customer, and what they are charged for a month.', {
  ...stammdaten,
  ...betraege,
  vormonat_kosten_eur: field(
    nullable(decimal()),
    'Cost of the month before; where the month still runs, of as much of it. Null: unknown.',
    '98.2',
  ),
  trend_prozent: field(
    nullable(decimal()),
    'How much more the cost is than then, in percent to one place; null where there was none.',
    '5.3',
  ),
});

export const MonatStatus = oneOf('laeuft', 'offen', 'geschlossen');

export const endkunden = operation({
  id: 'weiterbelastung.endkunden',
  method: 'GET',
  path: '/v1/cockpit/endkunden',
  summary: 'Die Endkunden mit Kosten, Aufschlag und Betrag eines Monats.',
  description:
    'The end customers and what each is charged for a month, the highest charge first, page by page: all that are known, and those deleted that have calls in the month. A closed month shows what was billed, by names and markups as they were.',
  access: WEITERBELASTEN,
  query: Type.Object({
    ...monatQuery,
    suche: Type.Optional(
      field(text({ max: 120 }), 'Part of a name or reference, in whatever case.', 'müller'),
    ),
    ...pageQuery(),
  }),
  response: component('Endkunden', 'End customers in a month.', {
    monat: field(text(), 'The local month.', '2026-10'),
    status: field(
      MonatStatus,
      '`laeuft`: the month is not over; `offen`: over, figures may change; `geschlossen`: billed.',
    ),
    zeilen: field(rowsOf(Zeile), 'The end customers.'),
    summe: field(
      component('EndkundenSumme', 'All end customers together, whatever was searched for.', {
        endkunden: field(count(), 'How many have calls or corrections in the month.', 12),
        ...betraege,
      }),
      'All together.',
    ),
    ohne_endkunde: field(
      component('OhneEndkunde', 'Calls that name no end customer; they are charged to nobody.', {
        aufrufe: field(count(), 'Calls.', 30),
        kosten_eur: field(nullable(decimal()), 'Their cost; null where none has a known price.', '1.2'),
      }),
      'Calls without an end customer.',
    ),
    weiter,
    gezaehlt_bis: field(
      datetime(),
      'Everything received up to then is in the figures of a month that is open.',
    ),
  }),
});

export const endkundeAnlegen = operation({
  id: 'weiterbelastung.endkunde_anlegen',
  method: 'POST',
  path: '/v1/cockpit/endkunden',
  status: 201,
  summary: 'Legt einen Endkunden an.',
  description:
    'Puts in an end customer. Calls that name a new reference do so by themselves. One that was deleted comes back by it.',
  access: WEITERBELASTEN,
  refuses: { 409: ['endkunde_vorhanden'] },
  body: EndkundeEingabe,
  response: Endkunde,
});

const ID = Type.Object({ endkunde_id: field(uuid(), 'The end customer.') });

export const endkundeAendern = operation({
  id: 'weiterbelastung.endkunde_aendern',
  method: 'PUT',
  path: '/v1/cockpit/endkunden/{endkunde_id}',
  summary: 'Ändert Name, Kostenstelle, Aufschlag und Adresse eines Endkunden.',
  description: 'Changes an end customer. Open months are charged by it, closed ones stay as they are.',
  access: WEITERBELASTEN,
  params: ID,
  body: EndkundeAenderung,
  response: Endkunde,
});

export const endkundeEntfernen = operation({
  id: 'weiterbelastung.endkunde_entfernen',
  method: 'DELETE',
  path: '/v1/cockpit/endkunden/{endkunde_id}',
  summary: 'Entfernt einen Endkunden; was abgerechnet ist, bleibt.',
  description:
    'Deletes what is known of an end customer: name, cost centre, account, address, markup. What was billed stays; calls that name the reference are still counted and charged without a markup. References that were merged into it stand for themselves again.',
  access: WEITERBELASTEN,
  params: ID,
  response: Endkunde,
});

export const endkundeZusammenfuehren = operation({
  id: 'weiterbelastung.endkunde_zusammenfuehren',
  method: 'POST',
  path: '/v1/cockpit/endkunden/{endkunde_id}/zusammenfuehren',
  summary: 'Führt eine Referenz mit einem anderen Endkunden zusammen, zum Beispiel eine vertippte.',
  description:
    'The reference counts for another end customer from now on, its history included: all open months are charged there. Closed months stay with whom they were billed to; later changes in them go to the other one. With `ziel_id` null the reference stands for itself again. Consumption goes on naming references as calls do.',
  access: WEITERBELASTEN,
  refuses: { 409: ['endkunde_verkettet'] },
  params: ID,
  body: component('Zusammenfuehrung', 'Whom a reference is to count for.', {
    ziel_id: field(nullable(uuid()), 'The other end customer; null: itself again.'),
  }),
  response: Endkunde,
});
