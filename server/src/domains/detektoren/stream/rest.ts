/** Agents that were just looked at for a rule: what goes on is the same finding, only larger. */
import type pg from 'pg';
import type { RegelVon } from '#domains/regeln/index.ts';

/** Seconds after which an agent is looked at again. */
const REST_SECONDS = 10;

const LOOKED_AT = `SELECT objekt, regel_id FROM befunde
  WHERE mandant_id = $1 AND objekt_art = 'agent' AND objekt = ANY ($2::text[]) AND geaendert_am > $3`;

/** The agents of each rule without those of which it has just found something. */
export async function withoutThoseJustSeen<R extends Pick<RegelVon, 'regel_id'>>(
  client: pg.PoolClient,
  mandant: string,
  reasons: Map<R, string[]>,
  now: Date,
): Promise<Map<R, string[]>> {
  const since = new Date(now.getTime() - REST_SECONDS * 1_000);
  const agents = [...new Set([...reasons.values()].flat())];
  const { rows } = await client.query<{ objekt: string; regel_id: string }>(LOOKED_AT, [
    mandant,
    agents,
    since,
  ]);
  const seen = new Set(rows.map(({ objekt, regel_id }) => `${regel_id} ${objekt}`));
  return new Map(
    [...reasons].map(([rule, own]) => [rule, own.filter((agent) => !seen.has(`${rule.regel_id} ${agent}`))]),
  );
}
