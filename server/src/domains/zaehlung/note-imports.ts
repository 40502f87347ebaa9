/**
 * Which calls came by an import, and by nothing else: those it was the first to tell of, until another source tells of them, too. Noted in
 * the transaction that counts, so that taking an import back takes neither more nor less.
 */
import type pg from 'pg';
import type { Retold } from './retold.ts';
import type { Part } from './stretch.ts';

const NOTE = `INSERT INTO import_aufrufe (mandant_id, ereignis_id, import_id, zeitpunkt)
  SELECT $1::uuid, n.id, $2::uuid, n.zeit FROM unnest($3::uuid[], $4::timestamptz[]) AS n (id, zeit) ON CONFLICT DO NOTHING`;
const ADD = `UPDATE importe SET gezaehlt = gezaehlt + $3, angenommen = angenommen + $4, schon_da_telemetrie = schon_da_telemetrie + $5
  WHERE mandant_id = $1 AND import_id = $2`;
const FORGET = 'DELETE FROM import_aufrufe WHERE mandant_id = $1 AND ereignis_id = ANY($2::uuid[])';

/** By Mandant: calls of which another way has told. */
export type RetoldOfMandanten = Map<string, Retold[]>;

/** The ids of what was sent and counted before. */
function repeatsOf({ ids }: Part, fresh: Part | undefined): string[] {
  if (fresh && fresh.ids.count === ids.count) return [];
  const isNew = new Set(fresh?.ids.texts());
  return ids.texts().filter((id) => !isNew.has(id));
}

/** `sent` as it came, `fresh` what of it was not counted before, `told` what another way had told of. */
export async function noteImports(
  client: pg.PoolClient,
  sent: readonly Part[],
  { fresh, told }: { fresh: readonly Part[]; told: RetoldOfMandanten },
): Promise<void> {
  for (const part of sent) {
    const { mandant, imported, ids, repeats } = part;
    const counted = fresh.find((each) => each.mandant === mandant);
    const retold = told.get(mandant) ?? [];
    if (imported === null) {
      const repeated = [...repeatsOf(part, counted), ...retold.map(({ as }) => as)];
      if (repeated.length > 0) await client.query(FORGET, [mandant, repeated]);
      continue;
    }
    const isNew = counted?.imported ?? { ids: [], times: [] };
    await client.query(NOTE, [mandant, imported.importId, isNew.ids, isNew.times]);
    await client.query(ADD, [
      mandant,
      imported.importId,
      ids.count + repeats,
      isNew.ids.length,
      retold.length,
    ]);
  }
}
