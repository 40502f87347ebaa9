/** The TypeScript description of the tables and of the functions that find something, read from a migrated database. */
import type pg from 'pg';

interface ColumnRow {
  name: string;
  column: string;
  type: string;
  required: boolean;
  /** Computed by the database alone. */
  always: boolean;
  /** May be left out when a row is added. */
  preset: boolean;
  check: string | null;
}

// Partitions are their table; what a migration tool or the job queue keeps for itself is not the service's.
const COLUMNS = `
  SELECT c.relname AS name, a.attname AS "column", format_type(a.atttypid, NULL) AS type, a.attnotnull AS required,
    a.attgenerated <> '' OR a.attidentity = 'a' AS always, a.atthasdef OR a.attidentity = 'd' AS preset,
    (SELECT string_agg(pg_get_constraintdef(k.oid), ' AND ') FROM pg_constraint k
     WHERE k.conrelid = c.oid AND k.contype = 'c' AND k.conkey = ARRAY[a.attnum]) AS check
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND c.relname <> 'migrationen'
  ORDER BY c.relname COLLATE "C", a.attnum`;

const FUNCTIONS = `
  SELECT p.proname AS name, o.name AS "column", format_type(o.type, NULL) AS type, true AS required,
    false AS always, false AS preset, NULL AS check
  FROM pg_proc p, unnest(p.proallargtypes, p.proargmodes, p.proargnames) WITH ORDINALITY AS o (type, mode, name, place)
  WHERE p.pronamespace = 'public'::regnamespace AND o.mode = 't'
  ORDER BY p.proname COLLATE "C", o.place`;

/** How values come out of the pools (platform/database/pool.ts). */
const TYPES: Record<string, string> = {
  bigint: 'number | string',
  // Lists of amounts and of times are taken apart in SQL: the driver would make floats and Dates of them.
  'bigint[]': 'unknown',
  boolean: 'boolean',
  bytea: 'Buffer',
  date: 'string',
  'date[]': 'unknown',
  'double precision': 'number',
  integer: 'number',
  'integer[]': 'number[]',
  json: 'unknown',
  jsonb: 'unknown',
  numeric: 'string',
  'numeric[]': 'unknown',
  smallint: 'number',
  'smallint[]': 'number[]',
  text: 'string',
  'text[]': 'string[]',
  'timestamp with time zone': 'string',
  'timestamp with time zone[]': 'unknown',
  uuid: 'string',
  'uuid[]': 'string[]',
};

const ONE_OF = /^CHECK \(\(\w+ = ANY \(ARRAY\[(.+)\]\)\)\)$/;

/** What a column may hold according to its constraint; null when that is no list of texts. */
function listedIn(check: string | null): string | null {
  const list = ONE_OF.exec(check ?? '')?.[1];
  return list ? [...list.matchAll(/'([^']*)'::text/g)].map(([, value]) => `'${value}'`).join(' | ') : null;
}

function typeOf({ name, column, type, required, always, preset, check }: ColumnRow): string {
  const known = listedIn(check) ?? TYPES[type];
  if (!known) throw new Error(`${name}.${column}: no TypeScript type stands for ${type}`);
  const value = required || known === 'unknown' ? known : `${known} | null`;
  if (always) return `GeneratedAlways<${value}>`;
  return preset ? `Generated<${value}>` : value;
}

const membersOf = (rows: ColumnRow[]): string =>
  [...Map.groupBy(rows, ({ name }) => name)]
    .map(
      ([name, columns]) =>
        `  ${name}: {\n${columns.map((row) => `    ${row.column}: ${typeOf(row)};\n`).join('')}  };\n`,
    )
    .join('');

/** The text of `tables.ts`. */
export async function describeTables(client: pg.ClientBase): Promise<string> {
  const tables = await client.query<ColumnRow>(COLUMNS);
  const functions = await client.query<ColumnRow>(FUNCTIONS);
  return `// biome-ignore-all format: made by \`npm run tables\` from the migrated schema; do not edit
import type { Generated, GeneratedAlways } from 'kysely';

/**
 * The tables as the migrations leave them. Exact decimals are text, instants ISO 8601 in UTC, days \`YYYY-MM-DD\`; counts beyond
 * 2^53 are text (\`toCount\` reads both).
 */
export interface Tables {
${membersOf(tables.rows)}}

/** What functions answer. Whether a value may be missing is not declared there. */
export interface Functions {
${membersOf(functions.rows)}}
`;
}
