/** What the demo sets up makes a booking batch and the archive of statements at once. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKey, registerAccount } from '#test/account.ts';
import { startService, type TestService } from '#test/service.ts';
import { countAll } from '#test/tenants.ts';
import { unzipBytes } from '#test/unzip.ts';
import { setBilling } from './billing.ts';
import type { Ask } from './protection.ts';
import { BILLING, CUSTOMERS } from './scenario.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.stop());

test('every end customer of the scenario is charged by their terms, and the month can be booked', async () => {
  service.clock.set('2026-11-05T10:30:00Z');
  expect(Object.keys(BILLING)).toEqual(CUSTOMERS.map(([, reference]) => reference));
  const account = await registerAccount(service);
  const inject = (method: string, path: string, body?: object) =>
    service.app.inject({
      method: method as 'GET',
      url: path,
      headers: { cookie: account.cookie },
      ...(body ? { payload: body } : {}),
    });
  const ask: Ask = async (method, path, body) => {
    const answer = await inject(method, path, body);
    expect(answer.statusCode, answer.body).toBe(200);
    return answer.json();
  };
  const { secret } = await createKey(service, account);
  await service.app.inject({
    method: 'POST',
    url: '/v1/ereignisse',
    headers: { authorization: `Bearer ${secret}` },
    payload: {
      ereignisse: CUSTOMERS.map(([, endkunde_ref]) => ({
        endkunde_ref,
        agent: 'a',
        modell: 'gpt-4o-mini',
        zeitpunkt: '2026-10-10T10:00:00Z',
        eingabe_token: 10_000_000,
      })),
    },
  });
  await countAll(service);
  await setBilling(ask);
  // A second start changes nothing.
  await setBilling(ask);
  const { zeilen } = await ask<{ zeilen: Record<string, string>[] }>(
    'GET',
    '/v1/cockpit/endkunden?monat=2026-10',
  );
  for (const { referenz, aufschlag_prozent, email } of zeilen) {
    const terms = BILLING[referenz as string];
    expect([aufschlag_prozent, email]).toEqual([terms?.aufschlag.replace(',', '.'), terms?.email ?? null]);
  }
  const files = '/v1/cockpit/export';
  const ledger = await inject('GET', `${files}/weiterbelastung?monat=2026-10&format=ledger`);
  expect(ledger.statusCode, ledger.body).toBe(200);
  const archive = await inject('GET', `${files}/abrechnungen.zip?monat=2026-10`);
  expect((await unzipBytes(archive.rawPayload)).size).toBe(CUSTOMERS.length + 1);
});
