/** Findings about runs that do not hold any more since calls of theirs came late. */
import { typesOfCause } from '#contracts';
import type { Candidate } from '../candidate.ts';
import type { Look } from '../detector.ts';
import type { DetectedRule } from '../detectors.ts';

/**
 * Of the runs that are loaded. A run goes on, and what holds of a part of it may not hold of all of it: only where a call came after the finding,
 * about a time that the finding is about, it rests on what was not so. A rule that was changed since withdraws nothing.
 */
const GONE = `SELECT b.befund_id FROM detektoren_laeufe l
  JOIN befunde b ON b.mandant_id = $1 AND b.lauf_id = l.lauf_id
  JOIN regeln r ON r.mandant_id = b.mandant_id AND r.regel_id = b.regel_id
  WHERE b.regel_id = ANY ($2::uuid[]) AND b.status <> 'hinfaellig' AND b.geaendert_am < $3 AND r.geaendert_am <= b.erkannt_am
    AND NOT EXISTS (SELECT FROM unnest($4::uuid[], $5::uuid[], $6::timestamptz[], $7::timestamptz[]) AS n (regel_id, lauf_id, beginn, bis)
      WHERE n.regel_id = b.regel_id AND n.lauf_id = b.lauf_id AND n.bis >= b.fenster_beginn
        AND n.beginn <= coalesce((b.werte->>'bis')::timestamptz, b.fenster_beginn))
    AND EXISTS (SELECT FROM ereignisse e WHERE e.mandant_id = $1 AND e.lauf_id = b.lauf_id AND e.empfangen_am > b.erkannt_am
      AND e.zeitpunkt BETWEEN l.beginn AND coalesce((b.werte->>'bis')::timestamptz, b.fenster_beginn))`;

/** Their ids, of what these rules have found; loops are looked after call by call (`repeats.ts`). Inside the transaction of the look. */
export async function readOverturned(
  { client, mandant, bis }: Look,
  rules: DetectedRule[],
  found: Candidate[],
): Promise<string[]> {
  const loops = typesOfCause('wiederholungen') as string[];
  const own = rules.filter(({ typ }) => !loops.includes(typ)).map(({ regel_id }) => regel_id);
  if (own.length === 0) return [];
  const { rows } = await client.query<{ befund_id: string }>(GONE, [
    mandant,
    own,
    bis.toString(),
    found.map(({ regel }) => regel?.regel_id),
    found.map(({ lauf }) => lauf),
    found.map(({ fensterBeginn }) => fensterBeginn),
    found.map(({ fensterBeginn, werte }) => werte.bis ?? fensterBeginn),
  ]);
  return rows.map(({ befund_id }) => befund_id);
}
