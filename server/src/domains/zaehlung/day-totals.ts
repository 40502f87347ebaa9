/**
 * What the calls of local days add up to, anew of their hours: where a release counted that does not keep it (docs/decisions/0082). Goes
 * with that release.
 */
import type pg from 'pg';
import { completeSums, DAY_FIGURES, TOTAL } from '#domains/verbrauch/index.ts';

const ANEW = `UPDATE verbrauch_tagesstand t SET ${DAY_FIGURES.map((name) => `${name} = s.${name}`).join(', ')}
  FROM (
    SELECT (stunde AT TIME ZONE $2)::date AS tag, ${DAY_FIGURES.map((name) => `sum(${name}) AS ${name}`).join(', ')}
    FROM ${completeSums('stunde', 'alle')} AS v WHERE mandant_id = $1 AND merkmal_id = ${TOTAL.merkmal} GROUP BY 1) AS s
  WHERE t.mandant_id = $1 AND t.tag = s.tag
    -- Of a day whose hours are removed it stays what was counted.
    AND t.tag > coalesce((SELECT (stunden_ab AT TIME ZONE 'UTC')::date FROM zaehlstaende WHERE mandant_id = $1), '-infinity')
    AND (${DAY_FIGURES.map((name) => `t.${name}`).join(', ')}) IS DISTINCT FROM (${DAY_FIGURES.map((name) => `s.${name}`).join(', ')})`;

/**
 * In a transaction that reads from one snapshot and is repeated where others write what it writes: what is counted meanwhile is either in
 * it or added to it.
 */
export async function addUpDays(
  client: Pick<pg.ClientBase, 'query'>,
  { mandant_id, zeitzone }: { mandant_id: string; zeitzone: string },
): Promise<void> {
  await client.query(ANEW, [mandant_id, zeitzone]);
}
