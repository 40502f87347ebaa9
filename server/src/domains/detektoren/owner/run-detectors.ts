/** Looks for what rules are about in the calls of the last day, Mandant by Mandant. Runs as the owner. */
import type pg from 'pg';
import { type DetectedType, REGELTYPEN } from '#contracts';
import { withdrawFindings } from '#domains/befunde/index.ts';
import { calledSince } from '#domains/laeufe/index.ts';
import type { PriceList } from '#domains/preise/index.ts';
import { type RegelVon, readActiveRules } from '#domains/regeln/index.ts';
import { keepValues, readMarkCounts } from '#domains/zaehlung/index.ts';
import { mandantId } from '#kernel/mandant-id.ts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import type { Log } from '#platform/log.ts';
import { loadSteps } from '../calls/load.ts';
import { loadPrices, type PricedSource } from '../calls/load-prices.ts';
import { prepareTables } from '../calls/tables.ts';
import type { Candidate, RecordFindings } from '../candidate.ts';
import { type Look, MAX_CANDIDATES, type Part } from '../detector.ts';
import { DETECTORS, type DetectedRule, detect, isDetected } from '../detectors.ts';
import { askedBy } from '../sums/asked-values.ts';
import { apart } from './apart.ts';
import { foldByDay } from './fold.ts';
import { readOverturned } from './late-calls.ts';
import type { Looks } from './looks.ts';
import { plannedOnce } from './planned-once.ts';

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
interface Tally extends Omit<Detected, 'fehlgeschlagen'> {
  /** Mandant and type: of several parts each once. */
  failed: Set<string>;
}

/** The longest local day and an hour: a day that has just ended is looked at as a whole once more. */
const HOURS = 26;
/** Findings written down at once: meanwhile nobody else writes down any of the same Mandant, not even what stops a run. */
const WRITTEN_AT_ONCE = 100;
/** Mandanten whose rules are read at once. */
const AT_ONCE = 100;
/** Tasks under way at a time, each on a connection of its own. */
const CONNECTIONS = 2;

const MANDANTEN = `SELECT mandant_id, zeitzone FROM mandanten WHERE status = 'aktiv' ORDER BY mandant_id`;

/** Rules of a Mandant that read the same, over all of that or a part of the runs. */
interface Task {
  mandant: string;
  zone: string;
  rules: DetectedRule[];
  part: Part;
  few: boolean;
}

/** With more calls than this the runs are looked at in parts: two at a time, on two connections. */
const MANY_CALLS = 100_000;
const PARTS = 4;
/** Mandanten with fewer that share a transaction: the end of one, which empties its tables, costs more than what they have to be looked at. */
const FEW_CALLS = 1_000;
const SHARING = 50;

const CALLS = `SELECT mandant_id, sum(aufrufe)::float8 AS aufrufe FROM laeufe
  WHERE mandant_id = ANY ($1::uuid[]) AND ${calledSince('$2::timestamptz')} GROUP BY mandant_id`;

/** How many calls the runs of these Mandanten have that have gone on since; those without any are not in it. */
async function callsSince(
  owner: OwnerDatabase,
  mandanten: string[],
  since: Temporal.Instant,
): Promise<Map<string, number>> {
  const { rows } = await owner.query<{ mandant_id: string; aufrufe: number }>(CALLS, [
    mandanten,
    since.toString(),
  ]);
  return new Map(rows.map(({ mandant_id, aufrufe }) => [mandant_id, aufrufe]));
}

const windowOf = (now: Date): Pick<Look, 'von' | 'bis'> => {
  const bis = now.toTemporalInstant();
  return { von: bis.subtract({ hours: HOURS }), bis };
};

/** What steps are asked for is loaded and sorted, in parts where they are many; calls and sums are read where they lie. */
function* tasksOfOne(mandant: string, zone: string, own: DetectedRule[], calls: number): Generator<Task> {
  const isOfSteps = ({ typ }: DetectedRule) => REGELTYPEN[typ].quelle === 'schritte';
  for (const [areOfSteps, rules] of Map.groupBy(own, isOfSteps)) {
    const of = areOfSteps && calls > MANY_CALLS ? PARTS : 1;
    for (let nr = 0; nr < of; nr += 1)
      yield { mandant, zone, rules, part: { nr, of }, few: calls < FEW_CALLS };
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
    const many = calls.get(mandant) ?? 0;
    return { calls: many, tasks: [...tasksOfOne(mandant, zone, own, many)] };
  });
}

