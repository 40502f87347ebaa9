/** What the tables of sums must hold, added up one by one from the events with decimals and calendar of its own; and what they hold. */
import type { Decimal } from 'decimal.js';
import { DIMENSION_NAMES, DIMENSIONS, FIGURE_NAMES } from '#contracts';
import {
  GRAINS,
  type Grain,
  MINUTE_HOURS,
  STEP_BOUNDS,
  STEP_DIGITS,
  SUM_COLUMNS,
} from '#domains/verbrauch/index.ts';
import { Exact } from './reference-cost.ts';

/** Runs SQL as the owner of the database; instants come as ISO 8601 in UTC. */
export type Sql = <R extends Record<string, unknown>>(text: string, values?: unknown[]) => Promise<R[]>;

/** A row of `ereignisse`, numbers as text; with the Mandant's time zone. */
type EventRow = Record<string, string | null> & { mandant_id: string; zeitpunkt: string; zeitzone: string };

/** An event, and where it belongs in the calendar of its Mandant. */
export interface CountedCall {
  row: EventRow;
  stunde: string;
  tag: string;
  minute: string;
}

const WITHOUT_NAME = '';
const SUCCESS = 'erfolgreich';
const ENDED = 'abgebrochen';
/** What was ended by somebody before this counts as failed. */
const ENDED_IS_NO_FAILURE_FROM = '2026-11-27T06:00:00Z';

function placed(row: EventRow): CountedCall {
  const local = Temporal.Instant.from(row.zeitpunkt).toZonedDateTimeISO(row.zeitzone);
  const { minute: minutes, second: seconds, millisecond: milliseconds, microsecond: microseconds } = local;
  // Exact time is taken away, so that of two hours with the same name each keeps its own.
  const minute = local.subtract({ seconds, milliseconds, microseconds });
  const day = local.toPlainDate();
  return {
    row,
    minute: minute.toInstant().toString(),
    stunde: minute.subtract({ minutes }).toInstant().toString(),
    tag: day.toString(),
  };
}

/** Every event that is counted. */
export async function readCalls(sql: Sql): Promise<CountedCall[]> {
  const counts = [
    ...['eingabe_token', 'ausgabe_token', 'cache_lese_token', 'cache_schreib_token', 'denk_token'],
    ...['eingabe_ohne_cache', 'ausgabe_gesamt'],
  ];
  const numbers = [...counts, 'latenz_ms', 'erste_zeichen_ms', 'kosten_usd', 'kurs_usd_eur'];
  const rows = await sql<EventRow>(
    `SELECT e.mandant_id, e.ereignis_id, e.schluessel_id, (e.prompt_fingerabdruck IS NULL)::text AS ohne_fingerabdruck, e.quelle, e.zusatz::text, e.zeitpunkt, m.zeitzone, e.lauf_id, e.status, e.empfangen_am, e.geschaetzt::text, e.teilbepreist::text, e.ersatzkurs::text, e.wiederholung::text,
       ${DIMENSION_NAMES.map((name) => `e.${DIMENSIONS[name].column}`).join(', ')},
       ${numbers.map((name) => `e.${name}::text`).join(', ')}
     FROM ereignisse e JOIN mandanten m USING (mandant_id)`,
  );
  return rows.map(placed);
}

const whole = (value: string | null | undefined): bigint => BigInt(value ?? 0);
const usdOf = ({ kosten_usd: usd }: EventRow): Decimal => new Exact(usd ?? 0);
const eurOf = (row: EventRow): Decimal => usdOf(row).mul(row.kurs_usd_eur ?? 0);

/** One number for a measurement: twelve digits for each step of the histogram. */
function stepOf(milliseconds: string | null | undefined): bigint {
  if (milliseconds === null || milliseconds === undefined) return 0n;
  const step = STEP_BOUNDS.filter((bound) => BigInt(bound) <= BigInt(milliseconds)).length;
  return 10n ** BigInt(STEP_DIGITS * step);
}

