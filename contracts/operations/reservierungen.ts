/** Reservations: money that a client sets aside before a call, so that a hard limit is never crossed. */
import { SENT_FIELDS } from '../event-fields.ts';
import {
  boolean,
  component,
  count,
  datetime,
  decimal,
  decimalInput,
  field,
  integer,
  listOf,
  nullable,
  oneOf,
  operation,
  optional,
  preset,
  Type,
  text,
  uuid,
} from '../kit/index.ts';

/** Calls that one request may reserve for. */
export const MAX_CALLS = 100;
/** Parts that one request may give back. */
export const MAX_GIVEN_BACK = 1_000;
/** More scopes than these stand as one that takes in all calls. */
export const MAX_SCOPES = 1_000;

/** What hard limits may be about: any dimension of a call, or all calls. */
export const GRENZBEREICHE = [
  'mandant',
  'projekt',
  'agent',
  'endkunde',
  'funktion',
  'modell',
  'benutzer',
  'schluessel',
] as const;

const named = (name: 'agent' | 'anbieter' | 'modell' | 'endkunde_ref' | 'funktion_ref' | 'benutzer_ref') =>
  text({ max: SENT_FIELDS[name].max });

export const HarteGrenze = component('HarteGrenze', 'Calls that a hard limit holds for.', {
  objekt_art: field(oneOf(...GRENZBEREICHE), 'What the calls have in common; `mandant`: all calls.', 'agent'),
  objekt: field(
    text(),
    'Key of the agent or project, reference, name of the model; empty for all calls.',
    'support/triage',
  ),
  je_agent: Type.Optional(field(boolean(), 'Whether it is a limit of each agent by itself.', false)),
  je_lauf: field(boolean(), 'Whether it is a limit of each single run.', false),
});

const ReservierungsWunsch = component(
  'ReservierungsWunsch',
  'A call that is about to be made, in the words of the event that will tell of it.',
  {
    agent: field(optional(named('agent')), 'Key of the agent.', 'support/triage'),
    projekt: field(optional(text({ max: 100 })), 'The project, where the call names it.'),
    endkunde_ref: field(optional(named('endkunde_ref')), 'Reference of the end customer.'),
    funktion_ref: field(optional(named('funktion_ref')), 'Reference of the function.'),
    benutzer_ref: field(optional(named('benutzer_ref')), 'Reference of the user.'),
    lauf_id: field(optional(uuid()), 'The run.'),
    anbieter: field(optional(named('anbieter')), 'The provider.', 'openai'),
    modell: field(optional(named('modell')), 'The model.', 'gpt-4o-mini'),
    preisstufe: field(optional(text({ max: 40 })), 'Tier of the price that is asked for.'),
    region: field(
      optional(text({ max: 40 })),
      'Where the inference is bound to, when that has a price of its own.',
    ),
    eingabe_token: field(
      optional(count()),
      'No more input tokens than these; null: as many as the model takes.',
      1200,
    ),
    ausgabe_token: field(
      optional(count()),
      'No more output tokens than these; null: as many as the model writes.',
      500,
    ),
    cache_schreiben: preset(field(boolean(), 'Whether input may be written to the cache.'), false),
    begrenzt: preset(
      field(
        boolean(),
        'Whether tokens are all that the call may cost; not with tools that the provider bills apart, and with sound.',
      ),
      true,
    ),
    vorrat: preset(
      field(integer({ min: 1, max: 1000 }), 'For this many calls like this one, as far as there is room.'),
      1,
    ),
  },
);

const Rueckgabe = component('Rueckgabe', 'Money that is not needed any more.', {
  reservierung_id: field(uuid(), 'The block it was part of.'),
  betrag_eur: field(decimalInput({ min: '0', max: '1000000000' }), 'How much, in EUR.', '0.25'),
});

