/** Runs (Läufe) and their steps. */
import { countedSchemas } from '../event-schemas.ts';
import {
  boolean,
  count,
  datetime,
  decimal,
  integer,
  nullable,
  operation,
  Type,
  text,
  uuid,
} from '../kit/index.ts';

export const limitQuery = integer({ min: 1, max: 1000, default: 50 });

/** A run: the calls that share one `lauf_id`, summed up. Times are UTC, money in EUR and USD. */
export const Lauf = Type.Object({
  lauf_id: uuid(),
  agent: text(),
  projekt: text(),
  endkunde_ref: nullable(text()),
  /** Status of the run's latest call. */
  status: text(),
  beginn: datetime(),
  ende: datetime(),
  dauer_ms: count(),
  aufrufe: count(),
  fehler: count(),
  eingabe_token: count(),
  ausgabe_token: count(),
  cache_lese_token: count(),
  /** Null when no call of the run has a known price. */
  kosten_eur: nullable(decimal()),
  kosten_usd: nullable(decimal()),
  unbepreist: count(),
  verbranntes_geld_eur: decimal(),
});

/** An event as it was sent, with what counting added to it (`event-fields.ts`). */
export const Ereignis = Type.Object(countedSchemas);

const LaufMitEreignissen = Type.Object({
  lauf: Lauf,
  ereignisse: Type.Array(Ereignis),
  /** True when the run has more events than the answer carries (the first 5,000). */
  gekuerzt: boolean(),
});

export const laeufeListe = operation({
  id: 'laeufe.liste',
  method: 'GET',
  path: '/v1/laeufe',
  summary: 'Die letzten Läufe.',
  access: { kind: 'key', scope: 'Lesen' },
  query: Type.Object({ limit: Type.Optional(limitQuery) }),
  response: Type.Object({ laeufe: Type.Array(Lauf) }),
});

export const lauf = operation({
  id: 'laeufe.einer',
  method: 'GET',
  path: '/v1/laeufe/{lauf_id}',
  summary: 'Ein Lauf mit seinen Ereignissen.',
  access: { kind: 'key', scope: 'Lesen' },
  params: Type.Object({ lauf_id: uuid() }),
  response: LaufMitEreignissen,
});

export const cockpitLaeufe = operation({
  id: 'laeufe.cockpit_liste',
  method: 'GET',
  path: '/v1/cockpit/laeufe',
  summary: 'Die letzten Läufe, nach Agent, Status und Fehlern gefiltert.',
  access: { kind: 'session', right: 'verbrauch.lesen' },
  query: Type.Object({
    agent_id: Type.Optional(uuid()),
    status: Type.Optional(text({ max: 60 })),
    nur_fehler: Type.Optional(boolean({ default: false })),
    limit: Type.Optional(limitQuery),
  }),
  response: Type.Object({ laeufe: Type.Array(Lauf) }),
});

export const cockpitLauf = operation({
  id: 'laeufe.cockpit_einer',
  method: 'GET',
  path: '/v1/cockpit/laeufe/{lauf_id}',
  summary: 'Ein Lauf mit seinen Schritten.',
  access: { kind: 'session', right: 'verbrauch.lesen' },
  params: Type.Object({ lauf_id: uuid() }),
  response: LaufMitEreignissen,
});