/** What a set of calls adds up to, as text by the name of the figure. */
export function figuresOf(calls: CountedCall[]): Record<string, string> {
  const count = (read: (row: EventRow) => bigint) =>
    calls.reduce((sum, { row }) => sum + read(row), 0n).toString();
  const amount = (read: (row: EventRow) => Decimal, holds: (row: EventRow) => boolean = () => true) =>
    calls.reduce((sum, { row }) => (holds(row) ? sum.plus(read(row)) : sum), new Exact(0)).toFixed();
  const failed = ({ status, empfangen_am }: EventRow) =>
    status === ENDED ? String(empfangen_am) < ENDED_IS_NO_FAILURE_FROM : status !== SUCCESS;
  const estimated = ({ geschaetzt }: EventRow) => geschaetzt === 'true';
  const token = (name: string) => count((row) => whole(row[name]));
  return {
    aufrufe: String(calls.length),
    fehler: count((row) => (failed(row) ? 1n : 0n)),
    unbepreist: count((row) => (row.kosten_usd === null ? 1n : 0n)),
    teilbepreist: count((row) => (row.teilbepreist === 'true' ? 1n : 0n)),
    geschaetzt: count((row) => (estimated(row) ? 1n : 0n)),
    eingabe_token: token('eingabe_token'),
    ausgabe_token: token('ausgabe_token'),
    cache_lese_token: token('cache_lese_token'),
    cache_schreib_token: token('cache_schreib_token'),
    denk_token: token('denk_token'),
    eingabe_ohne_cache: token('eingabe_ohne_cache'),
    ausgabe_gesamt: token('ausgabe_gesamt'),
    aufgeteilt: String(calls.length),
    kosten_usd: amount(usdOf),
    kosten_eur: amount(eurOf),
    geschaetzt_eur: amount(eurOf, (row) => estimated(row) || row.teilbepreist === 'true'),
    ersatz_eur: amount(eurOf, (row) => row.ersatzkurs === 'true'),
    verbranntes_geld_eur: amount(eurOf, (row) => failed(row) || row.wiederholung === 'true'),
    latenz: count((row) => stepOf(row.latenz_ms)),
    erste_zeichen: count((row) => stepOf(row.erste_zeichen_ms)),
  };
}

/** Number and text of each dimension of a call, the total among them. */
const valuesOf = ({ row }: CountedCall): [dimension: number, text: string][] => [
  [0, WITHOUT_NAME],
  ...DIMENSION_NAMES.map((name): [number, string] => {
    const { number, column } = DIMENSIONS[name];
    return [number, row[column] ?? WITHOUT_NAME];
  }),
];

export const keyOf = (...parts: unknown[]): string => JSON.stringify(parts);
export type Table = Record<string, Record<string, string>>;

/** A value of another dimension than the agent's that has running sums. */
export interface KeptValue extends Record<string, unknown> {
  mandant_id: string;
  dimension: number;
  text: string;
}

/** What the table of a grain must hold, by Mandant, period, dimension and text: of all calls, each agent and these values. */
export function sumsOf(calls: CountedCall[], grain: Grain, kept: readonly KeptValue[] = []): Table {
  const others = new Set(kept.map(({ mandant_id, dimension, text }) => keyOf(mandant_id, dimension, text)));
  const since = grain === 'minute' ? Date.now() - MINUTE_HOURS * 3_600_000 : -Infinity;
  const cells = new Map<string, CountedCall[]>();
  for (const call of calls) {
    if (Date.parse(call.row.zeitpunkt) < since) continue;
    for (const [dimension, text] of valuesOf(call)) {
      if (dimension > 1 && !others.has(keyOf(call.row.mandant_id, dimension, text))) continue;
      const key = keyOf(call.row.mandant_id, call[grain], dimension, text);
      const cell = cells.get(key);
      if (cell) cell.push(call);
      else cells.set(key, [call]);
    }
  }
  return Object.fromEntries([...cells].map(([key, cell]) => [key, runningOf(figuresOf(cell))]));
}

/** Of figures those that running sums have. */
function runningOf(figures: Record<string, string>): Record<string, string> {
  const token = BigInt(figures.eingabe_token ?? 0) + BigInt(figures.ausgabe_token ?? 0);
  return Object.fromEntries(
    SUM_COLUMNS.map(({ name }) => [name, name === 'token' ? `${token}` : (figures[name] as string)]),
  );
}

/** The values of everybody that have running sums. */
export const readKeptValues = (sql: Sql): Promise<KeptValue[]> =>
  sql('SELECT mandant_id, dimension, text FROM verbrauch_gefuehrt WHERE seit IS NOT NULL');

