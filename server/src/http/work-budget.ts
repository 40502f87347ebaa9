/**
 * Bounds what requests may cost a sender, in CPU time beyond what they are worth by their content, by the bytes that were sent and by what
 * their operation declares: an ordinary request costs nothing here, however many there are. What is left are requests made to be dear. Counted in the memory of each process, by key and by Mandant.
 */
import { AppError } from '#kernel/errors.ts';
import type { KeyPrincipal, SessionPrincipal } from '#platform/principal.ts';

/** Milliseconds of CPU time. */
interface Limits {
  /** At once. */
  burst: number;
  /** That come back in a second. */
  perSecond: number;
}

const PER_KEY: Limits = { burst: 500, perSecond: 25 };
const PER_MANDANT: Limits = { burst: 1_000, perSecond: 50 };
/** With so many accounts, those of whom nothing is left are forgotten. */
const SWEEP_FROM = 10_000;

type Principal = KeyPrincipal | SessionPrincipal;

interface Account {
  limits: Limits;
  /** What was used and has not come back yet. */
  used: number;
  /** When that was so, in milliseconds. */
  at: number;
}

export interface WorkBudget {
  /** Throws 429 with `Retry-After` when the sender has used more than it may. */
  check(principal: Principal | null): void;
  /** Books what something has cost beyond what it was worth, both in milliseconds of CPU time. */
  book(principal: Principal | null, cost: number, worth: number): void;
}

const refused = (seconds: number) =>
  new AppError(
    'too-many',
    'rechenzeit_verbraucht',
    {
      de: 'Die letzten Anfragen waren ungewöhnlich aufwendig. Bitte später noch einmal versuchen.',
      en: 'The latest requests were unusually costly. Please try again later.',
    },
    seconds,
  );

/** Accounts of a principal; whoever sends without credentials is bounded by other means. */
function accountsOf(principal: Principal | null): [string, Limits][] {
  if (!principal) return [];
  const sender = principal.kind === 'key' ? principal.schluesselId : principal.sitzungId;
  return [
    [sender, PER_KEY],
    [principal.mandant, PER_MANDANT],
  ];
}

const usedNow = ({ limits, used, at }: Account, now: number) =>
  Math.max(0, used - ((now - at) / 1_000) * limits.perSecond);

/** `now` answers milliseconds that only go forward. */
export function createWorkBudget(now: () => number = () => performance.now()): WorkBudget {
  const accounts = new Map<string, Account>();
  let sweepFrom = SWEEP_FROM;
  const sweep = (at: number) => {
    for (const [id, account] of accounts) if (usedNow(account, at) === 0) accounts.delete(id);
    sweepFrom = Math.max(SWEEP_FROM, 2 * accounts.size);
  };
  return {
    check(principal) {
      const at = now();
      for (const [id, { burst, perSecond }] of accountsOf(principal)) {
        const account = accounts.get(id);
        const tooMuch = account ? usedNow(account, at) - burst : 0;
        if (tooMuch > 0) throw refused(Math.ceil(tooMuch / perSecond));
      }
    },
    book(principal, cost, worth) {
      const excess = cost - worth;
      if (excess <= 0) return;
      const at = now();
      for (const [id, limits] of accountsOf(principal)) {
        const account = accounts.get(id) ?? { limits, used: 0, at };
        accounts.set(id, { limits, used: usedNow(account, at) + excess, at });
      }
      if (accounts.size > sweepFrom) sweep(at);
    },
  };
}
