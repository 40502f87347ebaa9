/** Which calls of a run are repeats: their cost becomes burnt money, and what was found of them is brought up to date. */
import type pg from 'pg';
import { typesOfCause } from '#contracts';
import { type Candidate, recordFindings, withdrawFindings } from '#domains/befunde/index.ts';
import { readActiveRules } from '#domains/regeln/index.ts';
import { setRepeats } from '#domains/zaehlung/index.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import { loadRuns } from '../calls/load.ts';
import type { Look } from '../detector.ts';
import { callsOf, detect, isOfCause, isRunRule, type RunRule } from '../detectors.ts';

const TAKE_OUT = 'DELETE FROM wiederholungen_offen WHERE mandant_id = $1 AND lauf_id = $2';
/** Runs with more calls are not read: what was noted of them stays. */
const MOST_CALLS = 200_000;
const ZONE = `SELECT m.zeitzone FROM mandanten m JOIN laeufe l USING (mandant_id)
  WHERE m.mandant_id = $1 AND l.lauf_id = $2 AND l.aufrufe <= ${MOST_CALLS}`;
// A rule that was changed since finds other things; what it found before was right.
const GONE = `SELECT b.befund_id FROM befunde b JOIN regeln r ON r.mandant_id = b.mandant_id AND r.regel_id = b.regel_id
  WHERE b.mandant_id = $1 AND b.lauf_id = $2 AND b.typ = ANY ($5::text[]) AND b.status <> 'hinfaellig'
    AND r.aktiv AND r.geaendert_am <= b.erkannt_am
    AND NOT EXISTS (SELECT FROM unnest($3::uuid[], $4::timestamptz[]) AS n (regel_id, beginn)
      WHERE n.regel_id = b.regel_id AND n.beginn = b.fenster_beginn)`;

/** The calls that findings of the rule are about, by their ids, but for those that are ignored. */
async function readCalls(look: Look, lauf: string, rule: RunRule): Promise<string[]> {
  const calls = callsOf(look, rule);
  if (!calls) return [];
  const own = [look.mandant, lauf, rule.regel_id];
  const [mandant, run, regel] = own.map((_, index) => `$${calls.values.length + index + 1}::uuid`);
  const { rows } = await look.client.query<{ ereignis_id: string }>(
    `SELECT ereignis_id FROM (${calls.text}) AS c WHERE NOT EXISTS (SELECT FROM befunde b
       WHERE b.mandant_id = ${mandant} AND b.lauf_id = ${run} AND b.regel_id = ${regel} AND b.status = 'ignoriert'
         AND c.zeitpunkt BETWEEN b.fenster_beginn AND coalesce((b.werte->>'bis')::timestamptz, 'infinity'))`,
    [...calls.values, ...own],
  );
  return rows.map(({ ereignis_id }) => ereignis_id);
}

/** Those that were proven by rules that are gone; what was ignored since is none. */
const PROVEN = `SELECT e.ereignis_id FROM ereignisse e JOIN laeufe l ON l.mandant_id = $1 AND l.lauf_id = $2
  WHERE e.mandant_id = $1 AND e.lauf_id = $2 AND e.zeitpunkt BETWEEN l.beginn AND l.ende AND e.wiederholung
    AND NOT EXISTS (SELECT FROM befunde b WHERE b.mandant_id = $1 AND b.lauf_id = $2 AND b.typ = ANY ($3::text[]) AND b.status = 'ignoriert'
      AND e.zeitpunkt BETWEEN b.fenster_beginn AND coalesce((b.werte->>'bis')::timestamptz, 'infinity'))`;

/**
 * Reads the run; resolves with how many of its calls have become repeats, or are none any more. Without an active rule about loops
 * everything stays as it is, but for what a person calls a mistake.
 */
export async function readRepeats(
  client: pg.PoolClient,
  mandant: MandantId,
  lauf: string,
  now: Date,
): Promise<number> {
  await client.query(TAKE_OUT, [mandant, lauf]);
  const rules = ((await readActiveRules(client, [mandant])).get(mandant) ?? []).filter(
    (rule): rule is RunRule => isRunRule(rule) && isOfCause(rule, 'wiederholungen'),
  );
  const { rows: zones } = await client.query<{ zeitzone: string }>(ZONE, [mandant, lauf]);
  if (!zones[0]) return 0;
  if (rules.length === 0) {
    const { rows } = await client.query<{ ereignis_id: string }>(PROVEN, [
      mandant,
      lauf,
      typesOfCause('wiederholungen'),
    ]);
    const proven = rows.map(({ ereignis_id }) => ereignis_id);
    return setRepeats(client, mandant, lauf, proven);
  }
  const bis = Temporal.Instant.fromEpochMilliseconds(now.getTime());
  const look: Look = { client, mandant, zone: zones[0].zeitzone, von: bis.subtract({ hours: 24 }), bis };
  await loadRuns(look, [lauf]);
  const found: Candidate[] = [];
  for (const rule of rules) found.push(...(await detect(look, rule)));
  await recordFindings(client, mandant, found, now);
  const { rows: gone } = await client.query<{ befund_id: string }>(GONE, [
    mandant,
    lauf,
    found.map(({ regel }) => regel?.regel_id),
    found.map(({ fensterBeginn }) => fensterBeginn),
    typesOfCause('wiederholungen'),
  ]);
  await withdrawFindings(
    client,
    mandant,
    gone.map(({ befund_id }) => befund_id),
    now,
  );
  const repeats = new Set<string>();
  for (const rule of rules) for (const id of await readCalls(look, lauf, rule)) repeats.add(id);
  return setRepeats(client, mandant, lauf, [...repeats]);
}
