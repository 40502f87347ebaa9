/** What end customers are known by and charged, what their statements hold, settings of accounting. */
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
  integer,
  listOf,
  nullable,
  oneOf,
  optional,
  preset,
  sum,
  Type,
  text,
  uuid,
} from './kit/index.ts';

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
/** References that may count for one end customer besides its own. */
export const MAX_MERGED = 100;

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

export const EndkundeImMonat = component(
  'EndkundeImMonat',
  'An end customer, and what they are charged for a month.',
  {
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
    buchung: field(
      nullable(
        component('Buchungsname', 'How bookkeeping knows an end customer of a closed month.', {
          name: field(nullable(text()), 'Name; null: the reference.', 'Smile GmbH'),
          kostenstelle: field(nullable(text()), 'Cost centre.', '4711'),
          debitorenkonto: field(nullable(text()), 'Account; null: the collective one.', '10001'),
        }),
      ),
      'How the files for bookkeeping know them in a closed month, corrections included; null while it is open, and of whom nothing was charged.',
    ),
  },
);

export const MonatStatus = oneOf('laeuft', 'offen', 'geschlossen');

export const ENDKUNDE_ID = Type.Object({ endkunde_id: field(uuid(), 'The end customer.') });
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
  bezeichnung: field(optional(text({ max: 22 })), 'Name of the batch; null: one with the month.'),
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

const Buchungshinweis = component(
  'Buchungshinweis',
  'What is wrong with a setting, or fits together badly with others.',
  {
    schwere: field(
      oneOf('fehler', 'hinweis'),
      'Whether a booking batch is refused for it; a hint keeps nobody from booking.',
    ),
    feld: field(text(), 'The setting it is about.', 'steuersatz_prozent'),
    code: field(text(), 'What it is, as a stable name.', 'steuersatz_passt_nicht'),
    de: field(text(), 'In words, German.'),
    en: field(text(), 'In words, English.'),
  },
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
  hinweise: field(
    listOf(Buchungshinweis, 20),
    'What keeps a booking batch from being made, then what somebody should think about before booking.',
  ),
});

export const ENDKUNDE_REF = Type.Object({
  endkunde_ref: field(
    text({ min: 1, max: 120 }),
    'The reference, percent-encoded; of merged ones any. Or the `endkunde_id`: `.` and `..` are no part of an address.',
    'kunde-4711',
  ),
});

const zeile = {
  art: field(
    oneOf('verbrauch', 'korrektur'),
    '`verbrauch`: calls of the month; `korrektur`: what changed since in a month closed before.',
  ),
  monat: field(text(), 'The local month the calls are of.', '2026-10'),
  referenz: field(
    text(),
    'Reference of the end customer; of a correction the reference whose calls it is about.',
    'kunde-4711',
  ),
  zahler: field(
    text(),
    'Reference of who is charged: the same, but for corrections of what was merged since.',
    'kunde-4711',
  ),
  belegnummer: field(text(), 'The number of the line in bookkeeping.', '202610-kunde-4711'),
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
};

export const Abrechnungszeile = component(
  'Abrechnungszeile',
  'A line of a statement. Amounts in EUR.',
  zeile,
);

export const Aufschlag = component('Aufschlag', 'A markup.', {
  prozent: field(decimal(), 'In percent.', '15'),
  betrag_eur: field(decimal(), 'What it comes to in the amount, two decimals.', '15.04'),
});

export const Abrechnungskorrektur = component(
  'Abrechnungskorrektur',
  'What changed in a month that was closed before, by the grouping, the markup, the tax and the rules of that month.',
  {
    ...zeile,
    gruende: field(
      listOf(oneOf('nachgekommen', 'zurueckgenommen', 'neu_bepreist'), 3),
      'Why, as far as counts tell: calls came late; calls were taken back; prices changed, or became known.',
      ['nachgekommen'],
    ),
    aufschlag: field(nullable(Aufschlag), 'The markup, where the settings told the end customer of it then.'),
  },
);

const TOKENS =
  'All tokens, counted alike for every provider: input without the cache, read from and written to it, output; whole. Null where a former release counted some of the calls, or closed the month.';

export const Abrechnungsposten = component('Abrechnungsposten', 'A part of what is charged.', {
  schluessel: field(text(), 'Key of the agent, name of the model; empty for calls without one.'),
  name: field(text(), 'Name to show.', 'Triage'),
  aufrufe: field(count(), 'Calls.', 400),
  token: field(nullable(decimal()), TOKENS, '120000'),
  betrag_eur: field(
    nullable(decimal()),
    'Its part of what is charged, two decimals; the parts add up to the whole.',
    '12.4',
  ),
});

/** Agents or models on a statement; the others are in the rest. */
export const MAX_POSTEN = 1_000;

export const Abrechnungsrest = component(
  'Abrechnungsrest',
  'Agents or models that have no row of their own.',
  {
    gruppen: field(count(), 'How many.', 17_000),
    aufrufe: field(count(), 'Calls.', 400),
    token: field(nullable(decimal()), TOKENS, '120000'),
    betrag_eur: field(nullable(decimal()), 'Their part of what is charged, two decimals.', '12.4'),
  },
);

const abrechnungsmonat = {
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
};

export const Abrechnungsmonat = component(
  'Abrechnungsmonat',
  'A month, and what all end customers are charged for it.',
  abrechnungsmonat,
);

/** Lines named at once; their number stands beside them. */
export const MAX_HINDERNISSE = 1_000;

const Buchungshindernis = component(
  'Buchungshindernis',
  'Why a line, or the batch as a whole, cannot be booked.',
  {
    referenz: field(
      nullable(text()),
      'Reference of the end customer who is charged; null: a setting of accounting is at fault.',
      'kunde-4711',
    ),
    feld: field(text(), 'The field at fault.', 'kostenstelle'),
    code: field(text(), 'What it is, as a stable name.', 'zeichen'),
    zeichen: field(nullable(text()), 'The character at fault, where it is one.', '😀'),
    de: field(text(), 'In words, German.'),
    en: field(text(), 'In words, English.'),
  },
);

export const Monatsabschlussergebnis = component(
  'Monatsabschlussergebnis',
  'The month as it was closed, or with `probe` as it would be.',
  {
    ...abrechnungsmonat,
    pruefung: field(
      nullable(
        component('Abschlusspruefung', 'What stands in the way of closing, or is worth knowing before it.', {
          gebucht: field(
            boolean(),
            'Whether the settings are those of a booking batch: then nothing is closed that could not be booked.',
          ),
          hindernisse: field(listOf(Buchungshindernis, MAX_HINDERNISSE), 'What cannot be booked, and why.'),
          hindernisse_gesamt: field(count(), 'How many of them there are in all.', 0),
          ersatz_anteil: field(
            nullable(decimal()),
            'Share of the cost that rests on the substitute rate, from 0 to 1; null where nothing is known to have cost anything.',
            '0.25',
          ),
          offene_monate_davor: field(
            count(),
            'Months with calls before it that are open, and never closed once it is.',
            0,
          ),
          ohne_namen: field(
            count(),
            'End customers who are charged and have no name but their reference.',
            2,
          ),
          ohne_endkunde: field(count(), 'Calls that name no end customer; they are charged to nobody.', 30),
        }),
      ),
      'Only with `probe`.',
    ),
  },
);
