/** SQL of incidents in the order in which they want to be looked at. */
import { sql } from 'kysely';
import { STUFEN } from '#contracts';
import { exactText, type MandantTx } from '#platform/database/index.ts';
import { INCIDENT, type VorfallRow } from './store.ts';

/** What incidents are put in order by their gravity with, all of it descending. */
export interface Schwere {
  /** 0 where all findings were in shadow mode. */
  gehandelt: number;
  rang: number;
  verbrannt: string;
}

/** Incidents of this status, the gravest first, at most `limit`: those behind `after`. */
export function readGravest(
  tx: MandantTx,
  status: string | undefined,
  limit: number,
  after: [gehandelt: string, rang: string, verbrannt: string, vorfall_id: string] | null,
): Promise<(VorfallRow & Schwere)[]> {
  const burnt = tx
    .selectFrom('befunde')
    .select(sql<string>`coalesce(sum(verbrannt_eur), 0)`.as('verbrannt'))
    .where('befunde.mandant_id', '=', tx.mandant)
    .where(sql<boolean>`befunde.vorfall_id = vorfaelle.vorfall_id`)
    .where('befunde.status', '<>', 'hinfaellig');
  let weighed = tx
    .selectFrom('vorfaelle')
    .select(INCIDENT)
    .select([
      sql<number>`(NOT schatten)::int`.as('gehandelt'),
      sql<number>`array_position(${STUFEN}::text[], stufe)`.as('rang'),
      burnt.as('verbrannt'),
    ])
    .where('vorfaelle.mandant_id', '=', tx.mandant);
  if (status) weighed = weighed.where('status', '=', status);
  const incidents = weighed;
  let query = tx
    .with('gewichtet', () => incidents)
    .selectFrom('gewichtet')
    .select([...INCIDENT, 'gehandelt', 'rang'])
    .select(({ ref }) => exactText(ref('gewichtet.verbrannt')).as('verbrannt'));
  if (after) {
    const [gehandelt, rang, verbrannt, id] = after;
    query = query.where(
      sql<boolean>`(gehandelt, rang, verbrannt, vorfall_id) < (${gehandelt}::numeric, ${rang}::numeric, ${verbrannt}::numeric, ${id}::uuid)`,
    );
  }
  return query
    .orderBy('gehandelt', 'desc')
    .orderBy('rang', 'desc')
    .orderBy('gewichtet.verbrannt', 'desc')
    .orderBy('vorfall_id', 'desc')
    .limit(limit)
    .$castTo<VorfallRow & Schwere>()
    .execute();
}
