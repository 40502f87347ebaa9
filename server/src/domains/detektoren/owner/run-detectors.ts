/** Looks for what rules are about in the calls of the last day, Mandant by Mandant. Runs as the owner. */
import type pg from 'pg';
import { type DetectedType, REGELTYPEN } from '#contracts';
import { withdrawFindings } from '#domains/befunde/index.ts';
import type { PriceList } from '#domains/preise/index.ts';
import { mandantId } from '#kernel/mandant-id.ts';
import { loadSteps } from '../calls/load.ts';
import { loadPrices, type PricedSource } from '../calls/load-prices.ts';
import { prepareTables } from '../calls/tables.ts';
import type { Candidate } from '../candidate.ts';
import { type Look, MAX_CANDIDATES } from '../detector.ts';
import { DETECTORS, type DetectedRule, detect, isRunRule, ofRuns } from '../detectors.ts';
import { apart } from './apart.ts';
import { foldByDay } from './fold.ts';
import { readOverturned } from './late-calls.ts';
import { plannedOnce } from './planned-once.ts';
import { type Detected, type DetectionContext, type Tally, type Task, tasksOf, windowOf } from './tasks.ts';

/** Findings written down at once: meanwhile nobody else writes down any of the same Mandant, not even what stops a run. */
const WRITTEN_AT_ONCE = 100;
/** Tasks under way at a time, each on a connection of its own. */
const CONNECTIONS = 2;

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
  found: FoundByType;
  overturned: string[];
}

/** By type what is found. */
type FoundByType = Map<DetectedType, Candidate[]>;

/** Whether a rule may hold for any run, when the longest has so few calls. */
const mayHold = (rule: DetectedRule, longest: number): boolean =>
  !(isRunRule(rule) && ofRuns(rule).preselect(rule).calls > longest);

/** What rules find; with `apartFrom` a type that fails keeps no other from being looked at. */
async function findByType(
  look: Look,
  { rules, longest }: Pick<Task, 'rules' | 'longest'>,
  apartFrom?: (typ: DetectedType, find: () => Promise<void>) => Promise<void>,
): Promise<FoundByType> {
  const found: FoundByType = new Map();
  for (const [typ, alike] of Map.groupBy(rules, (rule) => rule.typ)) {
    const find = async () => {
      const candidates: Candidate[] = [];
      for (const rule of alike) if (mayHold(rule, longest)) candidates.push(...(await detect(look, rule)));
      found.set(typ, foldByDay(look, candidates));
    };
    await (apartFrom ? apartFrom(typ, find) : find());
  }
  return found;
}

/** What the rules of a task find; a type that fails is logged and left out. */
async function findAll(
  client: pg.PoolClient,
  prices: PriceList,
  task: Task,
  now: Date,
  onFailure: OnFailure,
): Promise<FoundByTask> {
  const { rules, longest: _, ...whose } = task;
  const look: Look = { client, ...whose, ...windowOf(now) };
  await prepare(look, rules, prices);
  const eachApart = () =>
    findByType(look, task, (typ, find) => apart(client, find, (error) => onFailure(typ, error)));
  // A savepoint for each type costs more than what a type reads of few calls: only where one fails they are looked at one by one.
  const found = task.few ? await apart(client, () => findByType(look, task), eachApart) : await eachApart();
  return { task, found, overturned: await findOverturned(look, rules, found) };
}

/** Of rules about runs that could be looked at, and found less than is recorded at most. */
async function findOverturned(look: Look, rules: DetectedRule[], found: FoundByType): Promise<string[]> {
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