/** What the table of a grain holds, in the same form. */
export async function readSums(sql: Sql, grain: Grain): Promise<Table> {
  const { column } = GRAINS[grain];
  const names = SUM_COLUMNS.map(({ name }) => name);
  const rows = await sql<{ mandant_id: string; zeit: string; dimension: number; text: string | null }>(
    `SELECT v.mandant_id, v.${column} AS zeit, v.dimension,
       CASE WHEN v.dimension = 0 AND v.merkmal_id = 0 THEN '' ELSE m.text END AS text,
       ${names.map((name) => `trim_scale(v.${name}::numeric)::text AS ${name}`).join(', ')}
     FROM ${GRAINS[grain].table} v LEFT JOIN merkmale m USING (mandant_id, merkmal_id, dimension)`,
  );
  return Object.fromEntries(
    rows.map(({ mandant_id, zeit, dimension, text, ...figures }) => [
      keyOf(mandant_id, zeit, dimension, text),
      figures as Record<string, string>,
    ]),
  );
}

/** How much of an hour was converted at which rate, as it must be. */
export function ratesOf(calls: CountedCall[]): Table {
  const sets = Map.groupBy(calls, ({ row, stunde }) => keyOf(row.mandant_id, stunde, row.kurs_usd_eur));
  return Object.fromEntries(
    [...sets].map(([key, set]) => {
      const { aufrufe = '', kosten_usd = '' } = figuresOf(set);
      const substitute = set.filter(({ row }) => row.ersatzkurs === 'true').length;
      return [key, { aufrufe, kosten_usd, ersatz_aufrufe: String(substitute) }];
    }),
  );
}

/** And as it is. */
export async function readRates(sql: Sql): Promise<Table> {
  const rows = await sql<Record<'mandant_id' | 'stunde' | 'kurs' | 'aufrufe' | 'kosten_usd', string>>(
    `SELECT mandant_id, stunde, kurs_usd_eur::text AS kurs, aufrufe::text, trim_scale(kosten_usd)::text AS kosten_usd,
       ersatz_aufrufe::text
     FROM verbrauch_kurs`,
  );
  return Object.fromEntries(
    rows.map(({ mandant_id, stunde, kurs, ...use }) => [keyOf(mandant_id, stunde, kurs), use]),
  );
}

const latestOf = (set: CountedCall[]): string =>
  set
    .map(({ row }) => Temporal.Instant.from(row.zeitpunkt))
    .reduce((a, b) => (Temporal.Instant.compare(a, b) < 0 ? b : a))
    .toString();

const zusatzOf = ({ row }: CountedCall): Record<string, unknown> => JSON.parse(row.zusatz ?? '{}') ?? {};

/** What a subscription pays for is of nobody on purpose. */
const lacksCustomer = (call: CountedCall): boolean =>
  call.row.endkunde_ref === null && zusatzOf(call).abonnement !== true;

/** What the calls of a key of an hour add up to. */
function keyFiguresOf(set: CountedCall[]): Record<string, string> {
  const { aufrufe = '', unbepreist = '', kosten_usd = '', kosten_eur = '' } = figuresOf(set);
  const counts = ['eingabe_ohne_cache', 'cache_lese_token', 'cache_schreib_token', 'ausgabe_gesamt'];
  const token = set.reduce((sum, { row }) => counts.reduce((all, name) => all + whole(row[name]), sum), 0n);
  const lacking = (holds: (row: EventRow) => boolean) => String(set.filter(({ row }) => holds(row)).length);
  return {
    aufrufe,
    unbepreist,
    token: token.toString(),
    kosten_usd,
    kosten_eur,
    ohne_lauf: lacking(({ lauf_id: lauf }) => lauf === null),
    ohne_fingerabdruck: lacking((row) => row.ohne_fingerabdruck === 'true'),
    ohne_endkunde: String(set.filter(lacksCustomer).length),
    adresse_als_anbieter: lacking(({ anbieter }) => /[.:]|^localhost$/.test(anbieter ?? '')),
    letzter_aufruf_am: latestOf(set),
  };
}

/** What the calls of each key add up to by local hour, as it must be. */
export function keySumsOf(calls: CountedCall[]): Table {
  const noted = calls.filter(({ row }) => row.schluessel_id !== null);
  const sets = Map.groupBy(noted, ({ row, stunde }) => keyOf(row.mandant_id, row.schluessel_id, stunde));
  return Object.fromEntries([...sets].map(([key, set]) => [key, keyFiguresOf(set)]));
}

/** And as it is. */
export async function readKeySums(sql: Sql): Promise<Table> {
  const rows = await sql<Record<string, string>>(
    `SELECT mandant_id, schluessel_id, stunde, aufrufe::text, unbepreist::text, token::text, trim_scale(kosten_usd)::text AS kosten_usd,
       trim_scale(kosten_eur)::text AS kosten_eur, ohne_lauf::text, ohne_fingerabdruck::text, ohne_endkunde::text,
       adresse_als_anbieter::text, letzter_aufruf_am
     FROM verbrauch_schluessel`,
  );
  return Object.fromEntries(
    rows.map(({ mandant_id, schluessel_id, stunde, ...sums }) => [
      keyOf(mandant_id, schluessel_id, stunde),
      sums,
    ]),
  );
}

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

