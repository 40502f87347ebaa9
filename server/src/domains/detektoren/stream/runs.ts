/** Rules about runs, looked at as soon as a run has changed. */
import type pg from 'pg';
import { typesOfCause } from '#contracts';
import { type RunState, readRunState } from '#domains/laeufe/index.ts';
import type { RegelVon } from '#domains/regeln/index.ts';
import { loadRuns } from '../calls/load.ts';
import type { Candidate } from '../candidate.ts';
import type { Look, TouchedRun } from '../detector.ts';
import { detect, type RunRule } from '../detectors.ts';
import type { MarksOfMandant } from './marks.ts';
import { isTriggered, mayFire } from './triggers.ts';

/** A run as it is read, its state as bytes. */
export interface TouchedRow extends Omit<TouchedRun, 'state'> {
  mandant_id: string;
  zustand: Buffer;
  neu_lesen: boolean;
}

/** Nothing is told of a run with fewer calls. */
const FEWEST_CALLS = 2;
/** Larger ones are left to the next batch: nobody reads them whole with each call. */
const MOST_CALLS = 20_000;
/** More at once are left to the next batch. */
const MOST_RUNS = 200;
/** A run that was looked at is looked at again after so many seconds: what goes on is the same finding, only larger. */
const REST_SECONDS = 10;

// Planned anew each time: a plan made while there are hardly any runs would look through all of them for each.
const MARKED = `unnest($1::uuid[], $2::bigint[]) AS n (mandant_id, nummer)
  JOIN lauf_zustaende z ON z.mandant_id = n.mandant_id AND z.nummer = n.nummer
  JOIN laeufe l ON l.mandant_id = z.mandant_id AND l.lauf_id = z.lauf_id`;
const TOUCHED = `SELECT z.mandant_id, z.lauf_id, l.agent, l.projekt, l.endkunde_ref, l.aufrufe, l.kosten_eur::text AS kosten_eur,
    z.zustand, z.neu_lesen
  FROM ${MARKED} WHERE l.aufrufe BETWEEN ${FEWEST_CALLS} AND ${MOST_CALLS} LIMIT $3`;
const WITH_KNOWN_LOOP = `SELECT z.mandant_id, z.lauf_id FROM ${MARKED} WHERE l.aufrufe <= ${MOST_CALLS}
  AND EXISTS (SELECT FROM befunde b WHERE b.mandant_id = z.mandant_id AND b.lauf_id = z.lauf_id AND b.typ = ANY ($3::text[]))`;
const LOOKED_AT = `SELECT lauf_id, regel_id FROM befunde
  WHERE mandant_id = $1 AND lauf_id = ANY ($2::uuid[]) AND geaendert_am > $3`;

const toRun = ({ zustand, neu_lesen, ...row }: TouchedRow): TouchedRun => {
  const state: RunState = readRunState(zustand);
  return { ...row, aufrufe: Number(row.aufrufe), state: { ...state, stale: state.stale || neu_lesen } };
};

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

const marked = (groups: MarksOfMandant[]): [string[], number[]] => [
  groups.flatMap(({ mandant, nummern }) => nummern.map(() => mandant)),
  groups.flatMap(({ nummern }) => nummern),
];

/** The runs that the marks are about, as far as rules may be about them; so many at most, all where that is null. */
export async function readTouched(
  client: pg.PoolClient,
  groups: MarksOfMandant[],
  most: number | null,
): Promise<TouchedRow[]> {
  if (groups.length === 0) return [];
  const { rows } = await client.query<TouchedRow>(TOUCHED, [...marked(groups), most]);
  return rows;
}

/** Those of the runs that the marks are about in which a loop was found before: calls that came late may have broken it. */
export async function readKnownLoops(
  client: pg.PoolClient,
  groups: MarksOfMandant[],
): Promise<{ mandant_id: string; lauf_id: string }[]> {
  const { rows } = await client.query<{ mandant_id: string; lauf_id: string }>(WITH_KNOWN_LOOP, [
    ...marked(groups),
    typesOfCause('wiederholungen'),
  ]);
  return rows;
}

/** Runs with the rules that may have something to say about them. Throws where a state or a rule cannot be read. */
export function reasonsToLook(rows: TouchedRow[], rules: RegelVon[]): Reason[] {
  const own = rules.filter(isTriggered);
  return rows.map(toRun).flatMap((run) => {
    const firing = own.filter((rule) => mayFire(rule, run));
    return firing.length > 0 ? [{ run, rules: firing }] : [];
  });
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
