/** What somebody has used of something, and what of it has come back since. In the memory of each process. */
export interface UsageLimits {
  /** At once. */
  burst: number;
  /** That come back in a second. */
  perSecond: number;
}

export interface Usage {
  /** How much more than it may somebody has used; 0 or less where it may go on. */
  excess(id: string): number;
  add(id: string, amount: number): void;
}

interface Account {
  /** What was used and had not come back yet. */
  used: number;
  /** When that was so, in milliseconds. */
  at: number;
}

/** With this number of accounts, those that have everything back are forgotten. */
const SWEEP_FROM = 10_000;

/** `now` answers milliseconds that only go forward. */
export function createUsage({ burst, perSecond }: UsageLimits, now = () => performance.now()): Usage {
  const accounts = new Map<string, Account>();
  let sweepFrom = SWEEP_FROM;
  const usedNow = ({ used, at }: Account, time: number) =>
    Math.max(0, used - ((time - at) / 1_000) * perSecond);
  const sweep = (at: number) => {
    for (const [id, account] of accounts) if (usedNow(account, at) === 0) accounts.delete(id);
    sweepFrom = Math.max(SWEEP_FROM, 2 * accounts.size);
  };
  return {
    excess(id) {
      const account = accounts.get(id);
      return account ? usedNow(account, now()) - burst : -burst;
    },
    add(id, amount) {
      const at = now();
      const account = accounts.get(id) ?? { used: 0, at };
      accounts.set(id, { used: usedNow(account, at) + amount, at });
      if (accounts.size > sweepFrom) sweep(at);
    },
  };
}
