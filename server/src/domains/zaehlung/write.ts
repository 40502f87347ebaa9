/**
 * What adds sums, runs and dimensions of one or several Mandanten to what is there: parts of one statement, so that the
 * server is not left waiting in between. Runs as the owner, inside the counting transaction.
 */
import type pg from 'pg';
import { DIMENSIONS } from '#contracts';
import { GRAINS, type Grain, sumColumnsOf } from '#domains/verbrauch/index.ts';
import { isoOf, type Microseconds } from '#kernel/microseconds.ts';
import { EUR_SCALE, textOf, USD_SCALE } from '#kernel/money.ts';
import type { Resolved } from './merkmale.ts';
import type { AgentCall, RunTotal, Span } from './runs.ts';
import type { ChangedRun } from './steps.ts';
import { type NumberedGrid, sumColumns } from './sums/columns.ts';
import type { Sums } from './sums/sums.ts';

/** What is added for one Mandant. */
export interface Written {
  mandant: string;
  sums: Sums;
  resolved: Resolved;
  runs: RunTotal[];
  /** How many marks the Mandant has been given so far. */
  marken: number;
}

/** Values of a column as PostgreSQL writes an array; for what needs no quotes, or is nothing. */
const arrayText = (values: readonly (string | number | bigint | null)[]): string =>
  `{${values.map((value) => value ?? 'NULL').join(',')}}`;

/** A statement under construction: `$1` is the list of Mandanten, in which rows name theirs by its place, from 1. */
class Statement {
  readonly values: unknown[];
  readonly #parts: string[] = [];

  constructor(mandanten: string[]) {
    this.values = [arrayText(mandanten)];
  }

  /** Keeps a value and returns its placeholder. */
  place(value: unknown): string {
    return `$${this.values.push(value)}`;
  }

  /** Adds a statement without its `;`. No two may change the same row. */
  part(sql: string): void {
    this.#parts.push(`teil_${this.#parts.length} AS (${sql})`);
  }

  get text(): string {
    return `WITH ${this.#parts.join(',\n')} SELECT`;
  }
}

const MANDANT = '($1::uuid[])[n.m]';
const sumUp = (table: string, columns: readonly string[]) =>
  columns.map((name) => `${name} = ${table}.${name} + excluded.${name}`);

function addSums(statement: Statement, grain: Grain, parts: NumberedGrid[]): void {
  const { table, column, type } = GRAINS[grain];
  const { periods, columns } = sumColumns(grain, parts);
  const times = statement.place(arrayText(periods));
  const arrays = columns.map(({ type, array }) => `${statement.place(array)}::${type}[]`);
  const names = sumColumnsOf(grain).map(({ name }) => name);
  const addends = names.join(', ');
  statement.part(`INSERT INTO ${table} AS v (mandant_id, dimension, ${column}, merkmal_id, ${addends})
    SELECT ${MANDANT}, n.d, (${times}::${type}[])[n.z], n.k, ${names.map((name) => `n.${name}`).join(', ')}
    FROM unnest(${arrays.join(', ')}) AS n (m, d, z, k, ${addends})
    ON CONFLICT (mandant_id, dimension, ${column}, merkmal_id) DO UPDATE SET ${sumUp('v', names).join(', ')}`);
}

/** The same for one list of rows, each column given by its name, type and what it is of a row. */
type Column<R> = [name: string, type: string, read: (row: R) => unknown];

function insert<R extends { m: number }>(
  statement: Statement,
  table: string,
  columns: Column<R>[],
  rows: R[],
  conflict: string,
): void {
  const all: Column<R>[] = [['m', 'int', (row) => row.m], ...columns];
  const arrays = all.map(([, type, read]) => {
    const values = rows.map(read);
    return `${statement.place(type === 'text' ? values : arrayText(values as (string | number | null)[]))}::${type}[]`;
  });
  const names = columns.map(([name]) => name);
  statement.part(`INSERT INTO ${table} AS v (mandant_id, ${names.join(', ')})
    SELECT ${MANDANT}, ${names.map((name) => `n.${name}`).join(', ')}
    FROM unnest(${arrays.join(', ')}) AS n (m, ${names.join(', ')}) ON CONFLICT ${conflict}`);
}

/** Rows of each Mandant, with its place in the statement. */
const rowsOf = <P, R>(parts: P[], read: (part: P) => Iterable<R>): (R & { m: number })[] =>
  parts.flatMap((part, index) => Array.from(read(part), (row) => ({ ...row, m: index + 1 })));

const money = (scaled: bigint | null, scale: number) => (scaled === null ? null : textOf(scaled, scale));

