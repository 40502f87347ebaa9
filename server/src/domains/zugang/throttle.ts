/**
 * Limits failed logins per account and per network address. Attempts are counted before the password is checked, so
 * that many at once do not slip through, and given back when it was right.
 */
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { tooManyAttempts } from './errors.ts';

const WINDOW_SECONDS = 15 * 60;
const PER_ACCOUNT = 10;
const PER_NETWORK = 50;

export interface LoginThrottle {
  /** Counts an attempt; throws 429 with Retry-After when there were too many. */
  begin(email: string, address: string): Promise<void>;
  /** Takes the attempt back and forgets the failures of the account. */
  succeed(email: string, address: string): Promise<void>;
}

/** An IPv4 address itself; of IPv6 the /64 that one subscriber holds. */
export function networkOf(address: string): string {
  const ipv4 = /^(?:::ffff:)?(\d+(?:\.\d+){3})$/i.exec(address)?.[1];
  if (ipv4) return ipv4;
  const [head = '', tail = ''] = address.toLowerCase().split('::');
  const groups = (text: string) => text.split(':').filter((group) => group !== '');
  const missing = 8 - groups(head).length - groups(tail).length;
  const zeros = address.includes('::') ? Array<string>(missing).fill('0') : [];
  return [...groups(head), ...zeros, ...groups(tail)].slice(0, 4).join(':');
}

async function consume(limiter: RateLimiterMemory, key: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (rejection) {
    if (!(rejection instanceof RateLimiterRes)) throw rejection;
    throw tooManyAttempts(Math.ceil(rejection.msBeforeNext / 1000));
  }
}

/** Counts in this process; with several processes the limits hold for each of them. */
export function createLoginThrottle(): LoginThrottle {
  const perAccount = new RateLimiterMemory({ points: PER_ACCOUNT, duration: WINDOW_SECONDS });
  const perNetwork = new RateLimiterMemory({ points: PER_NETWORK, duration: WINDOW_SECONDS });
  return {
    async begin(email, address) {
      // The network first: it bounds how many accounts one sender can make this process remember.
      await consume(perNetwork, networkOf(address));
      await consume(perAccount, email.toLowerCase());
    },
    async succeed(email, address) {
      await perAccount.delete(email.toLowerCase());
      await perNetwork.reward(networkOf(address));
    },
  };
}
