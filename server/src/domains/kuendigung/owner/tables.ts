/** Which tables hold something of a Mandant: asked of the catalog, so that a new table cannot be forgotten. */
import type { OwnerDatabase } from '#platform/database/owner-database.ts';

export interface MandantTable {
  /** Quoted where necessary. */
  name: string;
  /** The columns of the primary key, quoted where necessary. */
  key: string[];
}

interface CatalogRow extends Record<string, unknown> {
  name: string;
  key: string[] | null;
  parents: string[];
}

// Partitions are reached through their table.
const TABLES = `
  SELECT c.oid::regclass::text AS name,
    (SELECT array_agg(quote_ident(k.attname) ORDER BY place.nr)
     FROM pg_index i, unnest(i.indkey::int2[]) WITH ORDINALITY AS place (attnum, nr)
       JOIN pg_attribute k ON k.attnum = place.attnum
     WHERE i.indrelid = c.oid AND i.indisprimary AND k.attrelid = c.oid) AS key,
    ARRAY(SELECT DISTINCT f.confrelid::regclass::text FROM pg_constraint f
          WHERE f.conrelid = c.oid AND f.contype = 'f' AND f.confrelid <> c.oid) AS parents
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
  WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND a.attname = 'mandant_id' AND NOT a.attisdropped
    AND c.relnamespace NOT IN ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
  ORDER BY 1`;

/** Children before the tables they refer to. */
function childrenFirst(rows: CatalogRow[]): CatalogRow[] {
  const ordered: CatalogRow[] = [];
  let left = rows;
  while (left.length > 0) {
    const free = left.filter(({ name }) => !left.some((other) => other.parents.includes(name)));
    if (free.length === 0) throw new Error(`tables refer to each other: ${left.map(({ name }) => name)}`);
    ordered.push(...free);
    left = left.filter((row) => !free.includes(row));
  }
  return ordered;
}

/** Every table with a `mandant_id`, in an order in which their rows can be removed. */
export async function readMandantTables(db: OwnerDatabase): Promise<MandantTable[]> {
  const { rows } = await db.query<CatalogRow>(TABLES);
  return childrenFirst(rows).map(({ name, key }) => {
    if (!key) throw new Error(`table ${name} has no primary key to remove its rows by`);
    return { name, key };
  });
}
