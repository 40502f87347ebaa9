/**
 * Limits attempts per account and per network address, for all processes together: the counters are in the database
 * (table `drosselung`, keys hashed). An attempt is counted before it is checked, so that many at once do not slip
 * through, and given back when it was right.
 *
 * While the counters cannot be reached, each process counts in its memory: guessing stays limited, nobody is locked
 * out.
 */
import ipaddr from 'ipaddr.js';
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { hashOf } from '#kernel/secret.ts';
import type { ServiceContext } from '#platform/context.ts';
import { tooManyAttempts } from './errors.ts';
import { blockSeconds } from './rules.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Whoever is blocked within this time after another block is blocked for longer. */
const REMEMBERED = DAY;

interface AttemptLimits {
  window: number;
  perAccount: number;
  perNetwork: number;
  /** Seconds of the first block of an account; the following ones grow. */
  firstBlock: number;
}

const PASSWORDS: AttemptLimits = {
  window: 15 * MINUTE,
  perAccount: 10,
  perNetwork: 50,
  firstBlock: MINUTE,
};
/** Six digits are guessed sooner than a password. */
const CODES: AttemptLimits = { ...PASSWORDS, perAccount: 5 };
/** Every one may send a mail to somebody who did not ask for it. */
const RESETS: AttemptLimits = { window: HOUR, perAccount: 5, perNetwork: 50, firstBlock: HOUR };
/** Likewise, an hour: of one address by one Mandant, of one address by all; a company may invite everybody on one day. */
const INVITATIONS = { perPair: 5, perAddress: 20, perMandant: 500, perNetwork: 500 };
/** Registrations an hour from one network: a whole training room may sign up, a flood may not. */
const REGISTRATIONS_PER_HOUR = 200;
/** Each makes the service ask a provider; a whole company comes from one network in the morning. */
const COMPANY_LOGINS_PER_HOUR = 1_000;
/** Uses an hour of links from mails, good or bad: nobody guesses one, but each costs a password hash. */
const LINKS_PER_HOUR = 200;
const FAILURES_NOTED_PER_DAY = 10;

/** What the service does out there on the word of a user, an hour. */
interface ErrandLimits {
  perMandant: number;
  perNetwork: number;
}

/** The page that shows the logo fetches it at every visit. */
const LOGOS: ErrandLimits = { perMandant: 300, perNetwork: 1_000 };
/** Whoever waits for a record asks again every half minute. */
const DOMAIN_CHECKS: ErrandLimits = { perMandant: 120, perNetwork: 500 };
const BOOKINGS: ErrandLimits = { perMandant: 60, perNetwork: 500 };

/** Attempts at something that belongs to one account. */
export interface AttemptThrottle {
  /** Counts an attempt; throws 429 with Retry-After when there were too many. */
  begin(account: string, address: string | null): Promise<void>;
  /** Takes the attempt back; earlier failures stay. */
  takeBack(account: string, address: string | null): Promise<void>;
  /** Takes the attempt back and forgets the failures of the account. */
  succeed(account: string, address: string | null): Promise<void>;
  /** Forgets the failures of the account. */
  forget(account: string): Promise<void>;
}

/** Something everybody may do, but not without end. */
export interface NetworkThrottle {
  /** Counts one; throws 429 with Retry-After when there were too many. */
  count(address: string | null): Promise<void>;
}

/** Something a signed-in user has the service do out there. */
export interface ErrandThrottle {
  /** Counts one; throws 429 with Retry-After when the Mandant or the network asked for too many. */
  count(mandant: string, address: string | null): Promise<void>;
}

export interface InvitationThrottle {
  /** Counts one, to `email`; throws 429 with Retry-After when there were too many. */
  count(mandant: string, email: string, address: string | null): Promise<void>;
}

export interface Throttles {
  /** Passwords, by address at login and by id of the user who is signed in. */
  passwords: AttemptThrottle;
  /** Codes of the second factor, by id of the user. */
  codes: AttemptThrottle;
  /** Reset links, by address, whether or not it is known. */
  resets: AttemptThrottle;
  invitations: InvitationThrottle;
  /** Fetches of logos. */
  logos: ErrandThrottle;
  /** Questions for the record that proves a domain. */
  domainChecks: ErrandThrottle;
  /** Payment pages and portals. */
  bookings: ErrandThrottle;
  registrations: NetworkThrottle;
  /** Beginnings of logins with a company account. */
  companyLogins: NetworkThrottle;
  /** Uses of links from mails: new passwords, accepted invitations. */
  links: NetworkThrottle;
  /** Whether one more failed login of a user may go into the audit log, which must not grow with an attack. */
  mayNoteFailure(benutzerId: string): Promise<boolean>;
}

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

