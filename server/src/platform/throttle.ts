/**
 * Limits attempts per account and per network address, for all processes together: the counters are in the database
 * (table `drosselung`, keys hashed). An attempt is counted before it is checked, so that many at once do not slip
 * through, and given back when it was right. How much is too much, each slice says itself (`limits.ts`).
 *
 * Who is known already has a budget of their own, apart from that of everybody: guessing locks out the guesser, not the
 * user.
 *
 * While the counters cannot be reached, each process counts in its memory: guessing stays limited, nobody is locked
 * out.
 */
import ipaddr from 'ipaddr.js';
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { AppError } from '#kernel/errors.ts';
import type { RequestDatabase } from './database/index.ts';
import type { Log } from './log.ts';
import { hashOf } from './secret.ts';

const HOUR = 3_600;
const DAY = 24 * HOUR;

/** A block within this time after another one is longer. */
const REMEMBERED = DAY;
const LONGEST_BLOCK = HOUR;

/** `kind` tells the counters of one thing from those of another, here and in the following. */
export interface AttemptLimits {
  kind: string;
  /** Seconds in which attempts are counted together. */
  window: number;
  perAccount: number;
  perNetwork: number;
  /** Seconds of the first block of an account; the following ones grow. */
  firstBlock: number;
}

export interface SubjectLimits {
  kind: string;
  perHour: number;
}

export interface ErrandLimits {
  kind: string;
  /** An hour. */
  perMandant: number;
  /** An hour. */
  perNetwork: number;
}

export interface Allowance {
  kind: string;
  most: number;
  /** Seconds for which it is meant. */
  window: number;
}

export interface Memory {
  kind: string;
  /** Seconds after which it is forgotten. */
  window: number;
}

/**
 * Who tries: anybody, from a network, or somebody who has shown before to be the user. What names the latter (`known`) must
 * be nothing that others can claim: the network is not asked then.
 */
type Attempting = { account: string; address: string | null } | { known: string };

/** An attempt at something that belongs to one account. */
export interface Attempt {
  /** Counts it; throws `zu_viele_versuche` when there were too many. */
  begin(): Promise<void>;
  /** Takes it back; earlier failures stay. */
  takeBack(): Promise<void>;
  /** Takes it back and forgets the failures in the same budget. */
  succeed(): Promise<void>;
}

/** The counters. What they throw is `zu_viele_versuche`, with the seconds to wait. */
export interface Throttle {
  /** An attempt at something that belongs to one account. */
  attempt(limits: AttemptLimits, who: Attempting): Attempt;
  /** Forgets what anybody failed at the account. */
  forget(limits: AttemptLimits, account: string): Promise<void>;
  /** Counts one thing done to or for a subject; throws when there were too many. */
  countSubject(limits: SubjectLimits, subject: string): Promise<void>;
  /** Counts something everybody may do, but not without end; throws when the network asked for too many. */
  countNetwork(limits: SubjectLimits, address: string | null): Promise<void>;
  /** Counts what a signed-in user has the service do out there; throws when Mandant or network asked for too many. */
  countErrand(limits: ErrandLimits, mandant: string, address: string | null): Promise<void>;
  /** Whether one more is within the allowance of the subject; counts it. */
  allows(allowance: Allowance, subject: string): Promise<boolean>;
  /** Keeps in mind that something was the case with the subject. */
  remember(memory: Memory, subject: string): Promise<void>;
  /** Whether that is still in mind. */
  remembers(memory: Memory, subject: string): Promise<boolean>;
}

const tooManyAttempts = (seconds: number) =>
  new AppError(
    'too-many',
    'zu_viele_versuche',
    {
      de: 'Zu viele Versuche. Bitte warten Sie einige Minuten.',
      en: 'Too many attempts. Please wait a few minutes.',
    },
    seconds,
  );

/** Seconds the nth block of an account lasts: twice as long as the one before, an hour at most, never for good. */
export const blockSeconds = (first: number, nth: number): number =>
  Math.min(first * 2 ** (nth - 1), LONGEST_BLOCK);

/** An IPv4 address itself; of IPv6 the /64 that one subscriber holds. What is no address is one network for all. */
export function networkOf(address: string): string {
  // Some proxies name the port, too.
  const bare = address.replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1');
  if (!ipaddr.isValid(bare)) return '';
  const read = ipaddr.process(bare);
  if (!(read instanceof ipaddr.IPv6)) return read.toString();
  return read.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':');
}

interface Counters {
  db: Pick<RequestDatabase, 'transaction'>;
  log: Pick<Log, 'warn'>;
}

/** The part of a `pg` client the library uses, on the request role. */
const storeClient = ({ db, log }: Counters) => ({
  async query({ text, values }: { text: string; values: unknown[] }) {
    try {
      return await db.transaction(async (client) => {
        // Counts lost in a crash of the server do no harm; no request waits for the disk because of them.
        await client.query('SET LOCAL synchronous_commit = off');
        return client.query(text, values);
      });
    } catch (error) {
      log.warn({ err: error }, 'attempts are counted in this process only');
      throw error;
    }
  },
});

type LimiterOf = (points: number, duration: number) => RateLimiterPostgres;

