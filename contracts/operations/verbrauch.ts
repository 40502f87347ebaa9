/** Consumption: the question the service is for, asked by key and by session. */
import {
  boolean,
  count,
  date,
  datetime,
  dayOrInstant,
  decimal,
  integer,
  nullable,
  oneOf,
  operation,
  Type,
  text,
} from '../kit/index.ts';
import {
  DIMENSION_NAMES,
  DIMENSIONS,
  type DimensionName,
  FIGURE_NAMES,
  FIGURES,
  type FigureName,
} from '../rollup.ts';

/** The same schema with a description for the document. */
const described = <T extends object>(description: string, schema: T): T =>
  Object.assign(schema, { description });

const GRUPPEN = [...DIMENSION_NAMES, 'tag', 'stunde'] as const;
export const Gruppe = oneOf(...GRUPPEN);

type Counted = { [N in FigureName]: (typeof FIGURES)[N]['kind'] extends 'count' | 'tokens' ? N : never };
type NeverNull = { [N in FigureName]: (typeof FIGURES)[N] extends { neverNull: true } ? N : never };
type FigureSchema<N extends FigureName> = N extends Counted[FigureName]
  ? ReturnType<typeof count>
  : N extends NeverNull[FigureName]
    ? ReturnType<typeof decimal>
    : ReturnType<typeof nullable<ReturnType<typeof decimal>>>;

function figureSchema(name: FigureName) {
  const { kind, meaning, ...rest } = FIGURES[name];
  if (kind === 'count' || kind === 'tokens') return described(meaning, count());
  if ('neverNull' in rest) return described(meaning, decimal());
  return described(
    `${meaning} Null when there are calls and not one has a known price.`,
    nullable(decimal()),
  );
}

/** Figures of a set of calls. */
const { geschaetzt_eur, ...figures } = Object.fromEntries(
  FIGURE_NAMES.map((name) => [name, figureSchema(name)]),
) as unknown as { [N in FigureName]: FigureSchema<N> };

export const VerbrauchZeile = Type.Object({ schluessel: text(), ...figures });

export const Summe = Type.Object({
  ...figures,
  gemessen_eur: described(
    'The part of `kosten_eur` that rests on measured token counts; the other is `geschaetzt_eur`.',
    nullable(decimal()),
  ),
  geschaetzt_eur,
});

export const Verbrauch = Type.Object({
  von: described(
    'Local midnight or hour at which the window begins, ISO 8601 with offset; widened to whole hours.',
    datetime(),
  ),
  bis: described('Exclusive end of the window.', datetime()),
  gruppe: Gruppe,
  zeilen: described(
    'Groups with calls: by cost, the highest first, unknown costs last, equal ones by key; days and hours by time.',
    Type.Array(VerbrauchZeile),
  ),
  rest: described(
    'All groups that are not in `zeilen`, as one: how many, and their figures. `zeilen` and `rest` make up `summe`. Null when there are none.',
    nullable(Type.Object({ gruppen: count(), ...Summe.properties })),
  ),
  summe: Summe,
  naechster: described(
    'Value of `cursor` for the rows that follow; null when there are none.',
    nullable(text()),
  ),
  gezaehlt_bis: described('Everything received up to this instant is counted.', datetime()),
});

const filters = Object.fromEntries(
  DIMENSION_NAMES.map((name) => [
    name,
    Type.Optional(
      described(`Only calls with this value. ${DIMENSIONS[name].meaning} Empty: those without one.`, text()),
    ),
  ]),
) as unknown as { [N in DimensionName]: ReturnType<typeof Type.Optional<ReturnType<typeof text>>> };

const verbrauchQuery = Type.Object({
  gruppe: Type.Optional(
    Type.Enum([...GRUPPEN], { default: 'agent', description: 'What `zeilen` are grouped by.' }),
  ),
  von: Type.Optional(dayOrInstant()),
  bis: Type.Optional(dayOrInstant()),
  ...filters,
  limit: Type.Optional(
    described(
      'Rows of an answer at most; what is left is in `rest`.',
      integer({ min: 1, max: 10_000, default: 1_000 }),
    ),
  ),
  cursor: Type.Optional(
    described(
      '`naechster` of the answer before; the window is then the one of that answer.',
      text({ max: 4_000 }),
    ),
  ),
});

export const apiVerbrauch = operation({
  id: 'verbrauch.api',
  method: 'GET',
  path: '/v1/api/verbrauch',
  summary:
    'Verbrauch nach Agent, Endkunde, Modell, Tag, Stunde oder einem anderen Merkmal; ohne Angabe die letzten 30 Tage.',
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
