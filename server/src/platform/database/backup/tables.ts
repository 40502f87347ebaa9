/** The tables of the service as the catalog has them. */
import type pg from 'pg';
import { BackupRefused } from './manifest.ts';

export interface TableColumns {
  name: string;
  spalten: string[];
}

// Partitions are their table. Which migrations were run stands in the manifest.
const TABLES = `
  SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS spalten
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND c.relname <> 'migrationen' AND a.attgenerated = ''
  GROUP BY c.relname ORDER BY c.relname COLLATE "C"`;

const MONTHS = `
  SELECT replace(substr(c.relname, 12), '_', '-') AS monat
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
  WHERE i.inhparent = 'ereignisse'::regclass AND c.relname ~ '^ereignisse_\\d{4}_\\d{2}$' ORDER BY 1`;

// A sequence would have to be set to where it was; no migration may bring one without the backup knowing of it.
const UNKNOWN = `
  SELECT c.relname AS name FROM pg_class c
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind NOT IN ('r', 'p', 'i', 'I', 't', 'v', 'c')`;

/** Every table with the columns that hold something of their own. */
export async function readTables(client: pg.Client): Promise<TableColumns[]> {
  const unknown = await client.query<{ name: string }>(UNKNOWN);
  if (unknown.rows[0])
    throw new BackupRefused(
      `„${unknown.rows[0].name}“ ist keine Tabelle; eine Sicherung nähme es nicht mit.`,
    );
  return (await client.query<TableColumns>(TABLES)).rows;
}

/** The months that events have a partition for, `YYYY-MM`. */
export const readMonths = async (client: pg.Client): Promise<string[]> =>
  (await client.query<{ monat: string }>(MONTHS)).rows.map(({ monat }) => monat);
