/** Documents are made in threads of their own: setting one takes up to seconds of CPU time that no request may wait for. */
import { move, Piscina } from 'piscina';
import { unavailable } from '#kernel/errors.ts';
import { createTurns } from './turns.ts';

/** Documents that are made side by side, and that wait for their turn. */
const AT_ONCE = 2;
const WAITING = 20;
/** Milliseconds for one document, from when its turn begins. */
const TIME_LIMIT = 20_000;
/** A thread that has had nothing to do for so long ends; milliseconds. */
const IDLE = 30_000;
const MEMORY = { maxYoungGenerationSizeMb: 32, maxOldGenerationSizeMb: 256 };

export interface Documents {
  /**
   * What the thread made of the model. `module` is a file of the service that exports `inThread(…)` by default. Throws what that has
   * thrown, 503 `ueberlastet` when too many wait already (unless `patient`: it waits behind them) or when it takes too long.
   */
  make<Model>(module: URL, model: Model, options?: { patient?: boolean }): Promise<Uint8Array>;
  /** Ends the threads; what is being made is given up. */
  stop(): Promise<void>;
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

/** The default export of a module whose documents are made in threads: hands the bytes over without a copy. */
export const inThread =
  <Model>(make: (model: Model) => Promise<Uint8Array>) =>
  async (model: Model): Promise<unknown> =>
    move(await make(model));

/** Starts no thread before the first document. */
export function createDocuments({
  atOnce = AT_ONCE,
  waiting = WAITING,
  timeLimit = TIME_LIMIT,
}: Limits = {}): Documents {
  const pool = new Piscina({ minThreads: 0, maxThreads: atOnce, idleTimeout: IDLE, resourceLimits: MEMORY });
  const inTurn = createTurns({ atOnce, waiting });
  return {
    make: (module, model, options) =>
      inTurn(async () => {
        const signal = AbortSignal.timeout(timeLimit);
        try {
          return (await pool.run(model, { filename: module.href, signal })) as Uint8Array;
        } catch (error) {
          throw signal.aborted ? tookTooLong() : error;
        }
      }, options),
    stop: () => pool.destroy(),
  };
}
