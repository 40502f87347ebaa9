import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startService, type TestService } from '#test/service.ts';
import {
  type AttemptLimits,
  blockSeconds,
  createThrottle,
  networkOf,
  type SubjectLimits,
  type Throttle,
} from './throttle.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
beforeEach(() => service.sql('DELETE FROM drosselung'));
afterAll(() => service.stop());

const PASSWORDS: AttemptLimits = {
  kind: 'passwort',
  window: 900,
  perAccount: 10,
  perNetwork: 50,
  firstBlock: 60,
};
const CODES: AttemptLimits = { ...PASSWORDS, kind: 'code', perAccount: 5 };
const REGISTRATIONS: SubjectLimits = { kind: 'registrierung', perHour: 200 };
const LINKS: SubjectLimits = { ...REGISTRATIONS, kind: 'link' };
const NOTES = { kind: 'fehlschlag', most: 10, window: 86_400 };

/** Attempts of anybody. */
const attemptsOf = (throttle: Throttle, limits: AttemptLimits) => {
  const attempt = (account: string, address: string) => throttle.attempt(limits, { account, address });
  return {
    begin: (account: string, address: string) => attempt(account, address).begin(),
    takeBack: (account: string, address: string) => attempt(account, address).takeBack(),
    succeed: (account: string, address: string) => attempt(account, address).succeed(),
  };
};

const passwordsOf = (counters: Parameters<typeof createThrottle>[0]) =>
  attemptsOf(createThrottle(counters), PASSWORDS);

const TOO_MANY = { kind: 'too-many', code: 'zu_viele_versuche' };

async function repeat(times: number, attempt: (index: number) => Promise<void>): Promise<void> {
  for (let index = 0; index < times; index += 1) await attempt(index);
}

/** Seconds to wait, of an attempt that is refused. */
const waitOf = (attempt: Promise<void>): Promise<number> =>
  attempt.then(
    () => 0,
    ({ retryAfter }) => retryAfter,
  );

/** Lets the time of all counters run out. */
const elapse = () =>
  service.sql('UPDATE drosselung SET expire = 0 WHERE expire < $1', [Date.now() + 7_200_000]);