const RUN_COUNTS = [
  'aufrufe',
  'fehler',
  'unbepreist',
  'eingabe_token',
  'ausgabe_token',
  'cache_lese_token',
  'verbranntes_geld_eur',
];
const RUN_COSTS = ['kosten_usd', 'kosten_eur'];
/** True when the new events hold the run's latest call. */
const IS_LATER =
  '(excluded.ende, coalesce(excluded.letzter_schritt, -1)) >= (v.ende, coalesce(v.letzter_schritt, -1))';

function addRuns(statement: Statement, parts: Written[]): void {
  const columns: Column<RunTotal & { m: number }>[] = [
    ['lauf_id', 'uuid', (run) => run.lauf],
    ['agent', 'text', (run) => run.agent],
    ['projekt', 'text', (run) => run.projekt],
    ['endkunde_ref', 'text', (run) => run.endkunde],
    ['status', 'text', (run) => run.status],
    ['beginn', 'timestamptz', (run) => isoOf(run.beginn)],
    ['ende', 'timestamptz', (run) => isoOf(run.ende)],
    ['letzter_schritt', 'bigint', (run) => run.letzterSchritt],
    ['aufrufe', 'bigint', (run) => run.aufrufe],
    ['fehler', 'bigint', (run) => run.fehler],
    ['unbepreist', 'bigint', (run) => run.unbepreist],
    ['eingabe_token', 'numeric', (run) => run.eingabe],
    ['ausgabe_token', 'numeric', (run) => run.ausgabe],
    ['cache_lese_token', 'numeric', (run) => run.cacheLese],
    ['kosten_usd', 'numeric', (run) => money(run.usd, USD_SCALE)],
    ['kosten_eur', 'numeric', (run) => money(run.eur, EUR_SCALE)],
    ['verbranntes_geld_eur', 'numeric', (run) => textOf(run.verbranntEur, EUR_SCALE)],
  ];
  const sets = [
    ...sumUp('v', RUN_COUNTS),
    ...RUN_COSTS.map(
      (name) => `${name} = coalesce(v.${name} + excluded.${name}, v.${name}, excluded.${name})`,
    ),
    'endkunde_ref = coalesce(v.endkunde_ref, excluded.endkunde_ref)',
    `status = CASE WHEN ${IS_LATER} THEN excluded.status ELSE v.status END`,
    `letzter_schritt = CASE WHEN ${IS_LATER} THEN excluded.letzter_schritt ELSE v.letzter_schritt END`,
    'beginn = least(v.beginn, excluded.beginn)',
    'ende = greatest(v.ende, excluded.ende)',
  ];
  const rows = rowsOf(parts, ({ runs }) => runs);
  insert(statement, 'laeufe', columns, rows, `(mandant_id, lauf_id) DO UPDATE SET ${sets.join(', ')}`);
}

function addRates(statement: Statement, parts: Written[]): void {
  insert(
    statement,
    'verbrauch_kurs',
    [
      ['stunde', 'timestamptz', (use) => use.stunde],
      ['kurs_usd_eur', 'numeric', (use) => use.kurs],
      ['aufrufe', 'bigint', (use) => use.aufrufe],
      ['kosten_usd', 'numeric', (use) => textOf(use.usd, USD_SCALE)],
    ],
    rowsOf(parts, ({ sums }) => sums.rates()),
    `(mandant_id, stunde, kurs_usd_eur) DO UPDATE SET ${sumUp('v', ['aufrufe', 'kosten_usd']).join(', ')}`,
  );
}

/** Agents that are named for the first time; when they last called is recorded by whoever takes the marks. */
function addAgents(statement: Statement, parts: Counted[]): void {
  const rows = rowsOf(parts, ({ agents, resolved: { fresh } }) =>
    (fresh?.texts ?? [])
      .filter((_, index) => fresh?.dimensions[index] === DIMENSIONS.agent.number)
      .map((agent) => ({ agent, projekt: agents.get(agent)?.projekt as string })),
  );
  insert(
    statement,
    'agenten',
    [
      ['schluessel', 'text', (row) => row.agent],
      ['name', 'text', (row) => row.agent],
      ['projekt', 'text', (row) => row.projekt],
    ],
    rows,
    'DO NOTHING',
  );
}