/** The part of a `pg` client the library uses, on the request role. */
const storeClient = ({ db, log }: ServiceContext) => ({
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

function createLimiters(context: ServiceContext): LimiterOf {
  const store = {
    storeClient: storeClient(context),
    storeType: 'client',
    tableName: 'drosselung',
    tableCreated: true,
    // A job does it (jobs/abgelaufenes-entfernen.ts).
    clearExpiredByTimeout: false,
  };
  return (points, duration) => {
    const limits = { points, duration, keyPrefix: '' };
    return new RateLimiterPostgres({ ...limits, ...store, insuranceLimiter: new RateLimiterMemory(limits) });
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

function createAttemptThrottle(limiter: LimiterOf, kind: string, limits: AttemptLimits): AttemptThrottle {
  const perNetwork = limiter(limits.perNetwork, limits.window);
  const perAccount = limiter(limits.perAccount, limits.window);
  const blocks = limiter(Number.MAX_SAFE_INTEGER, REMEMBERED);
  const networkKey = (address: string | null) => keyOf(`${kind}.netz`, networkOf(address ?? ''));
  const accountKey = (account: string) => keyOf(`${kind}.konto`, account.toLowerCase());
  const blocksKey = (account: string) => keyOf(`${kind}.sperren`, account.toLowerCase());
  const forget = async (account: string) => {
    await Promise.all([perAccount.delete(accountKey(account)), blocks.delete(blocksKey(account))]);
  };
  return {
    async begin(account, address) {
      // The network first: it bounds how many accounts one sender can make counters for.
      const network = await refusalOf(perNetwork.consume(networkKey(address)));
      if (network) throw tooManyUntil(network);
      const refusal = await refusalOf(perAccount.consume(accountKey(account)));
      if (!refusal) return;
      // Only the first one too many begins a block; those that follow wait for its end.
      if (refusal.consumedPoints !== limits.perAccount + 1) throw tooManyUntil(refusal);
      const { consumedPoints: nth } = await blocks.penalty(blocksKey(account));
      const seconds = blockSeconds(limits.firstBlock, nth);
      await perAccount.block(accountKey(account), seconds);
      throw tooManyAttempts(seconds);
    },
    async takeBack(account, address) {
      await Promise.all([perAccount.reward(accountKey(account)), perNetwork.reward(networkKey(address))]);
    },
    async succeed(account, address) {
      await Promise.all([forget(account), perNetwork.reward(networkKey(address))]);
    },
    forget,
  };
}

/** Counts one of a subject; throws 429 when it had `perHour` already. */
function createHourly(limiter: LimiterOf, kind: string, perHour: number) {
  const counters = limiter(perHour, HOUR);
  return async (subject: string): Promise<void> => {
    const refusal = await refusalOf(counters.consume(keyOf(kind, subject)));
    if (refusal) throw tooManyUntil(refusal);
  };
}

function createNetworkThrottle(limiter: LimiterOf, kind: string, perHour: number): NetworkThrottle {
  const ofNetwork = createHourly(limiter, kind, perHour);
  return { count: (address) => ofNetwork(networkOf(address ?? '')) };
}

function createErrandThrottle(limiter: LimiterOf, kind: string, limits: ErrandLimits): ErrandThrottle {
  const network = createNetworkThrottle(limiter, `${kind}.netz`, limits.perNetwork);
  const ofMandant = createHourly(limiter, `${kind}.mandant`, limits.perMandant);
  return {
    async count(mandant, address) {
      // The network first: it bounds how many Mandanten one sender can make counters for.
      await network.count(address);
      await ofMandant(mandant);
    },
  };
}

function createInvitationThrottle(limiter: LimiterOf, limits: typeof INVITATIONS): InvitationThrottle {
  const errands = createErrandThrottle(limiter, 'einladung', limits);
  const ofPair = createHourly(limiter, 'einladung.paar', limits.perPair);
  const ofAddress = createHourly(limiter, 'einladung.adresse', limits.perAddress);
  return {
    async count(mandant, email, address) {
      const invited = email.toLowerCase();
      await errands.count(mandant, address);
      await ofPair(`${mandant} ${invited}`);
      // Last, so that one Mandant alone does not use up what others may send.
      await ofAddress(invited);
    },
  };
}

/** Hold nothing of their own: made twice, they count together. */
export function createThrottles(context: ServiceContext): Throttles {
  const limiter = createLimiters(context);
  const notes = limiter(FAILURES_NOTED_PER_DAY, DAY);
  return {
    passwords: createAttemptThrottle(limiter, 'passwort', PASSWORDS),
    codes: createAttemptThrottle(limiter, 'code', CODES),
    resets: createAttemptThrottle(limiter, 'ruecksetzung', RESETS),
    invitations: createInvitationThrottle(limiter, INVITATIONS),
    logos: createErrandThrottle(limiter, 'logo', LOGOS),
    domainChecks: createErrandThrottle(limiter, 'domain', DOMAIN_CHECKS),
    bookings: createErrandThrottle(limiter, 'buchung', BOOKINGS),
    registrations: createNetworkThrottle(limiter, 'registrierung', REGISTRATIONS_PER_HOUR),
    companyLogins: createNetworkThrottle(limiter, 'firmenkonto', COMPANY_LOGINS_PER_HOUR),
    links: createNetworkThrottle(limiter, 'link', LINKS_PER_HOUR),
    mayNoteFailure: async (benutzerId) =>
      (await refusalOf(notes.consume(keyOf('fehlschlag', benutzerId)))) === null,
  };
}
