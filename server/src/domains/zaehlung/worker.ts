/**
 * The counting worker. It looks for Mandanten with something in their inbox and counts a few of them side by side, each
 * in order and by one worker at a time. While one stretch is being written, the next is read and priced.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { PriceList } from '#domains/preise/index.ts';
import type { StepBack } from '#platform/back-pressure.ts';
import { isUnreachable } from '#platform/database/index.ts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import type { Log } from '#platform/log.ts';
import { type CountResult, countStretch, StretchChanged, setAside } from './count-stretch.ts';
import { createInboxReader, type InboxReader, START, type Stretch } from './inbox-reader.ts';

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

const MANDANTEN_AT_ONCE = 2;
/** After this many stretches another Mandant gets its turn. */
const STRETCHES_PER_TURN = 8;
const IDLE_PAUSE = 100;
const TROUBLE_PAUSE = 1_000;
/** Classes of SQLSTATE that tell of others at work and not of the batch: concurrency, locks, operators. */
const PASSING = new Set(['40', '55', '57']);

const isPassing = (error: unknown) =>
  isUnreachable(error) ||
  error instanceof StretchChanged ||
  PASSING.has((error as { code?: string }).code?.slice(0, 2) ?? '');

export function createCountingWorker(options: WorkerOptions): CountingWorker {
  const { db, log } = options;
  const reader: InboxReader = createInboxReader(db, options.prices, options.substituteRate);
  let stopping = false;
  let running: Promise<void> | null = null;

  const report = (result: CountResult): boolean => {
    if (result.kind === 'counted') options.onCounted?.(result.events, result.duplicates);
    return result.kind === 'counted';
  };

  const putAside = async (mandant: string, eingangId: string, reason: string): Promise<void> => {
    log.error({ mandant, eingang: eingangId, reason }, 'batch cannot be counted; set aside');
    await setAside(db, mandant, eingangId, reason);
  };

  /** Counts batch by batch what failed together, and sets aside the batch that fails alone. */
  const countSingly = async (mandant: string, eingangIds: string[]): Promise<void> => {
    for (const id of eingangIds) {
      try {
        const stretch = await reader.one(mandant, id);
        if (stretch) report(await countStretch(db, stretch));
      } catch (error) {
        if (isPassing(error)) throw error;
        await putAside(mandant, id, String(error));
      }
    }
  };

  const count = async (stretch: Stretch): Promise<boolean> => {
    for (const { eingangId, reason } of stretch.unreadable)
      await putAside(stretch.mandant, eingangId, reason);
    try {
      const result = await countStretch(db, stretch);
      reader.recycle(stretch);
      return report(result);
    } catch (error) {
      if (isPassing(error)) throw error;
      await countSingly(stretch.mandant, stretch.eingangIds);
      return true;
    }
  };

  const waiting = async (): Promise<string[]> => {
    const { rows } = await db.query<{ mandant_id: string }>('SELECT DISTINCT mandant_id FROM eingang');
    return rows.map((row) => row.mandant_id);
  };

  /**
   * What comes after a stretch that is still being counted. Every few stretches from the start again: a batch may be
   * stored a little after one with a later id.
   */
  const readAhead = (stretch: Stretch, turn: number): Promise<Stretch | null> => {
    const underWay = [...stretch.eingangIds, ...stretch.unreadable.map(({ eingangId }) => eingangId)];
    return reader.next(stretch.mandant, turn % STRETCHES_PER_TURN === 0 ? START : stretch.lastId, underWay);
  };

  /** Counts a Mandant to the end of its inbox, or for a few stretches when others wait; reads ahead by one. */
  const countMandant = async (mandant: string, othersWait: () => Promise<boolean>): Promise<void> => {
    let stretch = await reader.next(mandant, START, []);
    for (let turn = 1; stretch && !stopping; turn += 1) {
      const start = performance.now();
      const last = turn % STRETCHES_PER_TURN === 0 && (await othersWait());
      const [counted, next]: [PromiseSettledResult<boolean>, PromiseSettledResult<Stretch | null>] =
        await Promise.allSettled([count(stretch), last ? null : readAhead(stretch, turn)]);
      if (counted.status === 'rejected') throw counted.reason;
      if (!counted.value) return;
      if (next.status === 'rejected') throw next.reason;
      stretch = next.value;
      await options.stepBack?.(performance.now() - start);
    }
  };

  /** One pass over all Mandanten that have something waiting; false when there was nothing. */
  const pass = async (): Promise<boolean> => {
    const mandanten = await waiting();
    const queue = [...mandanten];
    const underWay = new Set<string>();
    const othersWait = async () => (await waiting()).some((mandant) => !underWay.has(mandant));
    const lane = async () => {
      for (let mandant = queue.shift(); mandant && !stopping; mandant = queue.shift()) {
        underWay.add(mandant);
        await countMandant(mandant, othersWait);
        underWay.delete(mandant);
      }
    };
    const lanes = await Promise.allSettled(Array.from({ length: MANDANTEN_AT_ONCE }, lane));
    const failed = lanes.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
    return mandanten.length > 0;
  };

  const loop = async (): Promise<void> => {
    while (!stopping) {
      try {
        if (!(await pass())) await delay(IDLE_PAUSE);
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
