import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { mandantId } from '#kernel/mandant-id.ts';
import type { Counted, Limits } from '#platform/quota.ts';
import { startService, type TestService, withoutDatabase } from '#test/service.ts';
import { createLevels } from './levels.ts';
import { createQuota } from './service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const NO_LIMIT: Limits = { anfragen: null, ereignisse: null };
let mandant = mandantId(randomUUID());
beforeEach(() => {
  mandant = mandantId(randomUUID());
});

const sender = (schluessel: Partial<Limits>, ofMandant: Partial<Limits> = {}): Counted => ({
  mandant,
  schluesselId: randomUUID(),
  kontingente: { schluessel: { ...NO_LIMIT, ...schluessel }, mandant: { ...NO_LIMIT, ...ofMandant } },
});
/** The code and the seconds of a refusal; null where it goes through. */
function refusalOf(work: () => unknown): { code: string; retryAfter: number } | null {
  try {
    work();
    return null;
  } catch (error) {
    return error as { code: string; retryAfter: number };
  }
}

describe('in one process', () => {
  test('a key may make this many requests, those that read apart from those that send', () => {
    const quota = createQuota(service.context);
    const who = sender({ anfragen: 3 });
    for (let n = 0; n < 3; n += 1) quota.admit(who, 'Senden');
    for (let n = 0; n < 3; n += 1) quota.admit(who, 'Lesen');
    for (const scope of ['Senden', 'Lesen'] as const)
      expect(refusalOf(() => quota.admit(who, scope))).toMatchObject({
        code: 'kontingent_schluessel',
        retryAfter: 20,
      });
    expect(refusalOf(() => quota.admit(sender({ anfragen: 3 }), 'Senden'))).toBeNull();
    expect(refusalOf(() => quota.admit({ ...who, kontingente: null }, 'Senden'))).toBeNull();
  });

  test('many keys of a Mandant have what it has once', () => {
    const quota = createQuota(service.context);
    const admit = () => quota.admit(sender({}, { anfragen: 10 }), 'Senden');
    for (let n = 0; n < 10; n += 1) admit();
    expect(refusalOf(admit)).toMatchObject({ code: 'kontingent_mandant', retryAfter: 6 });
  });

  test('a refused request uses nothing up, neither of the key nor of the Mandant', () => {
    const quota = createQuota(service.context);
    const limited = sender({ anfragen: 1 }, { anfragen: 2 });
    quota.admit(limited, 'Senden');
    for (let n = 0; n < 5; n += 1) expect(refusalOf(() => quota.admit(limited, 'Senden'))).not.toBeNull();
    expect(refusalOf(() => quota.admit(sender({}, { anfragen: 2 }), 'Senden'))).toBeNull();
  });

  test('a batch is taken whole; beyond the quota nothing more comes until it is made up for', () => {
    const quota = createQuota(service.context);
    const who = sender({ ereignisse: 100 });
    quota.take(who, 1_000);
    expect(refusalOf(() => quota.admit(who, 'Senden'))?.retryAfter).toBe(541);
    expect(refusalOf(() => quota.take(who, 1))).toMatchObject({ code: 'kontingent_schluessel' });
    expect(refusalOf(() => quota.admit(who, 'Lesen'))).toBeNull();
  });

  test('of batches that come at once one goes beyond; what was not stored is given back', () => {
    const quota = createQuota(service.context);
    const who = sender({ ereignisse: 100 });
    for (let n = 0; n < 3; n += 1) quota.admit(who, 'Senden');
    const giveBack = quota.take(who, 100);
    expect(refusalOf(() => quota.take(who, 1))).not.toBeNull();
    giveBack();
    expect(refusalOf(() => quota.take(who, 1))).toBeNull();
  });

  test('what nothing is gone of any more is forgotten', () => {
    const levels = createLevels(service.context);
    for (let n = 0; n < 25_000; n += 1) {
      const konto = String(n);
      levels.use(konto, 'senden', 0.001);
      levels.use(konto, 'senden', -0.001);
    }
    expect(levels.size()).toBeLessThan(25_000);
  });
});

describe('several processes', () => {
  test('learn of each other, and use the quota of a Mandant up together', async () => {
    const [one, other] = [createQuota(service.context), createQuota(service.context)];
    const admit = (quota: typeof one) => quota.admit(sender({}, { anfragen: 10 }), 'Senden');
    for (let n = 0; n < 8; n += 1) admit(one);
    await one.exchange();
    // Alone it would have room for ten.
    admit(other);
    await other.exchange();
    admit(other);
    expect(refusalOf(() => admit(other))).toMatchObject({ code: 'kontingent_mandant' });
    await Promise.all([one.stop(), other.stop()]);
  });

  test('that let through too much between two exchanges make up for all of it', async () => {
    const [one, other] = [createQuota(service.context), createQuota(service.context)];
    for (const quota of [one, other]) quota.take(sender({}, { ereignisse: 60 }), 60);
    await one.exchange();
    await other.exchange();
    const refusal = refusalOf(() => other.admit(sender({}, { ereignisse: 60 }), 'Senden'));
    expect(refusal?.retryAfter).toBeGreaterThan(55);
    await Promise.all([one.stop(), other.stop()]);
  });

  test('that begin know nothing until they have counted something, and then all of it', async () => {
    const before = createQuota(service.context);
    before.take(sender({}, { ereignisse: 60 }), 600);
    await before.stop();
    const after = createQuota(service.context);
    after.take(sender({}, { ereignisse: 60 }), 1);
    await after.exchange();
    const refusal = refusalOf(() => after.admit(sender({}, { ereignisse: 60 }), 'Senden'));
    expect(refusal?.retryAfter).toBeGreaterThan(500);
    await after.stop();
  });

  test('count for themselves while the database is away, and tell what they counted afterwards', async () => {
    const quota = createQuota(service.context);
    const who = sender({ anfragen: 2 });
    await withoutDatabase(service, async () => {
      const cut = createQuota({ ...service.context });
      cut.admit(who, 'Senden');
      cut.admit(who, 'Senden');
      await cut.exchange();
      expect(refusalOf(() => cut.admit(who, 'Senden'))).not.toBeNull();
      await cut.stop();
    });
    quota.admit(who, 'Senden');
    await quota.stop();
    const rows = await service.sql('SELECT art FROM kontingentstaende WHERE konto = $1', [who.schluesselId]);
    expect(rows).toEqual([{ art: 'senden' }]);
  });
});
