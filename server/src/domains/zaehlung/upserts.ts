/** The statements that add totals to rollups, runs and dimensions. All run as the owner, inside the counting transaction. */
import type pg from 'pg';
import { USD_SCALE } from '#domains/preise/index.ts';
import { textOf } from '#kernel/decimal-text.ts';
import { EUR_SCALE } from './copy-line.ts';
import type { DayTotal, Figures, HourTotal, RunTotal, Span } from './totals.ts';

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

async function upsert(
  client: pg.ClientBase,
  table: string,
  mandant: string,
  columns: Column[],
  key: string[],
  sets: string[],
): Promise<void> {
  const names = columns.map(([name]) => name).join(', ');
  const arrays = columns.map(([, type], index) => `$${index + 2}::${type}[]`).join(', ');
  await client.query(
    `INSERT INTO ${table} (mandant_id, ${names}) SELECT $1, * FROM unnest(${arrays})
     ON CONFLICT (mandant_id, ${key.join(', ')}) DO UPDATE SET ${sets.join(', ')}`,
    [mandant, ...columns.map(([, , values]) => values)],
  );
}

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

export async function addHours(client: pg.ClientBase, mandant: string, totals: HourTotal[]): Promise<void> {
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
  await upsert(client, 'verbrauch_stunde', mandant, columns, ['stunde', ...DIMENSIONS, 'kurs_usd_eur'], sets);
}

export async function addDays(client: pg.ClientBase, mandant: string, totals: DayTotal[]): Promise<void> {
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
  await upsert(client, 'verbrauch_tag', mandant, columns, ['tag', ...DIMENSIONS], sets);
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

export async function addRuns(client: pg.ClientBase, mandant: string, totals: RunTotal[]): Promise<void> {
  if (totals.length === 0) return;
  const figures = figureColumns(totals).filter(([name]) => RUN_FIGURES.includes(name));
  const columns: Column[] = [
    ['lauf_id', 'uuid', totals.map((total) => total.lauf)],
    ['agent', 'text', totals.map((total) => total.agent)],
    ['projekt', 'text', totals.map((total) => total.projekt)],
    ['endkunde_ref', 'text', totals.map((total) => total.endkunde)],
    ['status', 'text', totals.map((total) => total.status)],
    ['beginn', 'timestamptz', totals.map((total) => total.beginn)],
    ['ende', 'timestamptz', totals.map((total) => total.ende)],
    ['letzter_schritt', 'bigint', totals.map((total) => total.letzterSchritt)],
    ...figures,
  ];
  await upsert(
    client,
    'laeufe',
    mandant,
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

/** Agents, projects and end customers that are named for the first time. */
export async function addDimensions(
  client: pg.ClientBase,
  mandant: string,
  hours: HourTotal[],
): Promise<void> {
  const agents = new Map(hours.map((hour) => [hour.agent, hour.projekt]));
  await client.query(
    `INSERT INTO agenten (mandant_id, schluessel, name, projekt)
     SELECT $1, agent, agent, projekt FROM unnest($2::text[], $3::text[]) AS neu (agent, projekt) ON CONFLICT DO NOTHING`,
    [mandant, [...agents.keys()], [...agents.values()]],
  );
  await client.query(
    `INSERT INTO projekte (mandant_id, schluessel, name)
     SELECT $1, projekt, projekt FROM unnest($2::text[]) AS neu (projekt) ON CONFLICT DO NOTHING`,
    [mandant, [...new Set(hours.map((hour) => hour.projekt))]],
  );
  const customers = new Set(hours.map((hour) => hour.endkunde).filter((endkunde) => endkunde !== ''));
  if (customers.size === 0) return;
  await client.query(
    `INSERT INTO endkunden (mandant_id, referenz) SELECT $1, neu.* FROM unnest($2::text[]) AS neu ON CONFLICT DO NOTHING`,
    [mandant, [...customers]],
  );
}

/** What the connection page asks for: how many events ever, the first and the last of them. */
export async function advanceZaehlstand(
  client: pg.ClientBase,
  mandant: string,
  count: number,
  span: Span,
): Promise<void> {
  await client.query(
    `UPDATE zaehlstaende SET ereignisse_gesamt = ereignisse_gesamt + $2,
       erster_aufruf_am = least(erster_aufruf_am, $3), letzter_aufruf_am = greatest(letzter_aufruf_am, $4),
       daten_von = least(daten_von, $5), daten_bis = greatest(daten_bis, $6)
     WHERE mandant_id = $1`,
    [mandant, count, span.ersterAufruf, span.letzterAufruf, span.von, span.bis],
  );
}
