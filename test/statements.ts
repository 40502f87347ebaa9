/**
 * Could a cluster send every statement to the one node that has the Mandant? What the connections of a pool are asked is
 * kept, and the planner tells afterwards whether each volume table is read of one Mandant that the statement itself names:
 * it is asked as the owner, for whom row-level security adds nothing. The plan tells as well what rows are put in order by.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { VOLUME_TABLES } from '#platform/database/volume-tables.ts';

export interface Statement {
  text: string;
  values: unknown[];
  /** Under the request role; to whom it was bound then. */
  request: { mandant: string | null } | null;
}

/** The tables of a kind as docs/architecture.md lists them: `account`, `volume`, `installation`. */
export function tablesOfKind(kind: string): string[] {
  const map = readFileSync(join(import.meta.dirname, '../docs/architecture.md'), 'utf8');
  const [, row] = new RegExp(`^\\| ${kind} [^|]*\\|([^|]*)\\|$`, 'm').exec(map) ?? [];
  if (!row) throw new Error(`docs/architecture.md lists no tables of the kind ${kind}`);
  return [...row.matchAll(/`(\w+)`/g)].map(([, name]) => name as string);
}

/** How the transaction of a request begins. */
const TO_BE_BOUND = /SET LOCAL citus\.propagate_set_commands/;
const BOUND = /^SET LOCAL zw\.mandant = '(.+)'$/;

/** What the connections that a pool makes from now on are asked, each text once. */
export function recordStatements(pool: pg.Pool): Map<string, Statement> {
  const statements = new Map<string, Statement>();
  pool.on('connect', (client) => {
    let request: Statement['request'] = null;
    const follow = (text: string, values: unknown[]) => {
      const [, mandant] = BOUND.exec(text) ?? [];
      if (TO_BE_BOUND.test(text)) request = { mandant: null };
      else if (mandant) request = { mandant };
      else if (/^(BEGIN\b|COMMIT$|ROLLBACK$)/.test(text)) request = null;
      else if (!statements.has(text)) statements.set(text, { text, values, request });
    };
    const query = client.query.bind(client) as (...given: unknown[]) => unknown;
    client.query = ((...given: [string | { text: string; values?: unknown[] }, unknown[]?]) => {
      const [first, values] = given;
      if (typeof first === 'string') follow(first, Array.isArray(values) ? values : []);
      else if ('text' in first) follow(first.text, first.values ?? (Array.isArray(values) ? values : []));
      return query(...given);
    }) as typeof client.query;
  });
  return statements;
}

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Cond'?: string;
  'Recheck Cond'?: string;
  Filter?: string;
}

/** The scans of a plan, those that a cluster has on its workers among them. */
function scansOf(plan: unknown): Plan[] {
  if (plan === null || typeof plan !== 'object') return [];
  const { 'Node Type': type, 'Relation Name': table } = plan as Partial<Plan>;
  const isScan = table !== undefined && type !== undefined && type !== 'ModifyTable';
  return [...(isScan ? [plan as Plan] : []), ...Object.values(plan).flatMap(scansOf)];
}

/** What the rows of a plan, and of its parts, are put in order by. */
function sortKeysOf(plan: unknown): string[] {
  if (plan === null || typeof plan !== 'object') return [];
  const { 'Sort Key': keys = [] } = plan as { 'Sort Key'?: string[] };
  return [...keys, ...Object.values(plan).flatMap(sortKeysOf)];
}

/** An amount as answers have it: as a text, `9.5` comes after `142`. */
const AMOUNT_AS_TEXT = /\btrim_scale\(.*\)::text/;

const NAMED = /\bmandant_id = '([0-9a-f-]{36})'::uuid/;
const namedIn = (scan: Plan): string | undefined =>
  NAMED.exec(`${scan['Index Cond']} ${scan['Recheck Cond']} ${scan.Filter}`)?.[1];

async function rootsOfPartitions(client: pg.ClientBase): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; root: string }>(
    `SELECT relname AS name, pg_partition_root(oid)::text AS root FROM pg_class WHERE relispartition AND relkind = 'r'`,
  );
  return new Map(rows.map(({ name, root }) => [name, root]));
}

/** The statement with its values in it, as far as they are texts. */
const writtenOut = (statement: string, values: unknown[]): string =>
  statement.replace(/\$(\d+)/g, (place, nth) => {
    const value = values[Number(nth) - 1];
    return typeof value === 'string' ? pg.escapeLiteral(value) : place;
  });

/** The plan; a cluster has none, with values, for an INSERT of rows that its coordinator copies, though it runs it. */
async function planOf(client: pg.ClientBase, statement: string, values: unknown[]): Promise<unknown[]> {
  const explain = async (text: string, given: unknown[]) =>
    (await client.query(`EXPLAIN (FORMAT JSON) ${text}`, given)).rows;
  try {
    return await explain(statement, values).catch(() => explain(writtenOut(statement, values), []));
  } catch (cause) {
    throw new Error(`has no plan: ${statement}`, { cause });
  }
}

/**
 * The statements among these that touch a volume table without naming one Mandant, or another than the one they were bound
 * to, and those that put amounts in the order of their texts. `client` is the owner's.
 */
export async function findFaulty(client: pg.ClientBase, statements: Iterable<Statement>): Promise<string[]> {
  const volume: readonly string[] = VOLUME_TABLES;
  const roots = await rootsOfPartitions(client);
  // A cluster numbers the parts of a table: `laeufe_102104`.
  const tableOf = (name: string) => (volume.includes(name) ? name : name.replace(/_\d{6,}$/, ''));
  const faulty: string[] = [];
  for (const { text, values, request } of statements) {
    const [, statement] =
      /^(?:DECLARE \w+ NO SCROLL CURSOR FOR )?\s*((?:SELECT|INSERT|UPDATE|DELETE|WITH)\b.*)$/is.exec(text) ??
      [];
    if (!statement) continue;
    const rows = await planOf(client, statement, values);
    const scans = scansOf(rows).filter(({ 'Relation Name': name = '' }) => {
      const table = tableOf(name);
      return volume.includes(roots.get(table) ?? table);
    });
    const named = scans.map(namedIn);
    if (
      named.some((mandant) => mandant === undefined || (request && mandant !== request.mandant)) ||
      sortKeysOf(rows).some((key) => AMOUNT_AS_TEXT.test(key))
    )
      faulty.push(text);
  }
  return faulty;
}