/** Tasks that share a transaction. */
async function* tasksOf(context: DetectionContext, now: Date, tally: Tally): AsyncGenerator<Task[]> {
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

/** Loads what the detectors of these rules read besides calls and sums: steps of runs, and rates. */
export async function prepare(look: Look, rules: DetectedRule[], prices: PriceList): Promise<void> {
  const sources = (typ: DetectedType) => REGELTYPEN[typ].quelle;
  if (rules.some(({ typ }) => sources(typ) === 'schritte')) await loadSteps(look);
  else await prepareTables(look.client);
  const priced = new Set(
    rules.flatMap(({ typ }): PricedSource[] => {
      const source = sources(typ);
      return DETECTORS[typ].needsPrices && source !== 'summen' ? [source] : [];
    }),
  );
  await loadPrices(look, prices, priced, rules);
}

type OnFailure = (typ: DetectedType, error: unknown) => void;

/** What a task has found, by type, and which findings do not hold any more. */
interface FoundByTask {
  task: Task;
  found: Map<DetectedType, Candidate[]>;
  overturned: string[];
}

/** What the rules of a task find; a type that fails is logged and left out. */
async function findAll(
  client: pg.PoolClient,
  prices: PriceList,
  task: Task,
  now: Date,
  onFailure: OnFailure,
): Promise<FoundByTask> {
  const { rules, ...whose } = task;
  const look: Look = { client, ...whose, ...windowOf(now) };
  await prepare(look, rules, prices);
  const found = new Map<DetectedType, Candidate[]>();
  for (const [typ, alike] of Map.groupBy(rules, (rule) => rule.typ)) {
    const find = async () => {
      const candidates: Candidate[] = [];
      for (const rule of alike) candidates.push(...(await detect(look, rule)));
      found.set(typ, foldByDay(look, candidates));
    };
    await apart(client, find, (error) => onFailure(typ, error));
  }
  return { task, found, overturned: await findOverturned(look, rules, found) };
}

/** Of rules about runs that could be looked at, and found less than is recorded at most. */
async function findOverturned(
  look: Look,
  rules: DetectedRule[],
  found: Map<DetectedType, Candidate[]>,
): Promise<string[]> {
  const whole = rules.filter(
    ({ typ }) =>
      REGELTYPEN[typ].quelle === 'schritte' &&
      (found.get(typ)?.length ?? Infinity) < MAX_CANDIDATES / (look.part?.of ?? 1),
  );
  const mine = new Set<string>(whole.map(({ typ }) => typ));
  const all = [...found].flatMap(([typ, candidates]) => (mine.has(typ) ? candidates : []));
  return readOverturned(look, whole, all);
}

/** Writes down what a task has found, in short transactions. */
async function writeDown(
  { owner, record }: DetectionContext,
  { task: { mandant }, found, overturned }: FoundByTask,
  now: Date,
  tally: Tally,
  onFailure: OnFailure,
): Promise<void> {
  if (overturned.length > 0)
    await owner.transaction((client) => withdrawFindings(client, mandantId(mandant), overturned, now));
  for (const [typ, candidates] of found) {
    try {
      for (let first = 0; first < candidates.length; first += WRITTEN_AT_ONCE) {
        const some = candidates.slice(first, first + WRITTEN_AT_ONCE);
        await owner.transaction((client) => record(client, mandant, some, now));
        tally.befunde += some.length;
      }
    } catch (error) {
      onFailure(typ, error);
    }
  }
}

/** Finds first, in one transaction that writes nothing anybody waits for, and writes down then. A task that fails keeps none of the others. */
async function runFor(context: DetectionContext, tasks: Task[], now: Date, tally: Tally): Promise<void> {
  const { owner, log, prices } = context;
  const onFailure =
    ({ mandant }: Task): OnFailure =>
    (typ, error) => {
      tally.failed.add(`${mandant} ${typ}`);
      log.error({ mandant, typ, err: error }, 'detector failed');
    };
  const fail = (task: Task, error: unknown) => {
    for (const { typ } of task.rules) tally.failed.add(`${task.mandant} ${typ}`);
    log.error({ mandant: task.mandant, err: error }, 'detectors failed');
    return null;
  };
  const all = await owner.transaction(async (client) => {
    const done: (FoundByTask | null)[] = [];
    const asked = tasks.length > 1 ? await plannedOnce(client) : client;
    for (const task of tasks)
      done.push(
        await apart(
          client,
          () => findAll(asked, prices, task, now, onFailure(task)),
          (error) => fail(task, error),
        ),
      );
    return done;
  });
  for (const one of all)
    if (one)
      await writeDown(context, one, now, tally, onFailure(one.task)).catch((error) => fail(one.task, error));
}

/**
 * Looks at all Mandanten with active rules, but for those of whom nothing has changed since the last of `looks`. What fails for one type, or
 * one Mandant, is logged and counted and keeps nobody else; the next run looks at the same day again.
 */
export async function runDetectors(context: DetectionContext, now: Date): Promise<Detected> {
  const tally: Tally = { mandanten: 0, regeln: 0, befunde: 0, failed: new Set() };
  const groups = tasksOf(context, now, tally);
  const work = async () => {
    for await (const tasks of groups)
      try {
        await runFor(context, tasks, now, tally);
      } catch (error) {
        for (const { mandant, rules } of tasks)
          for (const { typ } of rules) tally.failed.add(`${mandant} ${typ}`);
        context.log.error({ mandanten: tasks.map(({ mandant }) => mandant), err: error }, 'detectors failed');
      }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  const { failed, ...counted } = tally;
  for (const each of failed) context.looks?.forget(each.split(' ')[0] as string);
  return { ...counted, fehlgeschlagen: failed.size };
}