function sourceFiguresOf(set: CountedCall[]): Record<string, string> {
  const { aufrufe = '', unbepreist = '', kosten_eur = '' } = figuresOf(set);
  const abo = set.filter((call) => zusatzOf(call).abonnement === true);
  const good = ({ row }: CountedCall) => row.status === SUCCESS;
  const lacking = (holds: (call: CountedCall) => boolean) => String(set.filter(holds).length);
  return {
    aufrufe,
    unbepreist,
    kosten_eur,
    ohne_lauf: lacking(({ row }) => row.lauf_id === null),
    ohne_agent: lacking(({ row }) => row.agent === 'unbekannt'),
    ohne_endkunde: lacking(lacksCustomer),
    ohne_fingerabdruck: lacking(({ row }) => row.ohne_fingerabdruck === 'true'),
    ohne_cache: lacking(
      (call) => good(call) && call.row.eingabe_ohne_cache !== null && call.row.cache_lese_token === null,
    ),
    ohne_token: lacking((call) => good(call) && call.row.eingabe_ohne_cache === null),
    abo_aufrufe: String(abo.length),
    abo_kosten_eur: abo.length === 0 ? '0' : (figuresOf(abo).kosten_eur ?? ''),
  };
}

/** What the calls of each key add up to by local day and by what told of them, as it must be. */
export function sourceSumsOf(calls: CountedCall[]): Table {
  const noted = calls.filter(({ row }) => row.schluessel_id !== null);
  const sets = Map.groupBy(noted, (call) => {
    const { bibliothek, bibliothek_version: version } = zusatzOf(call);
    const { mandant_id, schluessel_id, quelle } = call.row;
    return keyOf(mandant_id, schluessel_id, call.tag, quelle, textIn(bibliothek), textIn(version));
  });
  return Object.fromEntries([...sets].map(([key, set]) => [key, sourceFiguresOf(set)]));
}

/** And as it is. */
export async function readSourceSums(sql: Sql): Promise<Table> {
  const rows = await sql<Record<string, string>>(
    `SELECT mandant_id, schluessel_id, tag::text, quelle, bibliothek, version, aufrufe::text, unbepreist::text,
       trim_scale(kosten_eur)::text AS kosten_eur, ohne_lauf::text, ohne_agent::text, ohne_endkunde::text,
       ohne_fingerabdruck::text, ohne_cache::text, ohne_token::text, abo_aufrufe::text,
       trim_scale(abo_kosten_eur)::text AS abo_kosten_eur
     FROM verbrauch_quellen WHERE aufrufe <> 0`,
  );
  return Object.fromEntries(
    rows.map(({ mandant_id, schluessel_id, tag, quelle, bibliothek, version, ...sums }) => [
      keyOf(mandant_id, schluessel_id, tag, quelle, bibliothek, version),
      sums,
    ]),
  );
}

const RUN_FIGURES = FIGURE_NAMES.filter(
  (name) => !['geschaetzt', 'cache_schreib_token', 'denk_token', 'geschaetzt_eur'].includes(name),
);

/** The figures of every run, as they must be; its cost is null as long as no call has a known price. */
export function runsOf(calls: CountedCall[]): Record<string, Record<string, string | null | undefined>> {
  const sets = Map.groupBy(calls, ({ row }) => row.lauf_id);
  sets.delete(null);
  return Object.fromEntries(
    [...sets].map(([lauf, set]) => {
      const figures: Record<string, string | null> = figuresOf(set);
      const cost = (name: string) => name === 'kosten_usd' || name === 'kosten_eur';
      const isPriced = figures.unbepreist !== figures.aufrufe;
      const kept = RUN_FIGURES.map((name) => [name, cost(name) && !isPriced ? null : figures[name]]);
      return [lauf, Object.fromEntries(kept)];
    }),
  );
}

/** And as they are. */
export async function readRuns(sql: Sql): Promise<Record<string, object>> {
  const figures = RUN_FIGURES.map((name) => `trim_scale(${name}::numeric)::text AS ${name}`).join(', ');
  const rows = await sql<{ lauf_id: string }>(`SELECT lauf_id, ${figures} FROM laeufe`);
  return Object.fromEntries(rows.map(({ lauf_id, ...rest }) => [lauf_id, rest]));
}
