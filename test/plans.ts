/** What statements make the database read. */
import type { TestService } from './service.ts';

interface Plan {
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Join Filter'?: number;
}

/** Keeps the tables without statistics, as they are just after much has come. */
export async function withholdStatistics(service: TestService): Promise<void> {
  const tables = await service.sql<{ name: string }>(
    `SELECT quote_ident(relname) AS name FROM pg_class
     WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND NOT relispartition`,
  );
  for (const { name } of tables) await service.sql(`ALTER TABLE ${name} SET (autovacuum_enabled = off)`);
}

function rowsIn(plan: unknown): number {
  if (plan === null || typeof plan !== 'object') return 0;
  const node = plan as Plan;
  const rows =
    (node['Actual Rows'] ?? 0) +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Join Filter'] ?? 0);
  return (
    rows * (node['Actual Loops'] ?? 0) +
    Object.values(plan).reduce((sum: number, part) => sum + rowsIn(part), 0)
  );
}

/** How many rows the steps of a statement's plan give and leave out, all together. */
export async function workOf(service: TestService, text: string, values: unknown[]): Promise<number> {
  const rows = await service.sql(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values);
  return rowsIn(rows[0]);
}
