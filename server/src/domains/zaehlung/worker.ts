/**
 * The counting worker. It asks the inbox what waits and works it off in turns, a few side by side: a turn is one Mandant with
 * much to count, or many with little, which share their transactions. Each Mandant is counted in order and by one worker at
 * a time. While one stretch is being written, the next is read and priced.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { PriceList } from '#domains/preise/index.ts';
import type { StepBack } from '#platform/back-pressure.ts';
import { isUnreachable } from '#platform/database/index.ts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import type { Log } from '#platform/log.ts';
import { type CountResult, countStretch, StretchChanged, setAside } from './count-stretch.ts';
import { createInboxReader, type InboxReader, START, type Stretch } from './inbox-reader.ts';
import { Merkmale } from './merkmale.ts';
import { planTurns, type Turn, type Waiting } from './turns.ts';

export interface WorkerOptions {
  db: OwnerDatabase;
  log: Log;
  prices: PriceList;
  /** EUR for one USD where no reference rate is known. */
  substituteRate: string;
  onCounted?: (events: number, duplicates: number) => void;
  /** Awaited after each stretch. */
  stepBack?: StepBack;
}

export interface CountingWorker {
  /** Counts until the inbox is empty; for tests and tools. */
  drain(): Promise<void>;
  /** Counts until `stop`, which resolves when the transaction under way has ended. */
  start(): void;
  stop(): Promise<void>;
}

const TURNS_AT_ONCE = 2;
/** After this many stretches others get their turn. */
const STRETCHES_PER_TURN = 4;
const IDLE_PAUSE = 100;
const TROUBLE_PAUSE = 1_000;
/** For so many milliseconds of work at most counting steps back after a turn of many Mandanten. */
const SHORT = 20;
/** Classes of SQLSTATE that tell of others at work and not of the batch: concurrency, locks, operators. */
const PASSING = new Set(['40', '55', '57']);

const isPassing = (error: unknown) =>
  isUnreachable(error) ||
  error instanceof StretchChanged ||
  PASSING.has((error as { code?: string }).code?.slice(0, 2) ?? '');

const WAITING = `SELECT mandant_id AS mandant, sum(anzahl)::float8 AS ereignisse, sum(umfang)::float8 AS umfang
  FROM eingang GROUP BY mandant_id ORDER BY min(empfangen_am)`;

/** Whether others are at work on a Mandant, by what counting has thrown. */
const isTaken = (error: unknown, mandant: string): boolean =>
  error instanceof StretchChanged && error.mandanten.has(mandant);

