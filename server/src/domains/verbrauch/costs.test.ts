/** Costs since several moments: exact. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mandantId } from '#kernel/mandant-id.ts';
import { askAsOwner, askInRequest } from '#platform/database/index.ts';
import { type Account, createKey, registerAccount } from '#test/account.ts';
import { ownerOf } from '#test/jobs.ts';
import { startService, type TestService } from '#test/service.ts';
import { countAll } from '#test/tenants.ts';
import { type CostQuestion, costsSince, keyCostsSince } from './costs.ts';

let service: TestService;
let owner: ReturnType<typeof ownerOf>;
let ours: Account;

beforeAll(async () => {
  service = await startService();
  owner = ownerOf(service);
  ours = await registerAccount(service);
  await registerAccount(service);
});
afterAll(async () => {
  await owner.close();
  await service.stop();
});

const ask = (question: Omit<CostQuestion, 'mandant'>) =>
  owner.transaction((client) => costsSince(askAsOwner(client), { ...question, mandant: ours.mandantId }));
const inRequest = (question: Omit<CostQuestion, 'mandant'>) =>
  service.context.db.forMandant(mandantId(ours.mandantId), (tx) =>
    costsSince(askInRequest(tx), { ...question, mandant: ours.mandantId }),
  );

const beginOf = (day: string) =>
  Temporal.PlainDate.from(day).toZonedDateTime('Europe/Berlin').toInstant().toString();
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

test('minute, hour and day agree with the events', async () => {
  const key = await createKey(service, ours);
  const ereignisse = [2, 2, 20, 200, 1_000].flatMap((ago) =>
    ['a', 'b'].map((agent) => ({
      ereignis_id: randomUUID(),
      zeitpunkt: minutesAgo(ago).toISOString(),
      agent,
      anbieter: 'openai',
      modell: 'gpt-4o-mini',
      eingabe_token: agent === 'a' ? 1_000 : 77,
    })),
  );
  await service.app.inject({
    method: 'POST',
    url: '/v1/ereignisse',
    headers: { authorization: `Bearer ${key.secret}` },
    payload: { ereignisse },
  });
  await countAll(service);
  const [event] = await service.sql<{ one: string; day: string }>(
    `SELECT trim_scale(min(kosten_eur))::text AS one, min(zeitpunkt AT TIME ZONE 'Europe/Berlin')::date::text AS day
     FROM ereignisse WHERE mandant_id = $1 AND agent = 'a'`,
    [ours.mandantId],
  );
  const { one, day } = event as { one: string; day: string };
  const times = async (count: number) =>
    (await service.sql<{ x: string }>('SELECT trim_scale($1::numeric * $2)::text AS x', [one, count]))[0]?.x;
  const until = minutesAgo(-60).toISOString();
  const minutes = {
    dimension: 'agent',
    values: ['a', 'nie gesehen'],
    grain: 'minute',
    since: [minutesAgo(1_100).toISOString(), minutesAgo(205).toISOString(), minutesAgo(10).toISOString()],
    until,
  } as const;
  const days = { ...minutes, grain: 'stunde', since: [beginOf(day)], until: '9000-01-01T00:00:00Z' } as const;
  const hours = { ...minutes, grain: 'stunde', since: [minutesAgo(1_200).toISOString()] } as const;
  const expected = [await times(5), await times(4), await times(2)];
  expect([...(await ask(minutes))]).toEqual([['a', expected]]);
  expect([...(await inRequest(minutes))]).toEqual([['a', expected]]);
  expect((await ask(days)).get('a')).toEqual([await times(5)]);
  expect((await ask(hours)).get('a')).toEqual([await times(5)]);
  expect((await ask({ ...days, values: ['a', 'b'] })).size).toBe(2);
});

test('keys cost what the agents cost that call by one of them each', async () => {
  const keys = [await createKey(service, ours), await createKey(service, ours)];
  const idle = await createKey(service, ours);
  for (const [index, { secret, schluesselId }] of keys.entries())
    await service.app.inject({
      method: 'POST',
      url: '/v1/ereignisse',
      headers: { authorization: `Bearer ${secret}` },
      payload: {
        ereignisse: [2, 20, 200, 1_500, 4_000, 60_000].map((ago) => ({
          zeitpunkt: minutesAgo(ago).toISOString(),
          agent: schluesselId,
          anbieter: 'openai',
          modell: 'gpt-4o-mini',
          eingabe_token: (index + 1) * ago,
        })),
      },
    });
  await countAll(service);
  const values = [...keys, idle].map(({ schluesselId }) => schluesselId);
  const monthAgo = Temporal.Now.zonedDateTimeISO('Europe/Berlin').subtract({ days: 30 }).startOfDay();
  const about = {
    since: [
      monthAgo.toInstant().toString(),
      ...[4_320, 1_440, 60].map((ago) => minutesAgo(ago).toISOString()),
    ],
    until: minutesAgo(-60).toISOString(),
  } as const satisfies Partial<CostQuestion>;
  const ofAgents = await ask({ ...about, dimension: 'agent', grain: 'stunde', values });
  expect([...ofAgents.keys()].sort()).toEqual(keys.map(({ schluesselId }) => schluesselId).sort());
  const question = { ...about, mandant: ours.mandantId, schluessel: values };
  expect(await owner.transaction((client) => keyCostsSince(askAsOwner(client), question))).toEqual(ofAgents);
  const byRequest = await service.context.db.forMandant(mandantId(ours.mandantId), (tx) =>
    keyCostsSince(askInRequest(tx), question),
  );
  expect(byRequest).toEqual(ofAgents);
});

test('nothing is asked of nothing', async () => {
  const never = () => Promise.reject(new Error('asked'));
  const question = {
    mandant: ours.mandantId,
    dimension: 'agent',
    values: [],
    grain: 'stunde',
    since: ['2026-01-01T00:00:00Z'],
    until: '2026-02-01T00:00:00Z',
  } as const;
  expect(await costsSince(never, question)).toEqual(new Map());
  expect(await keyCostsSince(never, { ...question, schluessel: [] })).toEqual(new Map());
});
