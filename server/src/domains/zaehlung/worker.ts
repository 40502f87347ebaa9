/**
 * The counting worker. It asks the inbox what waits and works it off in turns, a few side by side: a turn is one Mandant with
 * much to count, or many with little, which share their transactions. While others wait a turn is short, and whoever had one comes
 * behind them. Each Mandant is counted in order and by one worker at a time. Where nobody else waits, the next stretch is read and
 * priced while one is being written.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { PriceList } from '#domains/preise/index.ts';
import type { StepBack } from '#platform/back-pressure.ts';
import { isUnreachable } from '#platform/database/index.ts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import { createQuestionToAll } from '#platform/database/question-to-all.ts';
import type { Log } from '#platform/log.ts';
import { createAddingUp } from './adding-up.ts';
import { createPartCounter } from './count-parts.ts';
import { type CountResult, countStretch, isPassing, StretchChanged } from './count-stretch.ts';
import { createInboxReader, type InboxReader, SHARED, WHOLE } from './inbox-reader.ts';
import { Merkmale } from './merkmale.ts';
import { START, type Stretch } from './stretch.ts';
import { createSweeping } from './sweeping.ts';
import { type Turn, Turns, type Waiting } from './turns.ts';

export interface WorkerOptions {
  db: OwnerDatabase;
  log: Log;
  prices: PriceList;
  /** EUR for one USD where no reference rate is known. */
  substituteRate: string;
  /** The day that is of; null or left out where nobody said. */
  substituteDay?: string | null;
  onCounted?: (events: number, duplicates: number) => void;
  /** Awaited after each stretch. */
  stepBack?: StepBack;
  /** Whether somebody waits for what this Mandant sent to be counted: it is not stepped back from. */
  isUrgent?: (mandant: string) => boolean;
}

export interface CountingWorker {
  /** Counts until the inbox is empty; for tests and tools. */
  drain(): Promise<void>;
  /** Counts until `stop`, which resolves when the transaction under way has ended. */
  start(): void;
  stop(): Promise<void>;
}

/** After so many stretches the inbox is read from its start again. */
const READ_ANEW = 4;
/** Milliseconds until it is asked again what waits. */
const IDLE_PAUSE = 100;
const TROUBLE_PAUSE = 1_000;
/**
 * So many Mandanten that were counted in one turn are left alone for as long as it took, in milliseconds at most: what comes
 * meanwhile is counted with it, which costs half as much where it is twice as much.
 */
const MANY = 50;
const MOST_REST = 500;
/** For so many milliseconds of work at most counting steps back after a turn of many Mandanten. */
const SHORT = 20;
/** How long Mandanten are left alone after a turn, but for some. */
interface Pause {
  ms: number;
  unless?: ((mandant: string) => boolean) | undefined;
}

const waitingIn = (inbox: string) => `SELECT mandant_id AS mandant, sum(anzahl)::float8 AS ereignisse,
  sum(umfang)::float8 AS umfang, extract(epoch FROM min(empfangen_am))::float8 AS seit FROM ${inbox} GROUP BY mandant_id`;

/** Whether others are at work on a Mandant, by what counting has thrown. */
const isTaken = (error: unknown, mandant: string): boolean =>
  error instanceof StretchChanged && error.mandanten.has(mandant);

