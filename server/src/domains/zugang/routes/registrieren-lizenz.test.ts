/** Registration on an installation whose licence covers this many Mandanten. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { registerAccount } from '#test/account.ts';
import { createIssuer, type Issuer } from '#test/licences.ts';
import { startService, type TestService } from '#test/service.ts';

let issuer: Issuer;
beforeAll(async () => {
  issuer = await createIssuer();
});

let service: TestService;
afterEach(() => service.stop());

const start = async (contents: object, env = {}) => {
  service = await startService({
    LIZENZ: await issuer.licence({ ...contents }),
    LIZENZ_PRUEFSCHLUESSEL: issuer.jwk,
    ...env,
  });
};
const register = () =>
  service.app.inject({
    method: 'POST',
    url: '/v1/registrieren',
    payload: { firma: 'Muster GmbH', email: `${randomUUID()}@example.org`, passwort: 'richtig-lang-genug' },
  });
const count = async () => {
  const [row] = await service.sql<{ anzahl: number }>('SELECT count(*)::int AS anzahl FROM mandanten');
  return row?.anzahl;
};

describe('a licence for two Mandanten', () => {
  test('refuses the third with a sentence, and stores nothing of it', async () => {
    await start({ mandanten: 2 });
    expect((await register()).statusCode).toBe(201);
    expect((await register()).statusCode).toBe(201);
    const answer = await register();
    expect(answer.statusCode).toBe(409);
    expect(answer.json()).toEqual({
      code: 'lizenz_ausgeschoepft',
      detail:
        'Die Lizenz dieser Installation umfasst 2 Mandanten; einen weiteren gibt es erst mit einer größeren. Wenden Sie sich an den Betreiber.',
    });
    expect(await count()).toBe(2);
    expect(await service.mails()).toHaveLength(2);
  });

  test('gives the last place to exactly one of several that come at once', async () => {
    await start({ mandanten: 2 });
    await registerAccount(service);
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => register()));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409, 409, 409, 409]);
    expect(await count()).toBe(2);
  });

  test('does not count who has cancelled', async () => {
    await start({ mandanten: 2 });
    const [one] = [await registerAccount(service), await registerAccount(service)];
    await service.sql(
      `UPDATE mandanten SET status = 'gekündigt', gekuendigt_am = now() WHERE mandant_id = $1`,
      [one.mandantId],
    );
    expect((await register()).statusCode).toBe(201);
    expect((await register()).statusCode).toBe(409);
  });

  test('leaves those that are there already', async () => {
    await start({ mandanten: 1 });
    const accounts = [await registerAccount(service), await registerAccount(service)];
    expect((await register()).statusCode).toBe(409);
    for (const { cookie } of accounts) {
      const answer = await service.app.inject({ url: '/v1/cockpit/lizenz', headers: { cookie } });
      expect(answer.json().lizenz).toMatchObject({ mandanten: 1, mandanten_belegt: 2 });
    }
  });

  test('covers no more once it has run out', async () => {
    await start({ mandanten: 1, gueltig_bis: '2026-02-01T00:00:00Z' });
    await registerAccount(service);
    expect((await register()).statusCode).toBe(409);
  });
});

test('a licence that proves nothing covers one Mandant', async () => {
  await start({}, { LIZENZ: 'unsinn' });
  expect((await register()).statusCode).toBe(201);
  const answer = await register();
  expect([answer.statusCode, answer.json().detail]).toEqual([
    409,
    expect.stringContaining('umfasst einen Mandanten'),
  ]);
});

test('without a licence there is room for everybody', async () => {
  service = await startService();
  for (let times = 0; times < 3; times += 1) expect((await register()).statusCode).toBe(201);
});
