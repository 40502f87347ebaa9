/** How many marks counting has left for Mandanten so far: it is another number whenever anything of theirs has changed. */
import type { OwnerDatabase } from '#platform/database/owner-database.ts';

const MARKS = 'SELECT mandant_id, marken FROM zaehlstaende WHERE mandant_id = ANY ($1::uuid[])';

/** By Mandant; those of whom nothing was counted are not in it. */
export async function readMarkCounts(
  db: OwnerDatabase,
  mandanten: readonly string[],
): Promise<Map<string, number>> {
  const { rows } = await db.query<{ mandant_id: string; marken: string | number }>(MARKS, [mandanten]);
  return new Map(rows.map(({ mandant_id, marken }) => [mandant_id, Number(marken)]));
}
