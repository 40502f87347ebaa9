/** Pricing past calls anew: first what would change, then the change itself. */
import {
  component,
  count,
  date,
  datetime,
  decimal,
  field,
  integer,
  nullable,
  oneOf,
  operation,
  optional,
  pageQuery,
  rowsOf,
  Type,
  text,
  uuid,
  weiter,
} from '../kit/index.ts';

const DIFFERENCE = 'positive where calls become dearer';

const figures = {
  geaendert: field(count(), 'Calls whose price changes, or whether it is known.', 1200),
  alt_usd: field(decimal(), 'What these calls cost so far, in USD; exact.', '12.5'),
  neu_usd: field(decimal(), 'What they cost anew, in USD; exact.', '10'),
  differenz_eur: field(
    decimal(),
    `The difference in EUR, at the rate of each call; exact, ${DIFFERENCE}.`,
    '-2.15',
  ),
  unbepreist: field(
    integer(),
    'How many calls more than so far have no known price; negative where prices become known.',
    -30,
  ),
};

export const Neubepreisung = component('Neubepreisung', 'Pricing past calls anew, and how far it has come.', {
  neubepreisung_id: field(uuid(), 'Names it.'),
  status: field(
    oneOf('vorschau', 'bereit', 'laeuft', 'fertig', 'abgebrochen', 'fehlgeschlagen'),
    '`vorschau`: what would change is being worked out; `bereit`: it stands, nothing has changed; `laeuft`: calls are changing; `fertig`: all have; `abgebrochen`: ended before that, what had changed by then stays; `fehlgeschlagen`: a fault of the service.',
  ),
  grund: field(
    nullable(oneOf('preise_geaendert', 'von_hand')),
    'Why it was ended: the prices changed meanwhile, or somebody ended it; null otherwise.',
  ),
  von: field(date(), 'First local day of the calls.', '2026-11-01'),
  bis: field(date(), 'First local day that is not priced anew any more.', '2026-12-01'),
  fassung: field(integer({ min: 0 }), 'Edition of the price book that calls are priced by.', 3),
  liste: field(
    nullable(text()),
    'Price list that calls are priced by; null until the first were looked at.',
    'genai-prices 0.1.8',
  ),
  ereignisse: field(count(), 'Calls of these days, as far as they were counted when it began.', 1_000_000),
  gelesen: field(count(), 'How many of them have been looked at.', 400_000),
  ...figures,
  angelegt_am: field(datetime(), 'When it was asked for.'),
  angelegt_von: field(nullable(text()), 'Who asked for it.', 'anna@muster.example'),
  angewendet_am: field(nullable(datetime()), 'When the change was begun; null while it was not.'),
  angewendet_von: field(nullable(text()), 'Who began the change.', 'anna@muster.example'),
  beendet_am: field(nullable(datetime()), 'When it ended; null while it has not.'),
});

const ID = Type.Object({ neubepreisung_id: field(uuid(), 'Names it.') });
const LESEN = { kind: 'session', right: 'konto.lesen' } as const;
const AENDERN = { kind: 'session', right: 'preise.aendern' } as const;
const PATH = '/v1/cockpit/preise/neubepreisungen';

export const neubepreisungAnlegen = operation({
  id: 'neubepreisung.anlegen',
  method: 'POST',
  path: PATH,
  status: 201,
  summary: 'Rechnet aus, was sich ändert, wenn vergangene Aufrufe neu bepreist werden.',
  description:
    'Works out what the calls of some days would cost by the price book and the price list in force, by agent and month. Nothing changes by that. What was worked out before and not applied goes.',
  access: AENDERN,
  refuses: { 409: ['neubepreisung_laeuft'] },
  body: component('NeubepreisungEingabe', 'Which calls are to be priced anew.', {
    von: field(date(), 'First local day.', '2026-11-01'),
    bis: field(
      optional(date()),
      'First local day that is not meant any more; left out: tomorrow.',
      '2026-12-01',
    ),
  }),
  response: Neubepreisung,
});

export const neubepreisungen = operation({
  id: 'neubepreisung.liste',
  method: 'GET',
  path: PATH,
  summary: 'Die Neubepreisungen, die neueste zuerst.',
  description:
    'What was priced anew, and what is to be, the latest first, page by page. Kept as long as the account.',
  access: LESEN,
  query: Type.Object(pageQuery()),
  response: component('Neubepreisungen', 'What was priced anew.', {
    neubepreisungen: field(rowsOf(Neubepreisung), 'The latest first.'),
    weiter,
  }),
});

export const neubepreisung = operation({
  id: 'neubepreisung.eine',
  method: 'GET',
  path: `${PATH}/{neubepreisung_id}`,
  summary: 'Eine Neubepreisung: was sich je Monat und Agent ändert.',
  description:
    'How far it has come, and what changes by month and agent, in that order, page by page: before it is applied what would, then what did.',
  access: LESEN,
  params: ID,
  query: Type.Object(pageQuery()),
  response: component('NeubepreisungEinzeln', 'Pricing past calls anew, line by line.', {
    ...Neubepreisung.properties,
    zeilen: field(
      rowsOf(
        component('Neubepreisungszeile', 'What changes for an agent in a month.', {
          monat: field(text(), 'The local month.', '2026-11'),
          agent: field(text(), 'Key of the agent.', 'support/triage'),
          ...figures,
        }),
      ),
      'What changes.',
    ),
    weiter,
  }),
});

export const neubepreisungAnwenden = operation({
  id: 'neubepreisung.anwenden',
  method: 'POST',
  path: `${PATH}/{neubepreisung_id}/anwenden`,
  summary: 'Bepreist die Aufrufe so neu, wie die Vorschau es gezeigt hat.',
  description:
    'Changes cost of calls, sums and runs, some thousand calls at a time; calls go on being counted meanwhile. It ends by itself when the price book changes.',
  access: AENDERN,
  refuses: { 409: ['neubepreisung_nicht_bereit', 'preise_geaendert'] },
  params: ID,
  response: Neubepreisung,
});

export const neubepreisungAbbrechen = operation({
  id: 'neubepreisung.abbrechen',
  method: 'POST',
  path: `${PATH}/{neubepreisung_id}/abbrechen`,
  summary: 'Beendet eine Neubepreisung.',
  description:
    'Ends what is being worked out or changed. What has changed by then stays, and can be priced anew again.',
  access: AENDERN,
  refuses: { 409: ['neubepreisung_nicht_bereit'] },
  params: ID,
  response: Neubepreisung,
});
