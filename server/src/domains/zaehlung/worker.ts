/**
 * The counting worker. It looks for Mandanten with something in their inbox and counts a few of them side by side, each
 * in order and by one worker at a time. While one stretch is being written, the next is read and priced.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { PriceList } from '#domains/preise/index.ts';
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
      return report(await countStretch(db, stretch));
    } catch (error) {
      if (isPassing(error)) throw error;
      await countSingly(stretch.mandant, stretch.eingangIds);
      return true;
    }
  };

  /** One turn of a Mandant: at most a few stretches, reading ahead by one. */
  const countMandant = async (mandant: string): Promise<void> => {
    let stretch = await reader.next(mandant, START);
    for (let turn = 0; stretch && turn < STRETCHES_PER_TURN && !stopping; turn += 1) {
      const [counted, next]: [PromiseSettledResult<boolean>, PromiseSettledResult<Stretch | null>] =
        await Promise.allSettled([count(stretch), reader.next(mandant, stretch.lastId)]);
      if (counted.status === 'rejected') throw counted.reason;
      if (!counted.value) return;
      if (next.status === 'rejected') throw next.reason;
      stretch = next.value;
    }
  };

  const waiting = async (): Promise<string[]> => {
    const { rows } = await db.query<{ mandant_id: string }>('SELECT DISTINCT mandant_id FROM eingang');
    return rows.map((row) => row.mandant_id);
  };

  /** One pass over all Mandanten that have something waiting; false when there was nothing. */
  const pass = async (): Promise<boolean> => {
    const mandanten = await waiting();
    const queue = [...mandanten];
    const lane = async () => {
      for (let mandant = queue.shift(); mandant && !stopping; mandant = queue.shift())
        await countMandant(mandant);
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
