/** Consumption: the question the service is for, asked by key and by session. */
import {
  boolean,
  count,
  date,
  datetime,
  dayOrInstant,
  decimal,
  nullable,
  oneOf,
  operation,
  Type,
  text,
  uuid,
} from '../kit/index.ts';
import { Agent } from './katalog.ts';
import { Lauf } from './laeufe.ts';

export const Gruppe = oneOf('agent', 'endkunde', 'modell', 'tag', 'stunde');

/** Figures of a set of calls. Sums of known prices; null when not one call of the set has a known price. */
const figures = {
  kosten_eur: nullable(decimal()),
  kosten_usd: nullable(decimal()),
  aufrufe: count(),
  eingabe_token: count(),
  ausgabe_token: count(),
  cache_lese_token: count(),
  cache_schreib_token: count(),
  denk_token: count(),
  fehler: count(),
  /** Calls whose model has no known price; their cost is in no sum. */
  unbepreist: count(),
  /** Calls whose token counts are estimates. */
  geschaetzt: count(),
  verbranntes_geld_eur: decimal(),
};

export const VerbrauchZeile = Type.Object({ schluessel: text(), ...figures });

export const Summe = Type.Object({
  ...figures,
  /** The part of `kosten_eur` that rests on measured token counts … */
  gemessen_eur: nullable(decimal()),
  /** … and the part that rests on estimated ones. Together they are `kosten_eur`. */
  geschaetzt_eur: nullable(decimal()),
});

export const Verbrauch = Type.Object({
  /** Local midnight or hour at which the window begins, ISO 8601 with offset; widened to whole hours. */
  von: datetime(),
  /** Exclusive end of the window. */
  bis: datetime(),
  gruppe: Gruppe,
  zeilen: Type.Array(VerbrauchZeile),
  summe: Summe,
  /** Everything received up to this instant is counted. */
  gezaehlt_bis: datetime(),
});

const verbrauchQuery = Type.Object({
  gruppe: Type.Optional(Type.Enum(['agent', 'endkunde', 'modell', 'tag', 'stunde'], { default: 'agent' })),
  von: Type.Optional(dayOrInstant()),
  bis: Type.Optional(dayOrInstant()),
});

export const apiVerbrauch = operation({
  id: 'verbrauch.api',
  method: 'GET',
  path: '/v1/api/verbrauch',
  summary: 'Verbrauch nach Agent, Endkunde, Modell, Tag oder Stunde; ohne Angabe die letzten 30 Tage.',
  access: { kind: 'key', scope: 'Lesen' },
  query: verbrauchQuery,
  response: Verbrauch,
});

export const cockpitVerbrauch = operation({
  id: 'verbrauch.cockpit',
  method: 'GET',
  path: '/v1/cockpit/verbrauch',
  summary: 'Wie /v1/api/verbrauch, für die angemeldete Sitzung.',
  access: { kind: 'session', right: 'verbrauch.lesen' },
  query: verbrauchQuery,
  response: Verbrauch,
});

export const uebersichtTag = operation({
  id: 'verbrauch.uebersicht_tag',
  method: 'GET',
  path: '/v1/uebersicht/tag',
  summary: 'Verbrauch eines Tages je Projekt und Endkunde; ohne Angabe heute.',
  access: { kind: 'key', scope: 'Lesen' },
  query: Type.Object({ datum: Type.Optional(date()) }),
  response: Type.Object({
    datum: date(),
    zeitzone: text(),
    zeilen: Type.Array(Type.Object({ projekt: text(), endkunde: nullable(text()), ...figures })),
    summe: Summe,
    gezaehlt_bis: datetime(),
  }),
});

/**
 * A period of the cockpit: a word (`heute`, `gestern`, `7tage`, `30tage`, `90tage`, `woche`, `monat`,
 * `vormonat`, `jahr`) or two days `YYYY-MM-DD..YYYY-MM-DD`, both included, in the Mandant's time zone.
 */
export const zeitraumQuery = (preset: string) => Type.String({ default: preset, maxLength: 22 });

export const ZeitraumAntwort = Type.Object({
  zeitraum: text(),
  von: datetime(),
  bis: datetime(),
  zeitzone: text(),
  /** Whether `verlauf` goes by hour or by day. */
  aufloesung: oneOf('stunde', 'tag'),
});

export const Kurs = Type.Object({
  /** EUR for one USD. */
  usd_eur: decimal(),
  tag: nullable(date()),
  /** `ezb`: reference rate of the European Central Bank; `ersatz`: the configured substitute. */
  quelle: oneOf('ezb', 'ersatz'),
});

export const cockpitUebersicht = operation({
  id: 'verbrauch.uebersicht',
  method: 'GET',
  path: '/v1/cockpit/uebersicht',
  summary:
    'Kosten, Aufrufe, Token, Fehler und verbranntes Geld eines Zeitraums mit Verlauf und Spitzenreitern.',
  access: { kind: 'session', right: 'verbrauch.lesen' },
  query: Type.Object({ zeitraum: Type.Optional(zeitraumQuery('heute')) }),
  response: Type.Object({
    ...ZeitraumAntwort.properties,
    summe: Summe,
    /** The same figures of the period of equal length just before, up to the same moment of it. */
    vorher: Summe,
    verlauf: Type.Array(VerbrauchZeile),
    agenten: Type.Array(VerbrauchZeile),
    endkunden: Type.Array(VerbrauchZeile),
    modelle: Type.Array(VerbrauchZeile),
    kurs: Kurs,
    /** First and last instant for which there are events at all; null when there never were any. */
    daten_von: nullable(datetime()),
    daten_bis: nullable(datetime()),
    gezaehlt_bis: datetime(),
    /** True as long as the demo Mandant's generated traffic is shown. */
    demo: boolean(),
  }),
});

const AgentMitVerbrauch = Type.Object({
  ...Agent.properties,
  verbrauch: Summe,
  letzter_aufruf_am: nullable(datetime()),
});

export const cockpitAgenten = operation({
  id: 'verbrauch.agenten',
  method: 'GET',
  path: '/v1/cockpit/agenten',
  summary: 'Die Agenten mit ihrem Verbrauch im Zeitraum.',
  access: { kind: 'session', right: 'verbrauch.lesen' },
  query: Type.Object({ zeitraum: Type.Optional(zeitraumQuery('30tage')) }),
  response: Type.Object({
    ...ZeitraumAntwort.properties,
    agenten: Type.Array(AgentMitVerbrauch),
    gezaehlt_bis: datetime(),
  }),
});

export const cockpitAgent = operation({
  id: 'verbrauch.agent',
  method: 'GET',
  path: '/v1/cockpit/agenten/{agent_id}',
  summary: 'Ein Agent mit Verlauf, Modellen, Endkunden und letzten Läufen.',
  access: { kind: 'session', right: 'verbrauch.lesen' },
  params: Type.Object({ agent_id: uuid() }),
  query: Type.Object({ zeitraum: Type.Optional(zeitraumQuery('30tage')) }),
  response: Type.Object({
    ...ZeitraumAntwort.properties,
    agent: AgentMitVerbrauch,
    verlauf: Type.Array(VerbrauchZeile),
    modelle: Type.Array(VerbrauchZeile),
    endkunden: Type.Array(VerbrauchZeile),
    laeufe: Type.Array(Lauf),
    gezaehlt_bis: datetime(),
  }),
});
