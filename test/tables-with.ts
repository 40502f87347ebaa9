import type { TestService } from './service.ts';

/** Tables of any schema in which a text occurs anywhere. */
export async function tablesWith(service: TestService, text: string): Promise<string[]> {
  const all = await service.sql<{ name: string }>(
    `SELECT oid::regclass::text AS name FROM pg_class WHERE relkind IN ('r', 'p', 'm') AND NOT relispartition
       AND relnamespace NOT IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
       AND relnamespace::regnamespace::text NOT LIKE 'pg_toast%' ORDER BY 1`,
  );
  const found = [];
  for (const { name } of all) {
    const rows = await service.sql(`SELECT FROM ${name} t WHERE strpos(t::text, $1) > 0 LIMIT 1`, [text]);
    if (rows.length > 0) found.push(name);
  }
  return found;
}
