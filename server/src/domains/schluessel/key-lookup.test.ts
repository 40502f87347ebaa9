import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Account, createKey, registerAccount } from '#test/account.ts';
import { PATIENCE, startService, type TestService } from '#test/service.ts';
import { createKeyLookup } from './key-lookup.ts';

let service: TestService;
let account: Account;
beforeAll(async () => {
  service = await startService();
  account = await registerAccount(service);
});
afterAll(() => service.stop());

const block = (schluesselId: string) =>
  service.sql('UPDATE schluessel SET gesperrt_am = now() WHERE schluessel_id = $1', [schluesselId]);

/** The same context, with the transactions on its database counted. */
function countingCalls() {
  const calls = { transaction: 0, forMandant: 0 };
  const { db } = service.context;
  const counting: typeof db = {
    ...db,
    transaction: (work) => {
      calls.transaction += 1;
      return db.transaction(work);
    },
    forMandant: (mandant, work) => {
      calls.forMandant += 1;
      return db.forMandant(mandant, work);
    },
  };
  return { calls, context: { ...service.context, db: counting } };
}

describe('keys', () => {
  it('resolve to their Mandant, scopes and project', async () => {
    const key = await createKey(service, account, ['Senden']);
    await service.sql(`UPDATE schluessel SET projekt = 'shop' WHERE schluessel_id = $1`, [key.schluesselId]);
    expect(await createKeyLookup(service.context)(key.secret)).toEqual({
      kind: 'key',
      mandant: account.mandantId,
      schluesselId: key.schluesselId,
      bereiche: ['Senden'],
      projekt: 'shop',
      kontingente: null,
      annahmeAb: null,
    });
  });

  it('are unknown when one character differs', async () => {
    const { secret } = await createKey(service, account);
    const other = secret.slice(0, 20) + (secret[20] === 'A' ? 'B' : 'A') + secret.slice(21);
    expect(await createKeyLookup(service.context)(other)).toBeNull();
  });

  it('are refused within a second of being blocked, by another process too', async () => {
    const key = await createKey(service, account);
    const otherProcess = createKeyLookup(service.context);
    const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
    try {
      expect(await otherProcess(key.secret)).not.toBeNull();
      await block(key.schluesselId);
      clock.mockReturnValue(1_000);
      expect(await otherProcess(key.secret)).toBeNull();
    } finally {
      clock.mockRestore();
    }
  });

  it('are looked up once while the answer is fresh', async () => {
    const key = await createKey(service, account);
    const { calls, context } = countingCalls();
    const lookUp = createKeyLookup(context);
    const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
    try {
      await lookUp(key.secret);
      clock.mockReturnValue(999);
      await lookUp(key.secret);
      expect(calls.transaction).toBe(1);
      clock.mockReturnValue(1_000);
      await lookUp(key.secret);
      expect(calls.transaction).toBe(2);
    } finally {
      clock.mockRestore();
    }
  });

  it('in use are looked up together before they are due, and others are not', async () => {
    const keys = await Promise.all([1, 2, 3].map(() => createKey(service, account)));
    const idle = await createKey(service, account);
    const { calls, context } = countingCalls();
    const lookUp = createKeyLookup(context);
    const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
    const ask = async (...secrets: string[]) => {
      const found = [];
      for (const secret of secrets) found.push((await lookUp(secret))?.schluesselId ?? null);
      return found;
    };
    const secrets = keys.map(({ secret }) => secret);
    const ids = keys.map(({ schluesselId }) => schluesselId);
    try {
      await ask(...secrets, idle.secret);
      expect(calls.transaction).toBe(4);
      clock.mockReturnValue(900);
      expect(await ask(...secrets)).toEqual(ids);
      expect(calls.transaction).toBe(4);
      // The first one asks for all three; they are good for another second.
      for (const later of [1_000, 1_999]) {
        clock.mockReturnValue(later);
        expect(await ask(...secrets)).toEqual(ids);
        expect(calls.transaction).toBe(5);
      }
      expect(await ask(idle.secret)).toEqual([idle.schluesselId]);
      expect(calls.transaction).toBe(6);
    } finally {
      clock.mockRestore();
    }
  });

  it('that come while one is looked up are looked up together, after it', async () => {
    const keys = await Promise.all([1, 2, 3].map(() => createKey(service, account)));
    const [first, second, third] = keys.map(({ secret }) => secret) as [string, string, string];
    const { calls, context } = countingCalls();
    const begun = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const { transaction } = context.db;
    const slow: typeof context.db = {
      ...context.db,
      transaction: async (work) => {
        const result = await transaction(work);
        begun.resolve();
        await goOn.promise;
        return result;
      },
    };
    const lookUp = createKeyLookup({ ...context, db: slow });
    const earlier = lookUp(first);
    await begun.promise;
    // What is under way has been read already.
    await block(keys[0]?.schluesselId as string);
    const later = [first, second, third, second].map((secret) => lookUp(secret));
    goOn.resolve();
    expect((await earlier)?.schluesselId).toBe(keys[0]?.schluesselId);
    const ids = (await Promise.all(later)).map((found) => found?.schluesselId ?? null);
    expect(ids).toEqual([null, keys[1]?.schluesselId, keys[2]?.schluesselId, keys[1]?.schluesselId]);
    expect(calls.transaction).toBe(2);
  });

  it('are looked up again after a look-up that failed', async () => {
    const key = await createKey(service, account);
    const { db } = service.context;
    let fails = true;
    const transaction: typeof db.transaction = async (work) => {
      if (fails) throw new Error('no');
      return db.transaction(work);
    };
    const lookUp = createKeyLookup({ ...service.context, db: { ...db, transaction } });
    await expect(lookUp(key.secret)).rejects.toThrow('no');
    fails = false;
    expect((await lookUp(key.secret))?.schluesselId).toBe(key.schluesselId);
  });

  it('looked up together with another one are refused once they are blocked', async () => {
    const [one, blocked] = [await createKey(service, account), await createKey(service, account)];
    const lookUp = createKeyLookup(service.context);
    const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
    try {
      for (const { secret } of [one, blocked]) await lookUp(secret);
      clock.mockReturnValue(900);
      expect(await lookUp(blocked.secret)).not.toBeNull();
      await block(blocked.schluesselId);
      clock.mockReturnValue(999);
      expect(await lookUp(blocked.secret)).not.toBeNull();
      clock.mockReturnValue(1_000);
      expect(await lookUp(one.secret)).not.toBeNull();
      expect(await lookUp(blocked.secret)).toBeNull();
    } finally {
      clock.mockRestore();
    }
  });

  it('are refused when the Mandant is cancelled', async () => {
    const cancelled = await registerAccount(service);
    const key = await createKey(service, cancelled);
    await service.sql(`UPDATE mandanten SET status = 'gekündigt' WHERE mandant_id = $1`, [
      cancelled.mandantId,
    ]);
    expect(await createKeyLookup(service.context)(key.secret)).toBeNull();
  });

  it('note their use once a minute without delaying the request', async () => {
    const key = await createKey(service, account);
    const { calls, context } = countingCalls();
    const lookUp = createKeyLookup(context);
    const usedAt = async () => {
      const rows = await service.sql<{ am: string | null }>(
        'SELECT zuletzt_benutzt_am AS am FROM schluessel WHERE schluessel_id = $1',
        [key.schluesselId],
      );
      return rows[0]?.am;
    };
    await lookUp(key.secret);
    await vi.waitFor(async () => expect(await usedAt()).toMatch(/Z$/), PATIENCE);
    await lookUp(key.secret);
    expect(calls.forMandant).toBe(1);
  });

  it('answer even when noting their use fails', async () => {
    const key = await createKey(service, account);
    const warn = vi.fn();
    const broken = {
      ...service.context,
      log: { ...service.context.log, warn } as unknown as typeof service.context.log,
      db: { ...service.context.db, forMandant: () => Promise.reject(new Error('no')) },
    };
    expect(await createKeyLookup(broken)(key.secret)).not.toBeNull();
    await vi.waitFor(() => expect(warn).toHaveBeenCalledOnce(), PATIENCE);
  });
});

describe('malformed secrets', () => {
  const random = 'A'.repeat(43);
  it.each([
    '',
    'zw_live_',
    `zw_live_${random}x`,
    `zw_live_${random.slice(1)}`,
    `zw_test_${random}`,
    `zw_live_${random.slice(1)}ä`,
  ])('never reach the database: %s', async (secret) => {
    const unreachable = () => Promise.reject(new Error('looked up'));
    const db = { ...service.context.db, transaction: unreachable, forMandant: unreachable };
    const lookUp = createKeyLookup({ ...service.context, db });
    expect(await lookUp(secret)).toBeNull();
  });
});
