/** What a look consists of: Mandanten whose calls have changed, with their rules, in tasks of which some share a transaction. */
import { REGELTYPEN } from '#contracts';
import { calledSince } from '#domains/laeufe/index.ts';
import type { PriceList } from '#domains/preise/index.ts';
import { type RegelVon, readActiveRules } from '#domains/regeln/index.ts';
import { keepValues, readMarkCounts } from '#domains/zaehlung/index.ts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import type { Log } from '#platform/log.ts';
import type { RecordFindings } from '../candidate.ts';
import type { Look, Part } from '../detector.ts';
import { type DetectedRule, isDetected } from '../detectors.ts';
import { askedBy } from '../sums/asked-values.ts';
import type { Looks } from './looks.ts';

export interface DetectionContext {
  owner: OwnerDatabase;
  prices: PriceList;
  log: Log;
  record: RecordFindings;
  /** What was looked at before; all is looked at anew unless given. */
  looks?: Looks;
}

/** What a run came to, without a word about whose. */
export interface Detected {
  /** With rules of these types. */
  mandanten: number;
  regeln: number;
  /** Found, again or for the first time. */
  befunde: number;
  /** Types of a Mandant that could not be looked for, or not written down. */
  fehlgeschlagen: number;
}

/** The same, while it goes on. */
export interface Tally extends Omit<Detected, 'fehlgeschlagen'> {
  /** Mandant and type: of several parts each once. */
  failed: Set<string>;
}

/** The longest local day and an hour: a day that has just ended is looked at as a whole once more. */
const HOURS = 26;
/** Mandanten whose rules are read at once. */
const AT_ONCE = 100;
const MANDANTEN = `SELECT mandant_id, zeitzone FROM mandanten WHERE status = 'aktiv' ORDER BY mandant_id`;

/** Rules of a Mandant that read the same, over all of that or a part of the runs. */
export interface Task {
  mandant: string;
  zone: string;
  rules: DetectedRule[];
  part: Part;
  few: boolean;
  /** Calls of the longest run. */
  longest: number;
}

/** With more calls than this the runs are looked at in parts: two at a time, on two connections. */
const MANY_CALLS = 100_000;
const PARTS = 4;
/** Mandanten with fewer that share a transaction: the end of one, which empties its tables, costs more than what they have to be looked at. */
const FEW_CALLS = 1_000;
const SHARING = 100;

/** How many calls runs have: all of them together, and the longest. */
interface CallsOfRuns {
  aufrufe: number;
  laengster: number;
}

const NO_CALLS: CallsOfRuns = { aufrufe: 0, laengster: 0 };

const CALLS = `SELECT mandant_id, sum(aufrufe)::float8 AS aufrufe, max(aufrufe)::float8 AS laengster FROM laeufe
  WHERE mandant_id = ANY ($1::uuid[]) AND ${calledSince('$2::timestamptz')} GROUP BY mandant_id`;

/** How many calls the runs of these Mandanten have that have gone on since; those without any are not in it. */
async function callsSince(
  owner: OwnerDatabase,
  mandanten: string[],
  since: Temporal.Instant,
): Promise<Map<string, CallsOfRuns>> {
  const { rows } = await owner.query<CallsOfRuns & { mandant_id: string }>(CALLS, [
    mandanten,
    since.toString(),
  ]);
  return new Map(rows.map(({ mandant_id, ...calls }) => [mandant_id, calls]));
}

export const windowOf = (now: Date): Pick<Look, 'von' | 'bis'> => {
  const bis = now.toTemporalInstant();
  return { von: bis.subtract({ hours: HOURS }), bis };
};

/** What steps are asked for is loaded and sorted, in parts where they are many; calls and sums are read where they lie. */
function* tasksOfOne(
  whose: Pick<Task, 'mandant' | 'zone'>,
  own: DetectedRule[],
  calls: CallsOfRuns,
): Generator<Task> {
  const few = calls.aufrufe < FEW_CALLS;
  const isOfSteps = ({ typ }: DetectedRule) => REGELTYPEN[typ].quelle === 'schritte';
  const groups: [boolean, DetectedRule[]][] = few ? [[false, own]] : [...Map.groupBy(own, isOfSteps)];
  for (const [areOfSteps, rules] of groups) {
    const of = areOfSteps && calls.aufrufe > MANY_CALLS ? PARTS : 1;
    for (let nr = 0; nr < of; nr += 1)
      yield { ...whose, rules, part: { nr, of }, few, longest: calls.laengster };
  }
}

interface MandantRow {
  mandant_id: string;
  zeitzone: string;
}

/** Has the values that their rules are about have running sums. */
async function keepAsked(
  { owner, log }: DetectionContext,
  rules: ReadonlyMap<string, RegelVon[]>,
): Promise<void> {
  for (const [mandant, own] of rules) {
    const asked = askedBy(own);
    if (asked.length === 0) continue;
    try {
      if (!(await keepValues(owner, mandant, asked)))
        log.warn({ mandant }, 'rules about values without running sums not looked at');
    } catch (error) {
      log.error({ mandant, err: error }, 'running sums not made');
    }
  }
}

/** The tasks of each of these Mandanten that is to be looked at, with how many calls its runs have. */
async function tasksOfSome(
  context: DetectionContext,
  some: MandantRow[],
  now: Date,
  tally: Tally,
): Promise<{ calls: number; tasks: Task[] }[]> {
  const { owner, prices, looks } = context;
  const ids = some.map(({ mandant_id }) => mandant_id);
  const marks = await readMarkCounts(owner, ids);
  const rules = await owner.transaction((client) => readActiveRules(client, ids));
  const calls = await callsSince(owner, ids, windowOf(now).von);
  await keepAsked(context, rules);
  return some.flatMap(({ mandant_id: mandant, zeitzone: zone }) => {
    const own = (rules.get(mandant) ?? []).filter(isDetected);
    if (own.length === 0) return [];
    tally.mandanten += 1;
    tally.regeln += own.length;
    const lookedAt = { marken: marks.get(mandant) ?? 0, rules: own, edition: prices.edition };
    if (looks && !looks.mayFindMore(mandant, now, lookedAt)) return [];
    looks?.remember(mandant, now, lookedAt);
    const many = calls.get(mandant) ?? NO_CALLS;
    return { calls: many.aufrufe, tasks: [...tasksOfOne({ mandant, zone }, own, many)] };
  });
}

/** Tasks that share a transaction. */
export async function* tasksOf(context: DetectionContext, now: Date, tally: Tally): AsyncGenerator<Task[]> {
  const { rows } = await context.owner.query<MandantRow>(MANDANTEN);
  // A cluster has each Mandant on its node.
  const sharing = (await context.owner.isCluster()) ? 0 : FEW_CALLS;
  context.looks?.keep(new Set(rows.map(({ mandant_id }) => mandant_id)));
  for (let first = 0; first < rows.length; first += AT_ONCE) {
    const all = await tasksOfSome(context, rows.slice(first, first + AT_ONCE), now, tally);
    const [small, large] = [true, false].map((isSmall) =>
      all.filter(({ calls }) => calls < sharing === isSmall).map(({ tasks }) => tasks),
    ) as [Task[][], Task[][]];
    for (const task of large.flat()) yield [task];
    while (small.length > 0) yield small.splice(0, SHARING).flat();
  }
}
