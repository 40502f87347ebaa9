/**
 * What adds sums, runs and dimensions of one or several Mandanten to what is there, in one statement. Runs as the owner, inside
 * the counting transaction.
 */
import type pg from 'pg';
import { isoOf, type Microseconds } from '#kernel/microseconds.ts';
import type { AgentCall } from '../runs.ts';
import { addConsumption } from './consumption.ts';
import { addAgents, addMerkmale } from './dimensions.ts';
import { addKeySums, addSources, changeSources } from './keys.ts';
import { addPieces } from './pieces.ts';
import { addRuns, changeRuns, type RunEdition, readRunEditions } from './runs.ts';
import { arrayText, type Column, rowsOf, Statement, unnest } from './statement.ts';
import type { Counted, Written } from './written.ts';

const NO_CALLS: Map<string, AgentCall> = new Map();

type Row = Written & Partial<Counted>;

/** 10^-34 EUR of a millionth of a EUR. */
const MILLIONTH = 10n ** 28n;
/** Whole millionths of a EUR, rounded up. */
const millionthsOf = (eur: bigint): bigint => (eur + MILLIONTH - 1n) / MILLIONTH;
/** What a number of JavaScript holds, as a reader of marks takes it: beyond it nobody says what the calls cost. */
const MOST_MILLIONTHS = BigInt(Number.MAX_SAFE_INTEGER);

/** What the calls of each agent cost, as a mark says it; null where that is unknown or beyond what it can say. */
function costsOf(agents: Row['agents']): string | null {
  const costs = agents && [...agents.values()].map(({ eur }) => millionthsOf(eur));
  return costs?.every((cost) => cost <= MOST_MILLIONTHS) ? arrayText(costs) : null;
}

/**
 * One mark for each Mandant: what changed, `withRuns` the runs, too. Lists go as texts of arrays, which have no rows of arrays of unequal
 * length.
 */
function addMarks(statement: Statement, parts: Row[], withRuns: boolean): void {
  const calls = ({ agents }: Row) => [...(agents ?? NO_CALLS)];
  const columns: Column<Row>[] = [
    ['nummer', 'bigint', ({ marken }) => marken + 1],
    ['merkmale', 'text', ({ resolved }) => arrayText(Array.from(resolved.ids).slice(1))],
    ['tage', 'text', ({ sums }) => arrayText(sums.days())],
    ['schluessel', 'text', ({ keys }) => arrayText(keys.keys())],
    ['agenten', 'text', (row) => JSON.stringify(calls(row).map(([agent]) => agent))],
    ['aufrufe', 'text', (row) => arrayText(calls(row).map(([, { letzterAufruf }]) => isoOf(letzterAufruf)))],
    ['kosten', 'text', ({ agents }) => costsOf(agents)],
    ['laeufe', 'text', ({ runs }) => arrayText(withRuns ? runs.map(({ lauf }) => lauf) : [])],
    ['gedaechtnis', 'uuid', ({ gedaechtnis }) => gedaechtnis ?? null],
  ];
  const rows = rowsOf(parts, (part) => [part]);
  statement.part(`INSERT INTO zaehlmarken (mandant_id, nummer, merkmale, tage, schluessel, agenten, aufrufe_am,
      kosten, laeufe, gedaechtnis)
    SELECT ${statement.inserted}, n.nummer, n.merkmale::int[], n.tage::date[], n.schluessel::uuid[],
      ARRAY(SELECT json_array_elements_text(n.agenten::json)), n.aufrufe::timestamptz[],
      n.kosten::bigint[], n.laeufe::uuid[], n.gedaechtnis
    FROM ${statement.from(unnest(statement, columns, rows))}`);
}

/** What the connection page asks for, how many events ever, the first and the last of them; and the numbers that were given. */
function advance(statement: Statement, parts: Row[]): void {
  const instant = (of: Microseconds | null | undefined) => of && isoOf(of);
  const columns: Column<Row>[] = [
    ['anzahl', 'bigint', (part) => part.count ?? 0],
    ['erster', 'timestamptz', (part) => instant(part.span?.ersterAufruf)],
    ['letzter', 'timestamptz', (part) => instant(part.span?.letzterAufruf)],
    ['von', 'timestamptz', (part) => instant(part.span?.von)],
    ['bis', 'timestamptz', (part) => instant(part.span?.bis)],
    ['merkmale', 'int', (part) => part.resolved.fresh?.stand.merkmale_anzahl ?? null],
    ['quellen', 'text', ({ sources }) => sources.names?.join('\n') ?? null],
    ['marke', 'uuid', (part) => part.resolved.fresh?.stand.merkmale_marke ?? null],
  ];
  const rows = rowsOf(parts, (part) => [part]);
  statement.part(`UPDATE zaehlstaende z SET ereignisse_gesamt = ereignisse_gesamt + n.anzahl,
      erster_aufruf_am = least(erster_aufruf_am, n.erster), letzter_aufruf_am = greatest(letzter_aufruf_am, n.letzter),
      daten_von = least(daten_von, n.von), daten_bis = greatest(daten_bis, n.bis),
      marken = marken + 1, stuecke_bis = marken + 1, merkmale_anzahl = coalesce(n.merkmale, merkmale_anzahl),
      merkmale_marke = coalesce(n.marke, merkmale_marke),
      quellen = coalesce(string_to_array(n.quellen, E'\\n'), z.quellen)
    FROM ${unnest(statement, columns, rows)}
    WHERE z.mandant_id = ${statement.mandant}`);
}

// Prepared once for each connection: planning costs more than a small stretch. What a statement adds to makes its text.
const run = (client: pg.ClientBase, name: string, statement: Statement) =>
  client.query<{ laeufe: Buffer | null }>({
    name: statement.isForOne ? `${name}_allein` : name,
    text: statement.text,
    values: statement.values,
  });

const statementFor = (parts: Written[]) => new Statement(parts.map(({ mandant }) => mandant));

/** Adds what has changed for events that were counted before; `rereads`: rules are to look at their runs again. */
export async function addToCounted(client: pg.ClientBase, parts: Written[], rereads: boolean): Promise<void> {
  const statement = statementFor(parts);
  // Every value of a counted event has its number, but for those of a Mandant who is being removed.
  addMerkmale(statement, parts);
  await addConsumption(statement, parts);
  addPieces(statement, parts);
  addKeySums(statement, parts);
  changeSources(statement, parts);
  changeRuns(statement, parts, rereads);
  addMarks(statement, parts, rereads);
  advance(statement, parts);
  await run(client, rereads ? 'nachzaehlen' : 'aendern', statement);
}

/** Adds newly counted events; resolves with what the runs are then, by Mandant and run. */
export async function addCounted(
  client: pg.ClientBase,
  parts: Counted[],
): Promise<Map<string, Map<string, RunEdition>>> {
  const statement = statementFor(parts);
  // PostgreSQL runs the last part first: agents after projects, as a change of an agent does.
  addAgents(statement, parts);
  addMerkmale(statement, parts);
  await addConsumption(statement, parts);
  addPieces(statement, parts);
  addKeySums(statement, parts);
  addSources(statement, parts);
  addRuns(statement, parts);
  addMarks(statement, parts, true);
  advance(statement, parts);
  const { rows } = await run(client, 'zaehlen', statement);
  return readRunEditions(rows[0]?.laeufe ?? null);
}
