/** Rules about runs, looked at as soon as a run has changed. */
import type pg from 'pg';
import { typesOfCause } from '#contracts';
import type { KeptStep, RememberedRun, RunMemory } from '#domains/laeufe/index.ts';
import type { RegelVon } from '#domains/regeln/index.ts';
import { EUR_SCALE } from '#kernel/money.ts';
import { loadRuns } from '../calls/load.ts';
import type { Candidate } from '../candidate.ts';
import type { Look, TouchedRun } from '../detector.ts';
import { detect, type RunRule } from '../detectors.ts';
import type { Beginnings, Changed } from './beginnings.ts';
import { type MarksOfMandant, RUNS_OF_MARKS, runsOfMarks } from './marks.ts';
import { isTriggered, mayFire } from './triggers.ts';

/** Calls below which a run has no finding. */
const FEWEST_CALLS = 2;
/** Larger ones are left to the next batch: nobody reads them whole with each call. */
const MOST_CALLS = 20_000;
/** More at once are left to the next batch. */
const MOST_RUNS = 200;
/** Seconds after which a run that was looked at is looked at again: what goes on is the same finding, only larger. */
const REST_SECONDS = 10;

const WITH_KNOWN_LOOP = `SELECT DISTINCT b.mandant_id, b.lauf_id
  FROM ${RUNS_OF_MARKS}
  JOIN befunde b ON b.mandant_id = n.mandant_id AND b.lauf_id = n.lauf_id AND b.typ = ANY ($3::text[])
  JOIN laeufe l ON l.mandant_id = b.mandant_id AND l.lauf_id = b.lauf_id AND l.aufrufe <= ${MOST_CALLS}`;
const LOOKED_AT = `SELECT lauf_id, regel_id FROM befunde
  WHERE mandant_id = $1 AND lauf_id = ANY ($2::uuid[]) AND geaendert_am > $3`;

/** EUR of one unit that runs are added up in, and more than any rounding takes away. */
const EUR_OF_UNIT = 10 ** -EUR_SCALE * (1 + 1e-12);

const succeededOf = (recent: readonly KeptStep[]): readonly KeptStep[] =>
  recent.some(({ failed }) => failed) ? recent.filter(({ failed }) => !failed) : recent;

/** A run as rules see it; `mayBeAnew`: whether it may be another one begun anew, which is not known unless given. */
export const toTouched = (
  lauf_id: string,
  run: RememberedRun,
  mayBeAnew: TouchedRun['mayBeAnew'] = () => true,
): TouchedRun => ({
  lauf_id,
  agent: run.agent,
  projekt: run.projekt,
  endkunde_ref: run.endkunde,
  aufrufe: run.aufrufe,
  eur: Number(run.eur ?? 0n) * EUR_OF_UNIT,
  state: run.state,
  succeeded: succeededOf(run.state.recent),
  mayBeAnew,
});

export interface Reason {
  run: TouchedRun;
  rules: RunRule[];
}

async function withoutThoseJustSeen(
  client: pg.PoolClient,
  mandant: string,
  reasons: Reason[],
  now: Date,
): Promise<Reason[]> {
  const since = new Date(now.getTime() - REST_SECONDS * 1_000);
  const { rows } = await client.query<{ lauf_id: string; regel_id: string }>(LOOKED_AT, [
    mandant,
    reasons.map(({ run }) => run.lauf_id),
    since,
  ]);
  const seen = new Set(rows.map(({ lauf_id, regel_id }) => `${lauf_id} ${regel_id}`));
  return reasons
    .map(({ run, rules }) => ({
      run,
      rules: rules.filter(({ regel_id }) => !seen.has(`${run.lauf_id} ${regel_id}`)),
    }))
    .filter(({ rules }) => rules.length > 0);
}

/** Those of the runs that the marks are about in which a loop was found before: calls that came late may have broken it. */
export async function readKnownLoops(
  client: pg.PoolClient,
  groups: MarksOfMandant[],
): Promise<{ mandant_id: string; lauf_id: string }[]> {
  const { rows } = await client.query<{ mandant_id: string; lauf_id: string }>(WITH_KNOWN_LOOP, [
    ...runsOfMarks(groups),
    typesOfCause('wiederholungen'),
  ]);
  return rows;
}

/** What is remembered from one look to the next. */
export interface RememberedRuns {
  memory: RunMemory;
  beginnings: Beginnings;
}

/** Notes how runs begin, for the rules that compare that; returns those to be compared again, and by which rules. */
function noteBeginnings(
  { mandant, nummern, laeufe }: MarksOfMandant,
  beginnings: Beginnings,
  rules: RunRule[],
  changed: Changed[],
  now: number,
): Map<string, RunRule[]> {
  const comparing = rules.filter((rule) => rule.typ === 'neustart');
  const noted = { nummern, runs: changed, complete: changed.length === laeufe.length };
  const again = new Map<string, RunRule[]>();
  for (const [steps, own] of Map.groupBy(comparing, ({ parameter }) => parameter.gleiche_schritte))
    for (const lauf of beginnings.note(mandant, steps, noted, now))
      again.set(lauf, [...(again.get(lauf) ?? []), ...own]);
  return again;
}

/** Runs that have just changed with the rules that may have something to say about them. Throws where a rule cannot be read. */
export function reasonsToLook(
  group: MarksOfMandant,
  { memory, beginnings }: RememberedRuns,
  rules: RegelVon[],
  now: Date,
): Reason[] {
  const own = rules.filter(isTriggered);
  if (own.length === 0) return [];
  const { mandant, laeufe } = group;
  const read = (lauf: string): Changed[] => {
    const run = memory.read(mandant, lauf);
    return run ? [{ lauf, run }] : [];
  };
  const changed = laeufe.flatMap(read);
  const at = now.getTime();
  const again = noteBeginnings(group, beginnings, own, changed, at);
  const others = [...again.keys()].filter((lauf) => !laeufe.includes(lauf)).flatMap(read);
  const reasons: Reason[] = [];
  for (const each of [...changed, ...others]) {
    const { lauf, run } = each;
    if (run.aufrufe < FEWEST_CALLS || run.aufrufe > MOST_CALLS) continue;
    const touched = toTouched(lauf, run, (steps, pause) =>
      beginnings.mayBeAnew(mandant, steps, each, { pause, now: at }),
    );
    const firing = own.filter((rule) => mayFire(rule, touched) || again.get(lauf)?.includes(rule));
    if (firing.length > 0) reasons.push({ run: touched, rules: firing });
  }
  return reasons;
}

/** What rules about runs find in those that there is reason to look at. */
export async function findInRuns(
  client: pg.PoolClient,
  { mandant, zone }: MarksOfMandant,
  reasons: Reason[],
  now: Date,
): Promise<Candidate[]> {
  const open = (await withoutThoseJustSeen(client, mandant, reasons, now)).slice(0, MOST_RUNS);
  if (open.length === 0) return [];
  const bis = Temporal.Instant.fromEpochMilliseconds(now.getTime());
  const look: Look = { client, mandant, zone, von: bis.subtract({ hours: 24 }), bis };
  await loadRuns(
    look,
    open.map(({ run }) => run.lauf_id),
  );
  const found: Candidate[] = [];
  for (const rule of new Set(open.flatMap((reason) => reason.rules)))
    found.push(...(await detect(look, rule)));
  return found;
}
