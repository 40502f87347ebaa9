/**
 * What was used of quotas, as one process knows it: what it counts itself at once, what the others count twice a second. Nobody waits for
 * the database: between two exchanges each process may let through what it would alone, and all of that is waited for afterwards.
 */
import type { ServiceContext } from '#platform/context.ts';
import { type Art, addUse } from './store.ts';

const EXCHANGE_EVERY = 500;
/** Most levels of one exchange. */
const MAX_TOGETHER = 2_000;
/** With this many levels, those of which nothing is gone are forgotten. */
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
  /** Uses this many milliseconds of the quota; less than none gives back. */
  use(konto: string, art: Art, time: number): void;
  /** Tells the others, and learns of them. Failures are logged: then each process counts for itself until the next time. */
  exchange(): Promise<void>;
  /** How many are known. */
  size(): number;
  stop(): Promise<void>;
}

class LevelsOfProcess implements Levels {
  readonly #db: ServiceContext['db'];
  readonly #log: ServiceContext['log'];
  readonly #levels = new Map<string, Level>();
  readonly #unsent = new Set<Level>();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | null = null;
  #sweepFrom = SWEEP_FROM;

  constructor({ db, log }: Pick<ServiceContext, 'db' | 'log'>) {
    this.#db = db;
    this.#log = log;
  }

  rest(konto: string, art: Art): number {
    return Math.max(0, (this.#levels.get(`${konto}/${art}`)?.until ?? 0) - performance.now());
  }

  use(konto: string, art: Art, time: number): void {
    const create = (): Level => ({ konto, art, until: 0, unsent: 0 });
    const level = this.#levels.getOrInsertComputed(`${konto}/${art}`, create);
    level.until = Math.max(level.until, performance.now()) + time;
    level.unsent += time;
    this.#unsent.add(level);
    this.#schedule();
    if (this.#levels.size > this.#sweepFrom) this.#sweep();
  }

  exchange(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#running ??= this.#send().finally(() => {
      this.#running = null;
      if (this.#unsent.size > 0) this.#schedule();
    });
    return this.#running;
  }

  size(): number {
    return this.#levels.size;
  }

  async stop(): Promise<void> {
    await this.exchange();
    clearTimeout(this.#timer);
  }

  // unref: a process that ends does not wait for it.
  #schedule(): void {
    this.#timer ??= setTimeout(() => void this.exchange(), EXCHANGE_EVERY).unref();
  }

  async #send(): Promise<void> {
    const together = [...this.#unsent].slice(0, MAX_TOGETHER);
    if (together.length === 0) return;
    const uses = together.map(({ konto, art, unsent: time }) => ({ konto, art, time }));
    for (const level of together) {
      level.unsent = 0;
      this.#unsent.delete(level);
    }
    try {
      const rests = await addUse(this.#db, uses);
      const now = performance.now();
      together.forEach((level, index) => {
        level.until = now + (rests[index] as number) + level.unsent;
      });
    } catch (error) {
      together.forEach((level, index) => {
        level.unsent += (uses[index] as { time: number }).time;
        this.#unsent.add(level);
      });
      this.#log.warn({ err: error }, 'quotas are counted in this process only');
    }
  }

  #sweep(): void {
    const now = performance.now();
    for (const [id, level] of this.#levels)
      if (level.until <= now && level.unsent === 0) this.#levels.delete(id);
    this.#sweepFrom = Math.max(SWEEP_FROM, 2 * this.#levels.size);
  }
}

export const createLevels = (context: Pick<ServiceContext, 'db' | 'log'>): Levels =>
  new LevelsOfProcess(context);
