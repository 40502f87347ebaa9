/**
 * Places in something that has few of them (threads, connections, archives), shared between holders: a Mandant each, or null for work
 * that has none. A holder takes at most half of what the others leave, so that another one finds a place whatever the first one does;
 * who holds fewest comes next, of several the one whose last turn is longest ago. One that wants many waits behind itself.
 */
import { availableParallelism } from 'node:os';
import { AppError, unavailable } from '#kernel/errors.ts';
import { callerSignal } from './caller.ts';

/** Places of work that keeps a processor busy each, mostly the database's: as many as there are here, and two at least. */
export const PROCESSORS = Math.max(2, availableParallelism());

export interface SharesOptions {
  places: number;
  /** Places of these that are only for work without a Mandant. */
  reserved?: number;
  /** How many may wait. Of more the youngest of the holder with most of them is refused. */
  waiting: number;
  /** Milliseconds after which waiting ends with a refusal; without it when the turn comes. */
  longest?: number;
  /** What is thrown at who is refused; `ofOwn`: what it waits for is held by itself. 503 `ueberlastet` unless given. */
  refuse?: (ofOwn: boolean) => AppError;
}

interface Asking {
  /** Is neither counted among those who wait nor refused: for callers of which there are few, each with one work at a time. */
  patient?: boolean;
  /** Ends the waiting; that of the caller (`callerSignal`) unless given. */
  signal?: AbortSignal | undefined;
}

/** Gives a place back; once is enough. */
export type Leave = () => void;

export interface Shares<H extends string> {
  /** Resolves with a place. Throws what `refuse` makes, `CallerGone` when the caller hangs up first. */
  take(holder: H | null, asking?: Asking): Promise<Leave>;
  /** Does the work in a place. */
  inTurn<T>(holder: H | null, work: () => Promise<T>, asking?: Asking): Promise<T>;
}

/** Seconds. */
const RETRY_AFTER = 2;

const shareUsed = () =>
  new AppError(
    'too-many',
    'anteil_verbraucht',
    {
      de: 'Ihr Konto hat gerade so viele Abfragen laufen, wie ihm zustehen. Bitte gleich noch einmal versuchen.',
      en: 'Your account has as many queries under way as it may have. Please try again in a moment.',
    },
    RETRY_AFTER,
  );
const busy = (retryAfter?: number): AppError =>
  unavailable(
    'ueberlastet',
    {
      de: 'Der Dienst ist gerade ausgelastet; bitte gleich noch einmal versuchen.',
      en: 'The service is busy right now; please try again in a moment.',
    },
    retryAfter,
  );

/** The refusal of a place in what requests share: 429 where its holder has its share, 503 where others have theirs. */
export const refuseShared = (ofOwn: boolean): AppError => (ofOwn ? shareUsed() : busy(RETRY_AFTER));

interface Waiter {
  patient: boolean;
  resolve(leave: Leave): void;
  refuse(): void;
}

/** What a holder has and wants. Forgotten once that is nothing. */
interface Account {
  held: number;
  waiting: Waiter[];
  /** Number of its last turn. */
  turn: number;
}

/** Of the places that others leave, a holder takes at most one in this number. */
const SHARE = 2;

/** The queues of all holders. */
class Queues<H extends string> {
  readonly #accounts = new Map<H | null, Account>();
  readonly #places: number;
  readonly #reserved: number;
  #held = 0;
  #turns = 0;

  constructor({ places, reserved = 0 }: Pick<SharesOptions, 'places' | 'reserved'>) {
    this.#places = places;
    this.#reserved = reserved;
  }

  /** Whether it has to wait. */
  add(holder: H | null, waiter: Waiter): boolean {
    const account = this.#accounts.getOrInsertComputed(holder, () => ({ held: 0, waiting: [], turn: 0 }));
    account.waiting.push(waiter);
    this.#advance();
    return account.waiting.includes(waiter);
  }