const Hoechstsaetze = component(
  'Hoechstsaetze',
  'What further calls with the same model cost at most, so that their part of a block is known.',
  {
    eingabe_eur: field(decimal(), 'Each input token, in EUR.', '0.00000015'),
    ausgabe_eur: field(decimal(), 'Each output token, in EUR.', '0.0000006'),
    aufruf_eur: field(decimal(), 'Each call besides, in EUR.', '0'),
    bis_eingabe_token: field(
      nullable(count()),
      'They hold for calls with no more input tokens than these; null: for all.',
    ),
    hoechste_eingabe_token: field(nullable(count()), 'As many as the model takes; null: not known.'),
    hoechste_ausgabe_token: field(nullable(count()), 'As many as the model writes; null: not known.'),
  },
);

const ErreichteGrenze = component('ErreichteGrenze', 'The limit that has no room for the call.', {
  art: field(oneOf('regel', 'budget'), 'What it is.', 'regel'),
  regel_id: field(nullable(uuid()), 'The rule behind it; null where a budget stops by itself.'),
  name: field(text(), 'What it is called.', 'Tageslimit'),
  objekt_art: field(oneOf('lauf', ...GRENZBEREICHE), 'What it is about.', 'agent'),
  objekt: field(text(), 'Id, key, reference or name; empty for all calls.', 'support/triage'),
  grenze_eur: field(decimal(), 'The limit, in EUR.', '20'),
  verbraucht_eur: field(decimal(), 'What was counted of it, in EUR.', '19.98'),
  reserviert_eur: field(decimal(), 'What is reserved for other calls, in EUR.', '0.01'),
  bis: field(nullable(datetime()), 'When it begins anew; null where no time does that by itself.'),
});

const Reservierung = component('Reservierung', 'What became of a wish.', {
  gewaehrt: field(boolean(), 'Whether the call may be made.', true),
  reservierung_id: field(
    nullable(uuid()),
    'Names the block; events of its calls carry it (`zusatz.reservierung`) and their part of it (`zusatz.reserviert_eur`). Null where nothing is reserved.',
  ),
  betrag_eur: field(nullable(decimal()), 'How much is reserved, in EUR; null where nothing is.', '0.004'),
  hoechstkosten_eur: field(
    nullable(decimal()),
    'What one such call costs at most, in EUR; null where nothing bounds it: then it is granted while there is any room.',
    '0.0005',
  ),
  saetze: field(nullable(Hoechstsaetze), 'Rates of the model; null where they are not known.'),
  verfaellt_am: field(nullable(datetime()), 'When it lapses; null where nothing is reserved.'),
  grenze: field(nullable(ErreichteGrenze), 'What was in the way; null where the call is granted.'),
});

export const reservierungenAnlegen = operation({
  id: 'reservierungen.anlegen',
  method: 'POST',
  path: '/v1/reservierungen',
  summary:
    'Reserviert Geld für Aufrufe, die gleich gemacht werden, damit keine harte Grenze überschritten wird.',
  description:
    'Reserves money for calls that are about to be made: what is spent, what is reserved and the highest that the call can cost must fit into every hard limit that holds for it (rules and budgets that stop, not in shadow mode). Takes back first what is not needed any more. A call that no hard limit holds for is granted with nothing reserved. What is not booked by an event lapses.',
  access: { kind: 'key', scope: 'Senden' },
  refuses: { 429: ['reservierungen_zu_viele'] },
  body: component('Reservierungsanfrage', 'Calls to reserve for, and what comes back.', {
    aufrufe: preset(
      field(
        Type.Array(ReservierungsWunsch, { maxItems: MAX_CALLS }),
        'The calls, those first that matter most.',
      ),
      [],
    ),
    zurueck: preset(
      field(
        Type.Array(Rueckgabe, { maxItems: MAX_GIVEN_BACK }),
        'What is given back; of what has lapsed nothing happens.',
      ),
      [],
    ),
    dauer_s: preset(
      field(integer({ min: 1, max: 3600 }), 'Seconds after which what was not booked lapses.'),
      900,
    ),
  }),
  response: component('Reservierungen', 'What became of the wishes.', {
    reservierungen: field(listOf(Reservierung, MAX_CALLS), 'One for each call, in their order.'),
  }),
});
