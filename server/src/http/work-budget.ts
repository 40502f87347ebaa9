/**
 * Bounds what requests may cost a sender, in CPU time beyond what they are worth by their content, by the bytes that were sent and by what
 * their operation declares: an ordinary request costs nothing here, however many there are; requests made to be dear do. Counted in the memory of
 * each process, by key and by Mandant.
 */
import { AppError } from '#kernel/errors.ts';
import type { KeyPrincipal, SessionPrincipal } from '#platform/principal.ts';
import { createUsage, type Usage, type UsageLimits } from '#platform/usage.ts';

/** Milliseconds of CPU time. */
const PER_KEY: UsageLimits = { burst: 500, perSecond: 25 };
const PER_MANDANT: UsageLimits = { burst: 1_000, perSecond: 50 };

type Principal = KeyPrincipal | SessionPrincipal;

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

/** `now` answers milliseconds that only go forward. */
export function createWorkBudget(now?: () => number): WorkBudget {
  const ofKeys = createUsage(PER_KEY, now);
  const ofMandanten = createUsage(PER_MANDANT, now);
  /** Senders without credentials are bounded by other means. */
  const accountsOf = (principal: Principal | null): [string, Usage, UsageLimits][] => {
    if (!principal) return [];
    const sender = principal.kind === 'key' ? principal.schluesselId : principal.sitzungId;
    return [
      [sender, ofKeys, PER_KEY],
      [principal.mandant, ofMandanten, PER_MANDANT],
    ];
  };
  return {
    check(principal) {
      for (const [id, usage, { perSecond }] of accountsOf(principal)) {
        const excess = usage.excess(id);
        if (excess > 0) throw refused(Math.ceil(excess / perSecond));
      }
    },
    book(principal, cost, worth) {
      if (cost <= worth) return;
      for (const [id, usage] of accountsOf(principal)) usage.add(id, cost - worth);
    },
  };
}