/** New values, and the projects and end customers that are named with them for the first time. */
function addMerkmale(statement: Statement, parts: Written[]): void {
  const rows = rowsOf(parts, ({ resolved: { fresh } }) =>
    (fresh?.ids ?? []).map((id, index) => ({
      id,
      dimension: fresh?.dimensions[index] as number,
      text: fresh?.texts[index] as string,
    })),
  );
  insert(
    statement,
    'merkmale',
    [
      ['merkmal_id', 'int', (row) => row.id],
      ['dimension', 'smallint', (row) => row.dimension],
      ['text', 'text', (row) => row.text],
    ],
    rows,
    'DO NOTHING',
  );
  const named = (dimension: number) => rows.filter((row) => row.dimension === dimension && row.text !== '');
  insert(
    statement,
    'projekte',
    [
      ['schluessel', 'text', (row) => row.text],
      ['name', 'text', (row) => row.text],
    ],
    named(DIMENSIONS.projekt.number),
    'DO NOTHING',
  );
  insert(
    statement,
    'endkunden',
    [['referenz', 'text', (row) => row.text]],
    named(DIMENSIONS.endkunde.number),
    'DO NOTHING',
  );
}

function addConsumption(statement: Statement, parts: Written[]): void {
  const grids = parts.map(({ sums }) => sums.grids());
  for (const grain of Object.keys(GRAINS) as Grain[])
    addSums(
      statement,
      grain,
      parts.map(({ sums, resolved }, index) => ({
        mandant: index + 1,
        grid: grids[index]?.[grain] as NumberedGrid['grid'],
        dimensions: sums.values.dimensions,
        ids: resolved.ids,
      })),
    );
  insert(
    statement,
    'verbrauch_tagesstand',
    [
      ['tag', 'date', (row) => row.tag],
      ['geaendert', 'bigint', () => 1],
    ],
    rowsOf(
      grids.map(({ tag }) => tag),
      ({ periods }) => periods.map((tag) => ({ tag })),
    ),
    '(mandant_id, tag) DO UPDATE SET geaendert = v.geaendert + 1, geaendert_am = now()',
  );
  addRates(statement, parts);
  addRuns(statement, parts);
}

/** States of runs; the last two columns say where in `bytes` each stands. */
function addRunStates(statement: Statement, parts: Counted[]): void {
  const rows = rowsOf(parts, ({ states, marken }) =>
    states.map((changed) => ({ ...changed, nummer: marken + 1 })),
  );
  let end = 1;
  const starts = rows.map(({ zustand }) => {
    const start = end;
    end += zustand.length;
    return start;
  });
  const all = statement.place(Buffer.concat(rows.map(({ zustand }) => zustand)));
  const columns: [values: (string | number)[], type: string][] = [
    [rows.map((row) => row.m), 'int'],
    [rows.map((row) => row.lauf), 'uuid'],
    [rows.map((row) => Number(row.neuLesen)), 'int'],
    [rows.map((row) => row.nummer), 'bigint'],
    [starts, 'int'],
    [rows.map((row) => row.zustand.length), 'int'],
  ];
  const arrays = columns.map(([values, type]) => `${statement.place(arrayText(values))}::${type}[]`);
  statement.part(`INSERT INTO lauf_zustaende AS v (mandant_id, lauf_id, zustand, neu_lesen, nummer)
    SELECT ${MANDANT}, n.lauf_id, substring(${all}::bytea FROM n.beginn FOR n.laenge), n.neu_lesen = 1, n.nummer
    FROM unnest(${arrays.join(', ')}) AS n (m, lauf_id, neu_lesen, nummer, beginn, laenge)
    ON CONFLICT (mandant_id, lauf_id) DO UPDATE SET zustand = excluded.zustand, neu_lesen = excluded.neu_lesen,
      nummer = excluded.nummer, geaendert_am = now()`);
}

const NO_CALLS: Map<string, AgentCall> = new Map();

/** One mark for each Mandant: what changed. Lists go as texts of arrays, which have no rows of arrays of unequal length. */
function addMarks(statement: Statement, parts: (Written & Partial<Counted>)[]): void {
  const rows = parts.map((part, index) => {
    const calls = [...(part.agents ?? NO_CALLS)];
    return {
      m: index + 1,
      nummer: part.marken + 1,
      merkmale: arrayText(Array.from(part.resolved.ids).slice(1)),
      tage: arrayText(part.sums.days()),
      agenten: JSON.stringify(calls.map(([agent]) => agent)),
      aufrufe: arrayText(calls.map(([, { letzterAufruf }]) => isoOf(letzterAufruf))),
    };
  });
  const columns: [values: unknown[], type: string][] = [
    [rows.map((row) => row.m), 'int'],
    [rows.map((row) => row.nummer), 'bigint'],
    [rows.map((row) => row.merkmale), 'text'],
    [rows.map((row) => row.tage), 'text'],
    [rows.map((row) => row.agenten), 'text'],
    [rows.map((row) => row.aufrufe), 'text'],
  ];
  const arrays = columns.map(([values, type]) => `${statement.place(values)}::${type}[]`);
  statement.part(`INSERT INTO zaehlmarken (mandant_id, nummer, merkmale, tage, agenten, aufrufe_am)
    SELECT ${MANDANT}, n.nummer, n.merkmale::int[], n.tage::date[],
      ARRAY(SELECT json_array_elements_text(n.agenten::json)), n.aufrufe::timestamptz[]
    FROM unnest(${arrays.join(', ')}) AS n (m, nummer, merkmale, tage, agenten, aufrufe)`);
}