/** One limiter for all who have the same limits, so that what it counts in memory is counted once. */
function createLimiters(counters: Counters): LimiterOf {
  const store = {
    storeClient: storeClient(counters),
    storeType: 'client',
    tableName: 'drosselung',
    tableCreated: true,
    // A job does it (`zugang.abgelaufenes_entfernen`).
    clearExpiredByTimeout: false,
  };
  const limiters = new Map<string, RateLimiterPostgres>();
  return (points, duration) => {
    const limits = { points, duration, keyPrefix: '' };
    const create = () =>
      new RateLimiterPostgres({ ...limits, ...store, insuranceLimiter: new RateLimiterMemory(limits) });
    return limiters.getOrInsertComputed(`${points}/${duration}`, create);
  };
}

const keyOf = (kind: string, subject: string) => hashOf(`${kind}:${subject}`).toString('base64url');

/** What the limiter says when there were too many; null when it may go on. */
async function refusalOf(counting: Promise<RateLimiterRes>): Promise<RateLimiterRes | null> {
  try {
    await counting;
    return null;
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) return refusal;
    throw refusal;
  }
}

const tooManyUntil = (refusal: RateLimiterRes) =>
  tooManyAttempts(Math.max(1, Math.ceil(refusal.msBeforeNext / 1000)));

/** The counters of one budget: what was tried, and how often that was too much. */
interface Budget {
  tried: string;
  blocks: string;
}

const budgetOf = (kind: string, who: Attempting): Budget => {
  if ('known' in who)
    return {
      tried: keyOf(`${kind}.bekannt`, who.known),
      blocks: keyOf(`${kind}.bekannt.sperren`, who.known),
    };
  const account = who.account.toLowerCase();
  return { tried: keyOf(`${kind}.konto`, account), blocks: keyOf(`${kind}.sperren`, account) };
};

function createAttempts(limiter: LimiterOf): Pick<Throttle, 'attempt' | 'forget'> {
  const blocks = limiter(Number.MAX_SAFE_INTEGER, REMEMBERED);
  const forget = async (limits: AttemptLimits, budget: Budget) => {
    const perAccount = limiter(limits.perAccount, limits.window);
    await Promise.all([perAccount.delete(budget.tried), blocks.delete(budget.blocks)]);
  };
  const attempt = (limits: AttemptLimits, who: Attempting): Attempt => {
    const perNetwork = limiter(limits.perNetwork, limits.window);
    const perAccount = limiter(limits.perAccount, limits.window);
    const budget = budgetOf(limits.kind, who);
    const network = 'known' in who ? null : keyOf(`${limits.kind}.netz`, networkOf(who.address ?? ''));
    const returnToNetwork = async () => {
      if (network !== null) await perNetwork.reward(network);
    };
    return {
      async begin() {
        // The network first: it bounds how many accounts one sender can make counters for.
        const exhausted = network === null ? null : await refusalOf(perNetwork.consume(network));
        if (exhausted) throw tooManyUntil(exhausted);
        const refusal = await refusalOf(perAccount.consume(budget.tried));
        if (!refusal) return;
        // Only the first one too many begins a block; those that follow wait for its end.
        if (refusal.consumedPoints !== limits.perAccount + 1) throw tooManyUntil(refusal);
        const { consumedPoints: nth } = await blocks.penalty(budget.blocks);
        const seconds = blockSeconds(limits.firstBlock, nth);
        await perAccount.block(budget.tried, seconds);
        throw tooManyAttempts(seconds);
      },
      takeBack: async () => void (await Promise.all([perAccount.reward(budget.tried), returnToNetwork()])),
      succeed: async () => void (await Promise.all([forget(limits, budget), returnToNetwork()])),
    };
  };
  return {
    attempt,
    forget: (limits, account) => forget(limits, budgetOf(limits.kind, { account, address: null })),
  };
}

export function createThrottle(counters: Counters): Throttle {
  const limiter = createLimiters(counters);
  const consume = (kind: string, points: number, seconds: number, subject: string) =>
    refusalOf(limiter(points, seconds).consume(keyOf(kind, subject)));
  const countSubject = async ({ kind, perHour }: SubjectLimits, subject: string) => {
    const refusal = await consume(kind, perHour, HOUR, subject);
    if (refusal) throw tooManyUntil(refusal);
  };
  const countNetwork = (limits: SubjectLimits, address: string | null) =>
    countSubject(limits, networkOf(address ?? ''));
  return {
    ...createAttempts(limiter),
    countSubject,
    countNetwork,
    async countErrand({ kind, perMandant, perNetwork }, mandant, address) {
      // The network first: it bounds how many Mandanten one sender can make counters for.
      await countNetwork({ kind: `${kind}.netz`, perHour: perNetwork }, address);
      await countSubject({ kind: `${kind}.mandant`, perHour: perMandant }, mandant);
    },
    allows: async ({ kind, most, window }, subject) => (await consume(kind, most, window, subject)) === null,
    remember: async ({ kind, window }, subject) =>
      void (await limiter(1, window).set(keyOf(kind, subject), 1, window)),
    remembers: async ({ kind, window }, subject) =>
      (await limiter(1, window).get(keyOf(kind, subject))) !== null,
  };
}
