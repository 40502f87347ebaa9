/**
 * What was used of quotas, as one process knows it: what it counts itself at once, what the others count twice a second. Nobody waits for
 * the database: between two exchanges each process may let through what it would alone, and all of that is waited for afterwards.
 */
import type { ServiceContext } from '#platform/context.ts';
import { type Art, addUse } from './store.ts';

const EXCHANGE_EVERY = 500;
/** Most levels of one exchange. */
const MAX_TOGETHER = 2_000;
/** With so many levels, those of which nothing is gone are forgotten. */
const SWEEP_FROM = 10_000;

interface Level {
  konto: string;
  art: Art;
  /** When all of it is back, on the monotonic clock. */
  until: number;
  /** Milliseconds that the other processes do not know of yet. */
  unsent: number;
}

export interface Levels {
  /** Milliseconds until all of the quota is back. */
  rest(konto: string, art: Art): number;
  /** Uses so many milliseconds of the quota; less than none gives back. */
  use(konto: string, art: Art, time: number): void;
  /** Tells the others, and learns of them. Failures are logged: then each process counts for itself until the next time. */
  exchange(): Promise<void>;
  /** How many are known. */
  size(): number;
  stop(): Promise<void>;
}

export function createLevels({ db, log }: Pick<ServiceContext, 'db' | 'log'>): Levels {
  const levels = new Map<string, Level>();
  const unsent = new Set<Level>();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;
  let sweepFrom = SWEEP_FROM;

  const sweep = () => {
    const now = performance.now();
    for (const [id, level] of levels) if (level.until <= now && level.unsent === 0) levels.delete(id);
    sweepFrom = Math.max(SWEEP_FROM, 2 * levels.size);
  };

  const send = async () => {
    const together = [...unsent].slice(0, MAX_TOGETHER);
    if (together.length === 0) return;
    const uses = together.map(({ konto, art, unsent: time }) => ({ konto, art, time }));
    for (const level of together) {
      level.unsent = 0;
      unsent.delete(level);
    }
    try {
      const rests = await addUse(db, uses);
      const now = performance.now();
      together.forEach((level, index) => {
        level.until = now + (rests[index] as number) + level.unsent;
      });
    } catch (error) {
      together.forEach((level, index) => {
        level.unsent += (uses[index] as { time: number }).time;
        unsent.add(level);
      });
      log.warn({ err: error }, 'quotas are counted in this process only');
    }
  };

  const exchange = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    running ??= send().finally(() => {
      running = null;
      if (unsent.size > 0) schedule();
    });
    return running;
  };
  // unref: a process that ends does not wait for it.
  const schedule = () => {
    timer ??= setTimeout(() => void exchange(), EXCHANGE_EVERY).unref();
  };

  return {
    rest: (konto, art) => Math.max(0, (levels.get(`${konto}/${art}`)?.until ?? 0) - performance.now()),
    use(konto, art, time) {
      const create = (): Level => ({ konto, art, until: 0, unsent: 0 });
      const level = levels.getOrInsertComputed(`${konto}/${art}`, create);
      level.until = Math.max(level.until, performance.now()) + time;
      level.unsent += time;
      unsent.add(level);
      schedule();
      if (levels.size > sweepFrom) sweep();
    },
    exchange,
    size: () => levels.size,
    async stop() {
      await exchange();
      clearTimeout(timer);
    },
  };
}