// Prepared once for each connection: planning costs more than a small stretch.
const run = (client: pg.ClientBase, name: string, { text, values }: Statement) =>
  client.query({ name, text, values });

const statementFor = (parts: Written[]) => new Statement(parts.map(({ mandant }) => mandant));

/** Adds what has changed for events that were counted before. */
export async function addToCounted(client: pg.ClientBase, parts: Written[]): Promise<void> {
  const statement = statementFor(parts);
  // Every value of a counted event has its number, but for those of a Mandant who is being removed.
  addMerkmale(statement, parts);
  addConsumption(statement, parts);
  addMarks(statement, parts);
  // What a run's state says of its cost is not right any more.
  const runs = rowsOf(parts, ({ runs, marken }) => runs.map(({ lauf }) => ({ lauf, nummer: marken + 1 })));
  const column = (values: unknown[], type: string) => `${statement.place(values)}::${type}[]`;
  const arrays = [
    column(
      runs.map((row) => row.m),
      'int',
    ),
    column(
      runs.map((row) => row.lauf),
      'uuid',
    ),
    column(
      runs.map((row) => row.nummer),
      'bigint',
    ),
  ];
  statement.part(`UPDATE lauf_zustaende z SET neu_lesen = true, nummer = n.nummer, geaendert_am = now()
    FROM unnest(${arrays.join(', ')}) AS n (m, lauf_id, nummer)
    WHERE z.mandant_id = ${MANDANT} AND z.lauf_id = n.lauf_id`);
  advance(statement, parts);
  await run(client, 'nachzaehlen', statement);
}

/** What newly counted events bring besides. */
export interface Counted extends Written {
  count: number;
  span: Span;
  /** By agent. */
  agents: Map<string, AgentCall>;
  states: ChangedRun[];
}

/** Adds newly counted events. */
export async function addCounted(client: pg.ClientBase, parts: Counted[]): Promise<void> {
  const statement = statementFor(parts);
  // PostgreSQL runs the last part first: agents after projects, as a change of an agent does.
  addAgents(statement, parts);
  addMerkmale(statement, parts);
  addConsumption(statement, parts);
  addRunStates(statement, parts);
  addMarks(statement, parts);
  advance(statement, parts);
  await run(client, 'zaehlen', statement);
}

/** What the connection page asks for, how many events ever, the first and the last of them; and the numbers that were given. */
function advance(statement: Statement, parts: (Written & Partial<Counted>)[]): void {
  const instant = (of: Microseconds | null | undefined) => of && isoOf(of);
  const columns: Column<Written & Partial<Counted> & { m: number }>[] = [
    ['m', 'int', (part) => part.m],
    ['anzahl', 'bigint', (part) => part.count ?? 0],
    ['erster', 'timestamptz', (part) => instant(part.span?.ersterAufruf)],
    ['letzter', 'timestamptz', (part) => instant(part.span?.letzterAufruf)],
    ['von', 'timestamptz', (part) => instant(part.span?.von)],
    ['bis', 'timestamptz', (part) => instant(part.span?.bis)],
    ['merkmale', 'int', (part) => part.resolved.fresh?.stand.merkmale_anzahl ?? null],
    ['marke', 'uuid', (part) => part.resolved.fresh?.stand.merkmale_marke ?? null],
  ];
  const rows = rowsOf(parts, (part) => [part]);
  const arrays = columns.map(([, type, read]) => `${statement.place(rows.map(read))}::${type}[]`);
  statement.part(`UPDATE zaehlstaende z SET ereignisse_gesamt = ereignisse_gesamt + n.anzahl,
      erster_aufruf_am = least(erster_aufruf_am, n.erster), letzter_aufruf_am = greatest(letzter_aufruf_am, n.letzter),
      daten_von = least(daten_von, n.von), daten_bis = greatest(daten_bis, n.bis),
      marken = marken + 1, merkmale_anzahl = coalesce(n.merkmale, merkmale_anzahl), merkmale_marke = coalesce(n.marke, merkmale_marke)
    FROM unnest(${arrays.join(', ')}) AS n (${columns.map(([name]) => name).join(', ')})
    WHERE z.mandant_id = ${MANDANT}`);
}