  remove(holder: H | null, waiter: Waiter): void {
    const account = this.#accounts.get(holder);
    if (!account) return;
    account.waiting = account.waiting.filter((each) => each !== waiter);
    this.#forget(holder, account);
  }

  isHolding(holder: H | null): boolean {
    return (this.#accounts.get(holder)?.held ?? 0) > 0;
  }

  /** The youngest of the holder with most in the queue, where more than this number wait. */
  tooMuch(most: number, newcomer: H | null): Waiter | undefined {
    const waiting = [...this.#accounts].map(([holder, account]) => ({
      holder,
      counted: account.waiting.filter(({ patient }) => !patient),
    }));
    if (waiting.reduce((sum, { counted }) => sum + counted.length, 0) <= most) return;
    const longest = Math.max(...waiting.map(({ counted }) => counted.length));
    // Of several with as many the newcomer's own: nobody makes room for its like.
    const crowds = waiting.filter(({ counted }) => counted.length === longest);
    return (crowds.find(({ holder }) => holder === newcomer) ?? crowds[0])?.counted.at(-1);
  }

  #forget(holder: H | null, account: Account): void {
    if (account.held === 0 && account.waiting.length === 0) this.#accounts.delete(holder);
  }

  #mayTake(holder: H | null, { held }: Account): boolean {
    if (this.#held >= this.#places) return false;
    if (holder === null) return true;
    const inReserve = Math.min(this.#reserved, this.#accounts.get(null)?.held ?? 0);
    const room = this.#places - this.#reserved - (this.#held - held - inReserve);
    return held < room && held + 1 <= Math.max(1, Math.floor(room / SHARE));
  }

  #next(): [H | null, Account] | null {
    let next: [H | null, Account] | null = null;
    for (const [holder, account] of this.#accounts) {
      if (account.waiting.length === 0 || !this.#mayTake(holder, account)) continue;
      const { held, turn } = next?.[1] ?? { held: Number.POSITIVE_INFINITY, turn: 0 };
      if (account.held < held || (account.held === held && account.turn < turn)) next = [holder, account];
    }
    return next;
  }

  #advance(): void {
    for (let next = this.#next(); next; next = this.#next()) {
      const [holder, account] = next;
      const waiter = account.waiting.shift() as Waiter;
      this.#turns += 1;
      account.turn = this.#turns;
      waiter.resolve(this.#hold(holder, account));
    }
  }

  #hold(holder: H | null, account: Account): Leave {
    let held = true;
    account.held += 1;
    this.#held += 1;
    return () => {
      if (!held) return;
      held = false;
      account.held -= 1;
      this.#held -= 1;
      this.#forget(holder, account);
      this.#advance();
    };
  }
}

/** All places are free at first. */
export function createShares<H extends string>(options: SharesOptions): Shares<H> {
  const { waiting, longest, refuse = () => busy() } = options;
  const queues = new Queues<H>(options);

  const take: Shares<H>['take'] = (holder, { patient = false, signal = callerSignal() } = {}) => {
    if (signal?.aborted) return Promise.reject(signal.reason);
    const { promise, resolve, reject } = Promise.withResolvers<Leave>();
    let timer: NodeJS.Timeout | undefined;
    const settle = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
    };
    const end = (error: unknown) => {
      settle();
      queues.remove(holder, waiter);
      reject(error);
    };
    const giveUp = () => end(signal?.reason);
    const waiter: Waiter = {
      patient,
      resolve: (leave) => {
        settle();
        resolve(leave);
      },
      refuse: () => end(refuse(queues.isHolding(holder))),
    };
    signal?.addEventListener('abort', giveUp, { once: true });
    if (longest !== undefined && !patient) timer = setTimeout(waiter.refuse, longest);
    if (queues.add(holder, waiter)) queues.tooMuch(waiting, holder)?.refuse();
    return promise;
  };

  return {
    take,
    async inTurn(holder, work, asking) {
      const leave = await take(holder, asking);
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}
