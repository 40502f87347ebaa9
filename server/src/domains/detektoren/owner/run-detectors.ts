/** Looks for what rules are about in the calls of the last day, Mandant by Mandant. Runs as the owner. */
import { type DetectedType, REGELTYPEN } from '#contracts';
import { withdrawFindings } from '#domains/befunde/index.ts';
import type { PriceList } from '#domains/preise/index.ts';
import { readActiveRules } from '#domains/regeln/index.ts';
import { mandantId } from '#kernel/mandant-id.ts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import type { Log } from '#platform/log.ts';
import { loadSteps } from '../calls/load.ts';
import { loadPrices, type PricedSource } from '../calls/load-prices.ts';
import { prepareTables } from '../calls/tables.ts';
import type { Candidate, RecordFindings } from '../candidate.ts';
import { type Look, MAX_CANDIDATES, type Part } from '../detector.ts';
import { DETECTORS, type DetectedRule, detect, isDetected } from '../detectors.ts';
import { apart } from './apart.ts';
import { foldByDay } from './fold.ts';
import { readOverturned } from './late-calls.ts';

export interface DetectionContext {
  owner: OwnerDatabase;
  prices: PriceList;
  log: Log;
  record: RecordFindings;
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
}

/** With more calls than this the runs are looked at in parts: two at a time, on two connections. */
const MANY_CALLS = 100_000;
const PARTS = 4;

const CALLS = `SELECT mandant_id, sum(aufrufe)::float8 AS aufrufe FROM laeufe
  WHERE mandant_id = ANY ($1::uuid[]) AND ende >= $2 GROUP BY mandant_id`;

/** Which of these Mandanten have runs with many calls that have gone on since. */
async function busyOf(
  owner: OwnerDatabase,
  mandanten: string[],
  since: Temporal.Instant,
): Promise<Set<string>> {
  const { rows } = await owner.query<{ mandant_id: string; aufrufe: number }>(CALLS, [
    mandanten,
    since.toString(),
  ]);
  return new Set(rows.filter(({ aufrufe }) => aufrufe > MANY_CALLS).map(({ mandant_id }) => mandant_id));
}

const windowOf = (now: Date): Pick<Look, 'von' | 'bis'> => {
  const bis = now.toTemporalInstant();
  return { von: bis.subtract({ hours: HOURS }), bis };
};

/** What steps are asked for is loaded and sorted, in parts where they are many; calls and sums are read where they lie. */
function* tasksOfOne(mandant: string, zone: string, own: DetectedRule[], isBusy: boolean): Generator<Task> {
  const isOfSteps = ({ typ }: DetectedRule) => REGELTYPEN[typ].quelle === 'schritte';
  for (const [areOfSteps, rules] of Map.groupBy(own, isOfSteps)) {
    const of = areOfSteps && isBusy ? PARTS : 1;
    for (let nr = 0; nr < of; nr += 1) yield { mandant, zone, rules, part: { nr, of } };
  }
}

async function* tasksOf(owner: OwnerDatabase, now: Date, tally: Tally): AsyncGenerator<Task> {
  const since = windowOf(now).von;
  const { rows } = await owner.query<{ mandant_id: string; zeitzone: string }>(MANDANTEN);
  for (let first = 0; first < rows.length; first += AT_ONCE) {
    const some = rows.slice(first, first + AT_ONCE);
    const ids = some.map(({ mandant_id }) => mandant_id);
    const rules = await owner.transaction((client) => readActiveRules(client, ids));
    const busy = await busyOf(owner, ids, since);
    for (const { mandant_id: mandant, zeitzone: zone } of some) {
      const own = (rules.get(mandant) ?? []).filter(isDetected);
      if (own.length === 0) continue;
      tally.mandanten += 1;
      tally.regeln += own.length;
      yield* tasksOfOne(mandant, zone, own, busy.has(mandant));
    }
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

/** What the rules of a Mandant find, by type; a type that fails is told and left out. */
function findAll({ owner, prices }: DetectionContext, task: Task, now: Date, onFailure: OnFailure) {
  return owner.transaction(async (client) => {
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
    return { found, overturned: await findOverturned(look, rules, found) };
  });
}

/** Of rules about runs that could be looked at, and did not find as much as is told at most. */
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

/** Finds first, in one transaction that writes nothing anybody waits for, and writes down in short ones. */
async function runFor(context: DetectionContext, task: Task, now: Date, tally: Tally): Promise<void> {
  const { owner, log, record } = context;
  const { mandant } = task;
  const onFailure: OnFailure = (typ, error) => {
    tally.failed.add(`${mandant} ${typ}`);
    log.error({ mandant, typ, err: error }, 'detector failed');
  };
  const { found, overturned } = await findAll(context, task, now, onFailure);
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

/**
 * Looks at all Mandanten with active rules. What fails for one type, or one Mandant, is logged and counted and keeps nobody else;
 * the next run looks at the same day again.
 */
export async function runDetectors(context: DetectionContext, now: Date): Promise<Detected> {
  const tally: Tally = { mandanten: 0, regeln: 0, befunde: 0, failed: new Set() };
  const tasks = tasksOf(context.owner, now, tally);
  const work = async () => {
    for await (const task of tasks)
      try {
        await runFor(context, task, now, tally);
      } catch (error) {
        for (const { typ } of task.rules) tally.failed.add(`${task.mandant} ${typ}`);
        context.log.error({ mandant: task.mandant, err: error }, 'detectors failed');
      }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  const { failed, ...counted } = tally;
  return { ...counted, fehlgeschlagen: failed.size };
}
