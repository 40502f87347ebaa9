/** Documents are made in threads of their own: setting one takes up to seconds of CPU time that no request may wait for. */
import { move, Piscina } from 'piscina';
import { unavailable } from '#kernel/errors.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import { callerSignal } from './caller.ts';
import type { Log } from './log.ts';
import { MEMORY as LIMITS } from './memory.ts';
import { createShares } from './shares.ts';

/** Documents that are made side by side, and that wait for their turn. */
const AT_ONCE = LIMITS.documentThreads;
const WAITING = 20;
/** Milliseconds for one document, from when its turn begins: rows are bounded, so that only a fault or a very busy machine takes them. */
const TIME_LIMIT = 60_000;
/** A thread that has had nothing to do for so long ends; milliseconds. */
const IDLE = 30_000;
const MEMORY = { maxYoungGenerationSizeMb: 32, maxOldGenerationSizeMb: 256 };
/** Piscina requires before it imports. A thread that ends while it requires an ES module ends the process with it (an assertion of Node). */
const IMPORTS_ALONE = ['--no-require-module'];

export interface Documents {
  /**
   * What the thread made of the model, for a Mandant. `module` is a file of the service that exports `inThread(…)` by default. Throws what
   * that has thrown; 503 `ueberlastet` when too many wait already (unless `patient`: it waits behind them), when it takes too long or
   * more memory than there is. Ends when the caller hangs up.
   */
  make<Model>(mandant: MandantId, module: URL, model: Model, options?: Patience): Promise<Uint8Array>;
  /** Ends the threads; what is being made is given up. */
  stop(): Promise<void>;
}

export interface Patience {
  patient?: boolean;
}

interface Limits {
  atOnce?: number;
  waiting?: number;
  timeLimit?: number;
}

const tookTooLong = () =>
  unavailable('ueberlastet', {
    de: 'Das Dokument wurde nicht rechtzeitig fertig; bitte gleich noch einmal versuchen.',
    en: 'The document was not ready in time; please try again in a moment.',
  });

const tooLarge = () =>
  unavailable('ueberlastet', {
    de: 'Das Dokument braucht mehr Speicher, als der Dienst dafür hat.',
    en: 'The document needs more memory than the service has for it.',
  });

const isOutOfMemory = (error: unknown) =>
  (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';

/** The default export of a module whose documents are made in threads: hands the bytes over without a copy. */
export const inThread =
  <Model>(make: (model: Model) => Promise<Uint8Array>) =>
  async (model: Model): Promise<unknown> =>
    move(await make(model));

/** Starts no thread before the first document. */
export function createDocuments(
  log: Pick<Log, 'error'>,
  { atOnce = AT_ONCE, waiting = WAITING, timeLimit = TIME_LIMIT }: Limits = {},
): Documents {
  const pool = new Piscina({
    minThreads: 0,
    maxThreads: atOnce,
    idleTimeout: IDLE,
    resourceLimits: MEMORY,
    execArgv: IMPORTS_ALONE,
  });
  // A thread that fails when it has no document any more (given up just before): nobody waits, and unheard it would end the process.
  pool.on('error', (error) => log.error({ err: error }, 'document thread failed'));
  const shares = createShares<MandantId>({ places: atOnce, waiting });

  const makeNow = async <Model>(module: URL, model: Model): Promise<Uint8Array> => {
    const limit = AbortSignal.timeout(timeLimit);
    const caller = callerSignal();
    const signal = caller ? AbortSignal.any([limit, caller]) : limit;
    try {
      return await pool.run(model, { filename: module.href, signal });
    } catch (error) {
      caller?.throwIfAborted();
      if (limit.aborted) throw tookTooLong();
      throw isOutOfMemory(error) ? tooLarge() : error;
    }
  };

  return {
    make: (mandant, module, model, options) => shares.inTurn(mandant, () => makeNow(module, model), options),
    stop: () => pool.destroy(),
  };
}
