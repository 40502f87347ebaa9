/** Under which key a candidate is written down: calls that come late change a finding, they never add one. Runs as the owner. */
import type pg from 'pg';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { Candidate } from '../candidate.ts';
import { keyOf, limitOf, overlaps, type Stretch } from '../rules.ts';

// What a rule has found in these runs: calls that came late may have moved where it begins.
const IN_RUNS = `SELECT schluessel, status, regel_id, lauf_id, fenster_beginn, werte->>'bis' AS bis, coalesce(werte->>'schwelle', '') AS grenze FROM befunde
  WHERE mandant_id = $1 AND lauf_id = ANY ($2::uuid[]) AND objekt_art = 'lauf' AND regel_id = ANY ($3::uuid[])
  ORDER BY befund_id`;

interface InRun extends Stretch {
  schluessel: string;
  status: string;
  regel_id: string;
  lauf_id: string;
  /** The limit that was crossed; empty for none. */
  grenze: string;
}

/**
 * Candidates by the keys of their findings. A finding of a run keeps the key it was first told with when calls that come late move
 * where it begins: what has no finding under its own key is the one of rule, run and limit that it overlaps and nothing else
 * claims. One that was withdrawn is another cause.
 */
export async function readKeys(
  client: Pick<pg.ClientBase, 'query'>,
  mandant: MandantId,
  candidates: Candidate[],
): Promise<Map<string, Candidate>> {
  const byKey = new Map(candidates.map((candidate) => [keyOf(candidate), candidate]));
  const ofRuns = [...byKey].filter(([, { objektArt, regel }]) => objektArt === 'lauf' && regel !== null);
  if (ofRuns.length === 0) return byKey;
  const { rows } = await client.query<InRun>(IN_RUNS, [
    mandant,
    [...new Set(ofRuns.map(([, { objekt }]) => objekt))],
    [...new Set(ofRuns.map(([, { regel }]) => regel?.regel_id))],
  ]);
  const known = new Set(rows.map(({ schluessel }) => schluessel));
  const free = Map.groupBy(
    rows.filter(({ schluessel, status }) => status !== 'hinfaellig' && !byKey.has(schluessel)),
    ({ regel_id, lauf_id }) => `${regel_id} ${lauf_id}`,
  );
  const taken = new Set<string>();
  for (const [key, candidate] of ofRuns) {
    if (known.has(key)) continue;
    const own = free.get(`${candidate.regel?.regel_id} ${candidate.objekt}`) ?? [];
    const before = own.find(
      (each) =>
        !taken.has(each.schluessel) && each.grenze === limitOf(candidate) && overlaps(candidate, each),
    );
    if (!before) continue;
    taken.add(before.schluessel);
    byKey.delete(key);
    byKey.set(before.schluessel, candidate);
  }
  return byKey;
}
