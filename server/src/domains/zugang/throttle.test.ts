import { describe, expect, it } from 'vitest';
import { createLoginThrottle, networkOf } from './throttle.ts';

const TOO_MANY = { status: 429, code: 'zu_viele_versuche' };

async function fail(times: number, attempt: (index: number) => Promise<void>): Promise<void> {
  for (let index = 0; index < times; index += 1) await attempt(index);
}

describe('login throttle', () => {
  it('stops an account after ten failures, whatever the address and the case of the letters', async () => {
    const throttle = createLoginThrottle();
    await fail(10, (index) => throttle.begin('a@example.org', `10.0.0.${index}`));
    const refused = throttle.begin('A@Example.org', '10.0.1.1');
    await expect(refused).rejects.toMatchObject(TOO_MANY);
    await expect(refused).rejects.toMatchObject({
      headers: { 'retry-after': expect.stringMatching(/^\d+$/) },
    });
    await expect(throttle.begin('b@example.org', '10.0.1.1')).resolves.toBeUndefined();
  });

  it('stops an address after fifty failures, whatever the account', async () => {
    const throttle = createLoginThrottle();
    await fail(50, (index) => throttle.begin(`${index}@example.org`, '10.0.0.1'));
    await expect(throttle.begin('new@example.org', '10.0.0.1')).rejects.toMatchObject(TOO_MANY);
    await expect(throttle.begin('new@example.org', '10.0.0.2')).resolves.toBeUndefined();
  });

  it('lets no more than ten attempts through that come at once', async () => {
    const throttle = createLoginThrottle();
    const attempts = Array.from({ length: 30 }, () => throttle.begin('a@example.org', '10.0.0.1'));
    const passed = (await Promise.allSettled(attempts)).filter((attempt) => attempt.status === 'fulfilled');
    expect(passed).toHaveLength(10);
  });

  it('forgets the failures of an account at its success, and never counts the success', async () => {
    const throttle = createLoginThrottle();
    await fail(9, () => throttle.begin('a@example.org', '10.0.0.1'));
    await throttle.begin('a@example.org', '10.0.0.1');
    await throttle.succeed('a@example.org', '10.0.0.1');
    await fail(10, () => throttle.begin('a@example.org', '10.0.0.1'));
    await expect(throttle.begin('a@example.org', '10.0.0.1')).rejects.toMatchObject(TOO_MANY);
    await fail(200, async () => {
      await throttle.begin('b@example.org', '10.0.0.2');
      await throttle.succeed('b@example.org', '10.0.0.2');
    });
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
  ])('%s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});
