import { promisify } from 'node:util';
import { gunzip, gzipSync } from 'node:zlib';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';

// Modules that an earlier file has loaded hold the function itself; a later file is not to get the one that counts.
vi.hoisted(() => vi.resetModules());
afterAll(() => vi.resetModules());

const hashes = { running: 0, most: 0, done: 0 };
/** No hash ends before. */
let gate = Promise.resolve();
vi.mock('node:crypto', async (original) => {
  const crypto = await original<typeof import('node:crypto')>();
  const argon2: typeof crypto.argon2 = (algorithm, parameters, callback) => {
    hashes.running += 1;
    hashes.most = Math.max(hashes.most, hashes.running);
    // Turns are what is looked at here, not what a hash costs.
    crypto.argon2(algorithm, { ...parameters, memory: 2_048, passes: 1 }, (error, tag) => {
      void gate.then(() => {
        hashes.running -= 1;
        hashes.done += 1;
        callback(error, tag);
      });
    });
  };
  return { ...crypto, argon2 };
});

import { hashPassword, verifyPassword } from './password.ts';
import { tryPassword } from './service/passwort.ts';

beforeEach(() => Object.assign(hashes, { running: 0, most: 0, done: 0 }));

describe('many passwords at once', () => {
  it('are hashed two at a time, and a packed body does not wait for them', async () => {
    const open = Promise.withResolvers<void>();
    gate = open.promise;
    const asked = Array.from({ length: 60 }, (_, index) => verifyPassword(`geraten-${index}`, null));
    await promisify(gunzip)(gzipSync('{"ereignisse":[]}'));
    expect(hashes).toEqual({ running: 2, most: 2, done: 0 });
    open.resolve();
    expect(await Promise.all(asked)).toEqual(Array(60).fill(false));
    expect(hashes).toEqual({ running: 0, most: 2, done: 60 });
  });

  it('are refused when they would wait too long, and none of those is hashed', async () => {
    const answers = await Promise.allSettled(
      Array.from({ length: 150 }, (_, index) => hashPassword(`neu-${index}`)),
    );
    const refused = answers.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(48);
    expect(refused[0]).toMatchObject({ reason: { kind: 'unavailable', code: 'ueberlastet', retryAfter: 1 } });
    expect(hashes.done).toBe(102);
  });

  it('that are not hashed take no try from their budget', async () => {
    const waiting = Array.from({ length: 102 }, (_, index) => hashPassword(`neu-${index}`));
    const calls: string[] = [];
    const noted = (name: string) => async () => void calls.push(name);
    const budget = { begin: noted('begin'), takeBack: noted('takeBack'), succeed: noted('succeed') };
    await expect(tryPassword(budget, 'geraten', null)).rejects.toMatchObject({ code: 'ueberlastet' });
    expect(calls).toEqual(['begin', 'takeBack']);
    await Promise.all(waiting);
    expect(await tryPassword(budget, 'geraten', null)).toBe(false);
    expect(calls).toEqual(['begin', 'takeBack', 'begin']);
  });
});