describe('attempts at an account', () => {
  it('stop after ten failures, whatever the address and the case of the letters', async () => {
    const passwords = passwordsOf(service.context);
    await repeat(10, (index) => passwords.begin('a@example.org', `10.0.0.${index}`));
    const refused = passwords.begin('A@Example.org', '10.0.1.1');
    await expect(refused).rejects.toMatchObject(TOO_MANY);
    await expect(passwords.begin('b@example.org', '10.0.1.1')).resolves.toBeUndefined();
  });

  it('count together in all processes', async () => {
    const [one, other] = [passwordsOf(service.context), passwordsOf(service.context)];
    await repeat(5, () => one.begin('a@example.org', '10.0.0.1'));
    await repeat(5, () => other.begin('a@example.org', '10.0.0.1'));
    await expect(one.begin('a@example.org', '10.0.0.1')).rejects.toMatchObject(TOO_MANY);
    await expect(other.begin('a@example.org', '10.0.0.1')).rejects.toMatchObject(TOO_MANY);
  });

  it('are held up longer each time, an hour at most, and never for good', async () => {
    const passwords = passwordsOf(service.context);
    const waits: number[] = [];
    for (let block = 0; block < 8; block += 1) {
      await repeat(10, () => passwords.begin('a@example.org', `10.0.${block}.1`));
      waits.push(await waitOf(passwords.begin('a@example.org', `10.0.${block}.1`)));
      // Asking again during a block does not make it longer.
      expect(await waitOf(passwords.begin('a@example.org', `10.0.${block}.1`))).toBeLessThanOrEqual(
        waits[block] as number,
      );
      await elapse();
    }
    expect(waits).toEqual([60, 120, 240, 480, 960, 1920, 3600, 3600]);
    await passwords.begin('a@example.org', '10.1.0.1');
  });

  it('let no more than ten through that come at once', async () => {
    const passwords = passwordsOf(service.context);
    const attempts = Array.from({ length: 30 }, () => passwords.begin('a@example.org', '10.0.0.1'));
    const passed = (await Promise.allSettled(attempts)).filter((attempt) => attempt.status === 'fulfilled');
    expect(passed).toHaveLength(10);
  });

  it('are forgotten at a success, which is never counted itself', async () => {
    const passwords = passwordsOf(service.context);
    await repeat(10, () => passwords.begin('a@example.org', '10.0.0.1'));
    await passwords.succeed('a@example.org', '10.0.0.1');
    await repeat(10, () => passwords.begin('a@example.org', '10.0.0.1'));
    await expect(passwords.begin('a@example.org', '10.0.0.1')).rejects.toMatchObject(TOO_MANY);
    await repeat(60, async () => {
      await passwords.begin('b@example.org', '10.0.0.2');
      await passwords.succeed('b@example.org', '10.0.0.2');
    });
  });

  it('leave earlier failures alone when one is taken back', async () => {
    const passwords = passwordsOf(service.context);
    await repeat(9, () => passwords.begin('a@example.org', '10.0.0.1'));
    await repeat(5, async () => {
      await passwords.begin('a@example.org', '10.0.0.1');
      await passwords.takeBack('a@example.org', '10.0.0.1');
    });
    await passwords.begin('a@example.org', '10.0.0.1');
    await expect(passwords.begin('a@example.org', '10.0.0.1')).rejects.toMatchObject(TOO_MANY);
  });

  it('stop sooner where the limits are narrower, each kind for itself', async () => {
    const codes = attemptsOf(createThrottle(service.context), CODES);
    await repeat(5, () => codes.begin('a', '10.0.0.1'));
    await expect(codes.begin('a', '10.0.0.1')).rejects.toMatchObject(TOO_MANY);
    await expect(passwordsOf(service.context).begin('a', '10.0.0.1')).resolves.toBeUndefined();
  });
});

describe('attempts of somebody who is known', () => {
  it('have a budget that nobody else fills, from a network that is full as well', async () => {
    const throttle = createThrottle(service.context);
    const passwords = attemptsOf(throttle, PASSWORDS);
    await repeat(50, (index) => passwords.begin(`${index % 5}@example.org`, '10.0.0.1'));
    await expect(passwords.begin('0@example.org', '10.0.0.2')).rejects.toMatchObject(TOO_MANY);
    await expect(passwords.begin('neu@example.org', '10.0.0.1')).rejects.toMatchObject(TOO_MANY);
    await expect(throttle.attempt(PASSWORDS, { known: 'a' }).begin()).resolves.toBeUndefined();
  });

  it('stop as soon as anybody’s, each for themselves, and fill no network', async () => {
    const throttle = createThrottle(service.context);
    const known = throttle.attempt(PASSWORDS, { known: 'a' });
    await repeat(10, () => known.begin());
    expect(await waitOf(known.begin())).toBe(60);
    await elapse();
    await repeat(10, () => known.begin());
    expect(await waitOf(known.begin())).toBe(120);
    await expect(throttle.attempt(PASSWORDS, { known: 'b' }).begin()).resolves.toBeUndefined();
    await repeat(50, () => passwordsOf(service.context).begin(`${Math.random()}@example.org`, ''));
  });

  it('leave what anybody failed at the account as it is when they succeed', async () => {
    const throttle = createThrottle(service.context);
    const passwords = attemptsOf(throttle, PASSWORDS);
    await repeat(10, () => passwords.begin('a@example.org', '10.0.0.1'));
    const known = throttle.attempt(PASSWORDS, { known: 'a@example.org' });
    await known.begin();
    await known.succeed();
    await expect(passwords.begin('a@example.org', '10.0.0.1')).rejects.toMatchObject(TOO_MANY);
    await throttle.forget(PASSWORDS, 'A@example.org');
    await expect(passwords.begin('a@example.org', '10.0.0.1')).resolves.toBeUndefined();
  });
});

