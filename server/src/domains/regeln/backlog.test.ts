/** What may wait to be counted where a rule acts, at the door. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, createKey, registerAccount } from '#test/account.ts';
import { startService, type TestService } from '#test/service.ts';
import { countAll } from '#test/tenants.ts';
import { until } from '#test/until.ts';
import { MAX_WAITING } from './limits.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

interface Sender extends Account {
  send(events: number): Promise<{ statusCode: number; code?: string; retryAfter: unknown }>;
}

async function createSender(): Promise<Sender> {
  const account = await registerAccount(service);
  const { secret } = await createKey(service, account);
  return {
    ...account,
    async send(events) {
      const answer = await service.app.inject({
        method: 'POST',
        url: '/v1/ereignisse',
        headers: { authorization: `Bearer ${secret}` },
        payload: { ereignisse: Array.from({ length: events }, () => ({ agent: 'a' })) },
      });
      const { statusCode, headers } = answer;
      return { statusCode, code: answer.json().code, retryAfter: headers['retry-after'] };
    },
  };
}

const rule = ({ cookie }: Account, more: object) =>
  service.app.inject({
    method: 'POST',
    url: '/v1/cockpit/regeln',
    headers: { cookie },
    payload: { typ: 'lauf_deckel', schwelle: '100', einheit: 'aufrufe', stufe: 'anhalten', ...more },
  });
const arm = (account: Account) => rule(account, { schattenbetrieb: false });

const STATUSES = {
  taken: { statusCode: 202 },
  full: { statusCode: 429, code: 'zaehlung_wartet', retryAfter: '1' },
};

const waiting = async ({ mandantId }: Account): Promise<number> => {
  const [row] = await service.sql<{ n: number }>(
    'SELECT coalesce(sum(anzahl), 0)::int AS n FROM eingang WHERE mandant_id = $1',
    [mandantId],
  );
  return row?.n ?? 0;
};

/** Sends until as much waits as may. What waits is known a moment late, and what is just being taken may be counted twice meanwhile. */
const fill = (sender: Sender) =>
  until('the next to be refused', async () => {
    const { statusCode } = await sender.send(1_000);
    return statusCode === 429 && (await waiting(sender)) >= MAX_WAITING;
  });

test('more is taken only once some of it was counted; few calls still go through', async () => {
  const sender = await createSender();
  await arm(sender);
  await fill(sender);
  expect(await sender.send(1_000)).toMatchObject(STATUSES.full);
  // As from people who work meanwhile.
  expect(await sender.send(100)).toMatchObject(STATUSES.taken);
  expect(await sender.send(101)).toMatchObject(STATUSES.full);
  expect(await waiting(sender)).toBeLessThan(2 * MAX_WAITING);
  await countAll(service);
  await until('room again', async () => (await sender.send(1_000)).statusCode === 202);
});

test('few calls are refused, too, where twice as much waits', async () => {
  const sender = await createSender();
  await arm(sender);
  await fill(sender);
  await service.sql('UPDATE eingang SET anzahl = 2 * anzahl WHERE mandant_id = $1', [sender.mandantId]);
  await until('a refusal', async () => (await sender.send(1)).statusCode === 429);
  await service.sql('DELETE FROM eingang WHERE mandant_id = $1', [sender.mandantId]);
});

test('another Mandant is not held up, nor one whose rules only look', async () => {
  const [armed, other] = [await createSender(), await createSender()];
  await arm(armed);
  await rule(other, { schattenbetrieb: true });
  await rule(other, { schattenbetrieb: false, stufe: 'warnen' });
  await rule(other, { schattenbetrieb: false, aktiv: false });
  await fill(armed);
  for (let sent = 0; sent < 2 * MAX_WAITING; sent += 5_000)
    expect(await other.send(5_000)).toMatchObject(STATUSES.taken);
  expect(await armed.send(1_000)).toMatchObject(STATUSES.full);
});

test('nothing is refused where nobody counts: that would not help', async () => {
  const sender = await createSender();
  await arm(sender);
  await fill(sender);
  await service.sql('UPDATE eingang SET empfangen_am = $2 WHERE mandant_id = $1', [
    sender.mandantId,
    new Date(service.clock.now().getTime() - 10_000),
  ]);
  await until('it to be noticed', async () => (await sender.send(1_000)).statusCode === 202);
  expect(await sender.send(5_000)).toMatchObject(STATUSES.taken);
});