export function createCountingWorker(options: WorkerOptions): CountingWorker {
  const { db, log } = options;
  const reader: InboxReader = createInboxReader(db, options.prices, options.substituteRate);
  const merkmale = new Merkmale();
  let stopping = false;
  /** Something has left the inbox since the pass began. */
  let progress = false;
  let running: Promise<void> | null = null;

  const report = (result: CountResult): boolean => {
    if (result.kind !== 'counted') return false;
    progress = true;
    options.onCounted?.(result.events, result.duplicates);
    return true;
  };

  const putAside = async (mandant: string, eingangId: string, reason: string): Promise<void> => {
    log.error({ mandant, eingang: eingangId, reason }, 'batch cannot be counted; set aside');
    await setAside(db, mandant, eingangId, reason);
    progress = true;
  };

  const putUnreadableAside = async ({ unreadable }: Stretch): Promise<void> => {
    for (const { mandant, eingangId, reason } of unreadable) await putAside(mandant, eingangId, reason);
  };

  /** Counts batch by batch what failed together, and sets aside the batch that fails alone. */
  const countSingly = async (mandant: string, eingangIds: string[]): Promise<void> => {
    for (const id of eingangIds) {
      try {
        const stretch = await reader.one(mandant, id);
        if (stretch) report(await countStretch(db, merkmale, stretch));
      } catch (error) {
        if (isPassing(error)) throw error;
        await putAside(mandant, id, String(error));
      }
    }
  };

  /** Whether a stretch was counted; false when another worker has it. */
  const count = async (stretch: Stretch): Promise<boolean> => {
    await putUnreadableAside(stretch);
    try {
      const result = await countStretch(db, merkmale, stretch);
      reader.recycle(stretch);
      return report(result);
    } catch (error) {
      if (isPassing(error)) throw error;
      for (const { mandant, eingangIds } of stretch.parts) await countSingly(mandant, eingangIds);
      return true;
    }
  };

  const waiting = async (): Promise<Waiting[]> => (await db.query<Waiting>(WAITING)).rows;

  /**
   * What comes after a stretch that is still being counted. Every few stretches from the start again: a batch may be
   * stored a little after one with a later id.
   */
  const readAhead = (mandant: string, stretch: Stretch, turn: number): Promise<Stretch | null> => {
    const underWay = [
      ...stretch.parts.flatMap(({ eingangIds }) => eingangIds),
      ...stretch.unreadable.map(({ eingangId }) => eingangId),
    ];
    return reader.next(mandant, turn % STRETCHES_PER_TURN === 0 ? START : stretch.lastId, underWay);
  };

  /** Counts a Mandant to the end of its inbox, or for a few stretches when others wait; reads ahead by one. */
  const countOne = async (mandant: string, othersWait: () => Promise<boolean>): Promise<void> => {
    let stretch = await reader.next(mandant, START, []);
    for (let turn = 1; stretch && !stopping; turn += 1) {
      const start = performance.now();
      const last = turn % STRETCHES_PER_TURN === 0 && (await othersWait());
      const [counted, next]: [PromiseSettledResult<boolean>, PromiseSettledResult<Stretch | null>] =
        await Promise.allSettled([count(stretch), last ? null : readAhead(mandant, stretch, turn)]);
      if (counted.status === 'rejected') throw counted.reason;
      if (!counted.value) return;
      if (next.status === 'rejected') throw next.reason;
      stretch = next.value;
      await options.stepBack?.(performance.now() - start);
    }
  };

  /**
   * Counts what waits of many Mandanten together. Those that others are at work on have their turn with the next pass; where
   * one fails, each is counted alone: nobody waits for a neighbour's trouble.
   */
  const countSeveral = async (mandanten: string[]): Promise<void> => {
    const start = performance.now();
    const stretch = await reader.several(mandanten);
    if (!stretch) return;
    await putUnreadableAside(stretch);
    try {
      report(await countStretch(db, merkmale, stretch));
      reader.recycle(stretch);
    } catch (error) {
      if (isUnreachable(error)) throw error;
      const others = mandanten.filter((mandant) => !isTaken(error, mandant));
      if (others.length < mandanten.length) return others.length > 0 ? countSeveral(others) : undefined;
      for (const mandant of mandanten) await countOne(mandant, async () => true);
    }
    // Counting them all takes little of what keeps the API busy, and many wait for it.
    await options.stepBack?.(Math.min(performance.now() - start, SHORT));
  };

  /** One pass over all that waits; false when there was nothing. */
  const pass = async (): Promise<boolean> => {
    progress = false;
    const turns = planTurns(await waiting(), !(await db.isCluster()));
    const queue = [...turns];
    const underWay = new Set<string>();
    const othersWait = async () =>
      queue.length > 0 || (await waiting()).some(({ mandant }) => !underWay.has(mandant));
    const take = async ({ mandanten }: Turn) => {
      for (const mandant of mandanten) underWay.add(mandant);
      const [first] = mandanten;
      if (mandanten.length === 1 && first) await countOne(first, othersWait);
      else await countSeveral(mandanten);
      for (const mandant of mandanten) underWay.delete(mandant);
    };
    const lane = async () => {
      for (let turn = queue.shift(); turn && !stopping; turn = queue.shift()) await take(turn);
    };
    const lanes = await Promise.allSettled(Array.from({ length: TURNS_AT_ONCE }, lane));
    const failed = lanes.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
    return turns.length > 0;
  };

  const loop = async (): Promise<void> => {
    while (!stopping) {
      try {
        // Where others are at work on all that waits, there is nothing to do either.
        if (!(await pass()) || !progress) await delay(IDLE_PAUSE);
      } catch (error) {
        // A changed stretch is read again at once; a database that is away needs a moment.
        if (error instanceof StretchChanged) continue;
        log.warn({ err: error }, 'counting interrupted; trying again');
        await delay(TROUBLE_PAUSE);
      }
    }
  };

  return {
    async drain() {
      while (await pass());
    },
    start() {
      running = loop();
    },
    async stop() {
      stopping = true;
      await running;
    },
  };
}
