/**
 * What adds totals to rollups, runs and dimensions: parts of one statement, so that the server is not left waiting in between.
 * Runs as the owner, inside the counting transaction.
 */
import type pg from 'pg';
import { EUR_SCALE, USD_SCALE } from '#domains/preise/index.ts';
import { textOf } from '#kernel/decimal-text.ts';
import { isoOf } from '#kernel/microseconds.ts';
import type { AgentTotal, DayTotal, Figures, HourTotal, RunTotal, Span } from './totals.ts';

/** A column of an upsert: its name, its array type, its values. */
type Column = [name: string, type: string, values: unknown[]];

const money = (scaled: bigint | null, scale: number) => (scaled === null ? null : textOf(scaled, scale));

const COUNTS = [
  'aufrufe',
  'fehler',
  'unbepreist',
  'geschaetzt',
  'eingabe_token',
  'ausgabe_token',
  'cache_lese_token',
  'cache_schreib_token',
  'denk_token',
  'verbranntes_geld_eur',
];
const UNKNOWN_UNTIL_PRICED = ['kosten_usd', 'kosten_eur', 'geschaetzt_eur'];

function figureColumns(totals: Figures[]): Column[] {
  const column = (name: string, type: string, read: (total: Figures) => unknown): Column => [
    name,
    type,
    totals.map(read),
  ];
  return [
    column('aufrufe', 'bigint', (total) => total.aufrufe),
    column('fehler', 'bigint', (total) => total.fehler),
    column('unbepreist', 'bigint', (total) => total.unbepreist),
    column('geschaetzt', 'bigint', (total) => total.geschaetzt),
    column('eingabe_token', 'bigint', (total) => total.eingabe),
    column('ausgabe_token', 'bigint', (total) => total.ausgabe),
    column('cache_lese_token', 'bigint', (total) => total.cacheLese),
    column('cache_schreib_token', 'bigint', (total) => total.cacheSchreib),
    column('denk_token', 'bigint', (total) => total.denk),
    column('kosten_usd', 'numeric', (total) => money(total.usd, USD_SCALE)),
    column('kosten_eur', 'numeric', (total) => money(total.eur, EUR_SCALE)),
    column('geschaetzt_eur', 'numeric', (total) => money(total.geschaetztEur, EUR_SCALE)),
    column('verbranntes_geld_eur', 'numeric', (total) => textOf(total.verbranntEur, EUR_SCALE)),
  ];
}

/** SET clauses that add the new figures to the old ones; a sum stays null as long as both sides are. */
function additions(table: string, names: string[]): string[] {
  return names.flatMap((name) => {
    if (COUNTS.includes(name)) return [`${name} = ${table}.${name} + excluded.${name}`];
    if (!UNKNOWN_UNTIL_PRICED.includes(name)) return [];
    return [`${name} = coalesce(${table}.${name} + excluded.${name}, ${table}.${name}, excluded.${name})`];
  });
}

/** Keeps a value for the statement and returns its placeholder. `$1` is the Mandant. */
type Place = (value: unknown) => string;
/** A statement that changes one table, without its `;`. No two parts of a statement may change the same row. */
type Part = (place: Place) => string;

async function runTogether(client: pg.ClientBase, mandant: string, parts: Part[]): Promise<void> {
  const values: unknown[] = [mandant];
  const place = (value: unknown) => `$${values.push(value)}`;
  const named = parts.map((part, index) => `teil_${index} AS (${part(place)})`);
  await client.query(`WITH ${named.join(',\n')} SELECT`, values);
}

const upsert =
  (table: string, columns: Column[], key: string[], sets: string[]): Part =>
  (place) => {
    const names = columns.map(([name]) => name).join(', ');
    const arrays = columns.map(([, type, values]) => `${place(values)}::${type}[]`).join(', ');
    return `INSERT INTO ${table} (mandant_id, ${names}) SELECT $1::uuid, * FROM unnest(${arrays})
     ON CONFLICT (mandant_id, ${key.join(', ')}) DO UPDATE SET ${sets.join(', ')}`;
  };

const DIMENSIONS = ['agent', 'projekt', 'endkunde_ref', 'anbieter', 'modell'];

function dimensionColumns(totals: DayTotal[]): Column[] {
  return [
    ['agent', 'text', totals.map((total) => total.agent)],
    ['projekt', 'text', totals.map((total) => total.projekt)],
    ['endkunde_ref', 'text', totals.map((total) => total.endkunde)],
    ['anbieter', 'text', totals.map((total) => total.anbieter)],
    ['modell', 'text', totals.map((total) => total.modell)],
  ];
}

function addHours(totals: HourTotal[]): Part {
  const figures = figureColumns(totals);
  const columns: Column[] = [
    ['stunde', 'timestamptz', totals.map((total) => total.stunde)],
    ...dimensionColumns(totals),
    ['kurs_usd_eur', 'numeric', totals.map((total) => total.kurs)],
    ...figures,
  ];
  const sets = additions(
    'verbrauch_stunde',
    figures.map(([name]) => name),
  );
  return upsert('verbrauch_stunde', columns, ['stunde', ...DIMENSIONS, 'kurs_usd_eur'], sets);
}