describe('attempts from a network', () => {
  it('stop after fifty failures, whatever the account', async () => {
    const passwords = passwordsOf(service.context);
    await repeat(50, (index) => passwords.begin(`${index}@example.org`, '10.0.0.1'));
    const wait = await waitOf(passwords.begin('new@example.org', '10.0.0.1'));
    expect(wait).toBeGreaterThan(800);
    expect(wait).toBeLessThanOrEqual(900);
    await expect(passwords.begin('new@example.org', '10.0.0.2')).resolves.toBeUndefined();
  });

  it('stop where everybody may come', async () => {
    const throttle = createThrottle(service.context);
    await repeat(200, () => throttle.countNetwork(REGISTRATIONS, '10.0.0.1'));
    await expect(throttle.countNetwork(REGISTRATIONS, '10.0.0.1')).rejects.toMatchObject(TOO_MANY);
    await expect(throttle.countNetwork(REGISTRATIONS, '10.0.0.2')).resolves.toBeUndefined();
    await expect(throttle.countNetwork(LINKS, '10.0.0.1')).resolves.toBeUndefined();
  });
});

describe('the counters', () => {
  it('are stored without addresses', async () => {
    const passwords = passwordsOf(service.context);
    await passwords.begin('a@example.org', '10.0.0.1');
    const rows = await service.sql<{ key: string }>('SELECT key FROM drosselung');
    expect(rows).toHaveLength(2);
    for (const { key } of rows) expect(key).toMatch(/^[A-Za-z0-9_-]{43}$/);
  });

  it('go on in memory while the database refuses them: no free guessing, nobody locked out', async () => {
    const warnings: unknown[] = [];
    const throttle = createThrottle({
      db: { transaction: () => Promise.reject(new Error('no such table')) },
      log: { warn: (details: unknown) => warnings.push(details) },
    });
    const passwords = attemptsOf(throttle, PASSWORDS);
    await passwords.begin('b@example.org', '10.0.0.1');
    await passwords.succeed('b@example.org', '10.0.0.1');
    await repeat(10, () => passwords.begin('a@example.org', '10.0.0.1'));
    expect(await waitOf(attemptsOf(throttle, PASSWORDS).begin('a@example.org', '10.0.0.1'))).toBe(60);
    await expect(passwords.begin('b@example.org', '10.0.0.1')).resolves.toBeUndefined();
    expect(warnings.length).toBeGreaterThan(10);
  });
});

describe('an allowance', () => {
  it('is of each subject', async () => {
    const throttle = createThrottle(service.context);
    const answers = [];
    for (let index = 0; index < 12; index += 1) answers.push(await throttle.allows(NOTES, 'a'));
    expect(answers.filter((answer) => answer)).toHaveLength(10);
    expect(await throttle.allows(NOTES, 'b')).toBe(true);
  });
});

describe('what is kept in mind', () => {
  it('is of each subject, by every process, and forgotten in time', async () => {
    const PLACES = { kind: 'ort', window: 3_600 };
    const [one, other] = [createThrottle(service.context), createThrottle(service.context)];
    expect(await other.remembers(PLACES, 'a')).toBe(false);
    await one.remember(PLACES, 'a');
    await one.remember(PLACES, 'a');
    expect(await other.remembers(PLACES, 'a')).toBe(true);
    expect(await other.remembers(PLACES, 'b')).toBe(false);
    expect(await other.remembers({ ...PLACES, kind: 'zeit' }, 'a')).toBe(false);
    await elapse();
    expect(await other.remembers(PLACES, 'a')).toBe(false);
  });
});

describe('block after too many attempts', () => {
  it('doubles up to an hour', () => {
    expect([1, 2, 3, 6, 7, 100].map((nth) => blockSeconds(60, nth))).toEqual([
      60, 120, 240, 1920, 3600, 3600,
    ]);
  });
});

describe('network of an address', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:DB8:1:2::9', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['192.0.2.7:50123', '192.0.2.7'],
    ['1::2:3:4:5:6:7:8:9', ''],
    ['unbekannt', ''],
    ['', ''],
  ])('%s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});