export function createCountingWorker(options: WorkerOptions): CountingWorker {
  const { db, log } = options;
  const reader: InboxReader = createInboxReader(db, options.prices, {
    usdEur: options.substituteRate,
    tag: options.substituteDay ?? null,
  });
  const merkmale = new Merkmale();
  const addUp = createAddingUp(db, log);
  const sweeping = createSweeping(db, log, 'eingang');
  let stopping = false;
  let running: Promise<void> | null = null;
  /** Mandanten whose calls are to be added up. */
  const due = new Set<string>();

  const warn = (error: unknown) => log.warn({ err: error }, 'counting interrupted; trying again');

  const report = (result: CountResult): boolean => {
    if (result.kind !== 'counted') return false;
    for (const mandant of result.due) due.add(mandant);
    options.onCounted?.(result.events, result.duplicates);
    return true;
  };
  const addUpDue = async (): Promise<void> => {
    const mandanten = [...due];
    due.clear();
    await addUp(mandanten);
  };

  const parts = createPartCounter({ db, log, reader, merkmale, report });

  /** Whether a stretch was counted; false when another worker has it. */
  const count = async (stretch: Stretch): Promise<boolean> => {
    for (const { mandant, eingangId, reason } of stretch.unreadable)
      await parts.countApart(mandant, [eingangId], reason);
    try {
      const result = await countStretch(db, merkmale, stretch);
      sweeping.gone(stretch.parts.reduce((sum, { eingangIds }) => sum + eingangIds.length, 0));
      reader.recycle(stretch);
      return report(result);
    } catch (error) {
      if (isPassing(error) || stretch.parts.length > 1) throw error;
      for (const { mandant, eingangIds } of stretch.parts) await parts.countApart(mandant, eingangIds, error);
      return true;
    } finally {
      await addUpDue();
    }
  };

  const ask = createQuestionToAll<Waiting & { seit: number }>(db, 'eingang', waitingIn);
  /** What waits, the oldest first; `complete` as far as is known. */
  const look = async (): Promise<{ all: Waiting[]; complete: boolean }> => {
    const { rows, complete } = await ask();
    return { all: rows.sort((a, b) => a.seit - b.seit), complete };
  };

  /**
   * What comes after a stretch that is still being counted. Every few stretches from the start again: a batch may be
   * stored a little after one with a later id.
   */
  const readAhead = (mandant: string, stretch: Stretch, turn: number): Promise<Stretch | null> => {
    const underWay = [
      ...stretch.parts.flatMap(({ eingangIds }) => eingangIds),
      ...stretch.unreadable.map(({ eingangId }) => eingangId),
    ];
    return reader.next(mandant, turn % READ_ANEW === 0 ? START : stretch.lastId, underWay);
  };

  /** Counts a Mandant to the end of its inbox, or a short stretch when others wait; false when another worker has it. */
  const countOne = async (mandant: string, turns: Turns): Promise<boolean> => {
    let stretch = await reader.next(mandant, START, [], turns.othersWait ? SHARED : WHOLE);
    for (let turn = 1; stretch && !stopping; turn += 1) {
      const start = performance.now();
      const [counted, next]: [PromiseSettledResult<boolean>, PromiseSettledResult<Stretch | null>] =
        await Promise.allSettled([
          count(stretch),
          turns.othersWait ? null : readAhead(mandant, stretch, turn),
        ]);
      if (counted.status === 'rejected') throw counted.reason;
      if (!counted.value) return false;
      if (next.status === 'rejected') throw next.reason;
      stretch = next.value;
      if (!options.isUrgent?.(mandant)) await options.stepBack?.(performance.now() - start);
    }
    return true;
  };

  /**
   * Counts what waits of many Mandanten together; false when another worker has them. Those that others are at work on have
   * another turn; where one fails, halves of them are counted, at last each alone: nobody waits for a neighbour's trouble.
   */
  const countSeveral = async (mandanten: string[], turns: Turns): Promise<boolean> => {
    const [only, another] = mandanten;
    if (only === undefined) return false;
    if (another === undefined) return countOne(only, turns);
    const start = performance.now();
    const stretch = await reader.several(mandanten);
    if (!stretch) return true;
    let counted: boolean;
    try {
      counted = await count(stretch);
    } catch (error) {
      if (isUnreachable(error)) throw error;
      const others = mandanten.filter((mandant) => !isTaken(error, mandant));
      if (others.length < mandanten.length) return countSeveral(others, turns);
      const middle = mandanten.length >> 1;
      const first = await countSeveral(mandanten.slice(0, middle), turns);
      return (await countSeveral(mandanten.slice(middle), turns)) || first;
    }
    // Counting them all takes little of what keeps the API busy, and many wait for it.
    await options.stepBack?.(Math.min(performance.now() - start, SHORT));
    return counted;
  };

  /** Takes a turn; resolves with for how many milliseconds its Mandanten are left alone then. `mostRest`: after one of many. */
  const take = async (turn: Turn, turns: Turns, mostRest: number): Promise<Pause> => {
    const start = performance.now();
    try {
      // Where others are at work on them, there is nothing to do for a moment.
      if (!(await countSeveral(turn.mandanten, turns))) return { ms: IDLE_PAUSE };
    } catch (error) {
      if (error instanceof StretchChanged) return { ms: 0 };
      throw error;
    }
    if (turn.mandanten.length < MANY) return { ms: 0 };
    return { ms: Math.min(performance.now() - start, mostRest), unless: options.isUrgent };
  };

  /** Counts what waits until the stop, or until there is nothing; then the first trouble ends it, else it is waited out. */
  const work = async (untilEmpty: boolean): Promise<void> => {
    const turns = new Turns(!(await db.isCluster()));
    const underWay = new Set<Promise<void>>();
    const troubles: unknown[] = [];
    const begin = (turn: Turn) => {
      const over = take(turn, turns, untilEmpty ? 0 : MOST_REST)
        .catch((error: unknown): Pause => {
          if (untilEmpty) troubles.push(error);
          else warn(error);
          return { ms: TROUBLE_PAUSE };
        })
        .then(({ ms, unless }) => {
          turns.end(turn, performance.now() + ms, unless);
          underWay.delete(over);
        });
      underWay.add(over);
    };
    try {
      while (!stopping && troubles.length === 0) {
        const { all, complete } = await look();
        if (untilEmpty && !complete) throw new Error('a worker of the cluster does not answer');
        for (const turn of turns.begin(all, performance.now())) begin(turn);
        if (untilEmpty && all.length === 0 && underWay.size === 0) return;
        await Promise.race([...underWay, delay(IDLE_PAUSE)]);
      }
    } finally {
      await Promise.all(underWay);
    }
    if (troubles.length > 0) throw troubles[0];
  };

  const loop = async (): Promise<void> => {
    while (!stopping) {
      try {
        await work(false);
      } catch (error) {
        warn(error);
        await delay(TROUBLE_PAUSE);
      }
    }
  };

  return {
    drain: () => work(true).finally(sweeping.end),
    start() {
      running = loop();
    },
    async stop() {
      stopping = true;
      await running;
      await sweeping.end();
    },
  };
}