function addDays(totals: DayTotal[]): Part {
  const figures = figureColumns(totals);
  const columns: Column[] = [
    ['tag', 'date', totals.map((total) => total.tag)],
    ...dimensionColumns(totals),
    ...figures,
  ];
  const sets = additions(
    'verbrauch_tag',
    figures.map(([name]) => name),
  );
  return upsert('verbrauch_tag', columns, ['tag', ...DIMENSIONS], sets);
}

const RUN_FIGURES = [
  'aufrufe',
  'fehler',
  'unbepreist',
  'eingabe_token',
  'ausgabe_token',
  'cache_lese_token',
  'kosten_usd',
  'kosten_eur',
  'verbranntes_geld_eur',
];
/** True when the new events hold the run's latest call. */
const IS_LATER =
  '(excluded.ende, coalesce(excluded.letzter_schritt, -1)) >= (laeufe.ende, coalesce(laeufe.letzter_schritt, -1))';

function addRuns(totals: RunTotal[]): Part {
  const figures = figureColumns(totals).filter(([name]) => RUN_FIGURES.includes(name));
  const columns: Column[] = [
    ['lauf_id', 'uuid', totals.map((total) => total.lauf)],
    ['agent', 'text', totals.map((total) => total.agent)],
    ['projekt', 'text', totals.map((total) => total.projekt)],
    ['endkunde_ref', 'text', totals.map((total) => total.endkunde)],
    ['status', 'text', totals.map((total) => total.status)],
    ['beginn', 'timestamptz', totals.map((total) => isoOf(total.beginn))],
    ['ende', 'timestamptz', totals.map((total) => isoOf(total.ende))],
    ['letzter_schritt', 'bigint', totals.map((total) => total.letzterSchritt)],
    ...figures,
  ];
  return upsert(
    'laeufe',
    columns,
    ['lauf_id'],
    [
      ...additions('laeufe', RUN_FIGURES),
      'endkunde_ref = coalesce(laeufe.endkunde_ref, excluded.endkunde_ref)',
      `status = CASE WHEN ${IS_LATER} THEN excluded.status ELSE laeufe.status END`,
      `letzter_schritt = CASE WHEN ${IS_LATER} THEN excluded.letzter_schritt ELSE laeufe.letzter_schritt END`,
      'beginn = least(laeufe.beginn, excluded.beginn)',
      'ende = greatest(laeufe.ende, excluded.ende)',
    ],
  );
}

/** Agents that are named for the first time, and when those that call last did: never earlier than is known. */
function addAgents(totals: AgentTotal[]): Part {
  const keys = totals.map((total) => total.agent);
  const columns: Column[] = [
    ['schluessel', 'text', keys],
    ['name', 'text', keys],
    ['projekt', 'text', totals.map((total) => total.projekt)],
    ['letzter_aufruf_am', 'timestamptz', totals.map((total) => isoOf(total.letzterAufruf))],
  ];
  return upsert(
    'agenten',
    columns,
    ['schluessel'],
    ['letzter_aufruf_am = greatest(agenten.letzter_aufruf_am, excluded.letzter_aufruf_am)'],
  );
}

/** Projects and end customers that are named for the first time. */
function addDimensions(hours: HourTotal[]): Part[] {
  const projects = new Set(hours.map((hour) => hour.projekt));
  const customers = new Set(hours.map((hour) => hour.endkunde).filter((endkunde) => endkunde !== ''));
  return [
    (place) => `INSERT INTO projekte (mandant_id, schluessel, name) SELECT $1::uuid, projekt, projekt
     FROM unnest(${place([...projects])}::text[]) AS neu (projekt) ON CONFLICT DO NOTHING`,
    (place) => `INSERT INTO endkunden (mandant_id, referenz) SELECT $1::uuid, neu.*
     FROM unnest(${place([...customers])}::text[]) AS neu ON CONFLICT DO NOTHING`,
  ];
}

/** What the connection page asks for: how many events ever, the first and the last of them. */
const advanceZaehlstand =
  (count: number, span: Span): Part =>
  (place) =>
    `UPDATE zaehlstaende SET ereignisse_gesamt = ereignisse_gesamt + ${place(count)},
       erster_aufruf_am = least(erster_aufruf_am, ${place(isoOf(span.ersterAufruf))}),
       letzter_aufruf_am = greatest(letzter_aufruf_am, ${place(isoOf(span.letzterAufruf))}),
       daten_von = least(daten_von, ${place(isoOf(span.von))}), daten_bis = greatest(daten_bis, ${place(isoOf(span.bis))})
     WHERE mandant_id = $1::uuid`;

/** Totals of the same events, seen in three ways. */
export interface Sums {
  hours: HourTotal[];
  days: DayTotal[];
  runs: RunTotal[];
}

const addSums = ({ hours, days, runs }: Sums): Part[] => [addHours(hours), addDays(days), addRuns(runs)];

/** Adds what has changed for events that were counted before. */
export const addToCounted = (client: pg.ClientBase, mandant: string, sums: Sums): Promise<void> =>
  runTogether(client, mandant, addSums(sums));

/** Adds newly counted events of these agents: `count` of them within `span`. */
export const addCounted = (
  client: pg.ClientBase,
  mandant: string,
  sums: Sums & { agents: AgentTotal[]; count: number; span: Span },
): Promise<void> =>
  runTogether(client, mandant, [
    // PostgreSQL runs the last part first: agents after projects, as a change of an agent does.
    addAgents(sums.agents),
    ...addDimensions(sums.hours),
    ...addSums(sums),
    advanceZaehlstand(sums.count, sums.span),
  ]);
