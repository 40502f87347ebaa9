import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { cockpitAuffaelliges, ResponseOf } from '#contracts';
import { type Account, addUser, createKey, registerAccount } from '#test/account.ts';
import { startService, type TestService } from '#test/service.ts';
import { countAll } from '#test/tenants.ts';

type Answer = ResponseOf<typeof cockpitAuffaelliges>;

/** A Friday, 14:30 in Berlin. */
const NOW = '2026-11-20T13:30:00Z';

let service: TestService;
let ours: Account;
let bearer: { authorization: string };
beforeAll(async () => {
  service = await startService();
  service.clock.set(NOW);
});
afterAll(() => service?.stop());
beforeEach(async () => {
  ours = await registerAccount(service);
  bearer = { authorization: `Bearer ${(await createKey(service, ours)).secret}` };
});

const daysAgo = (days: number, time = '09:00') => {
  const day = Temporal.PlainDate.from('2026-11-20').subtract({ days });
  return `${day}T${time}:00Z`;
};
/** Calls that cost a quarter of a euro or so each. */
const calls = (count: number, zeitpunkt: string, more: object = {}) =>
  Array.from({ length: count }, () => ({
    zeitpunkt,
    agent: 'support',
    anbieter: 'openai',
    modell: 'gpt-4o',
    eingabe_token: 100_000,
    ...more,
  }));

async function count(...ereignisse: object[]): Promise<void> {
  for (let from = 0; from < ereignisse.length; from += 5_000) {
    const payload = { ereignisse: ereignisse.slice(from, from + 5_000) };
    const sent = await service.app.inject({
      method: 'POST',
      url: '/v1/ereignisse',
      headers: bearer,
      payload,
    });
    expect(sent.statusCode).toBe(202);
  }
  await countAll(service);
}

async function get(zeitraum = 'heute', cookie = ours.cookie): Promise<Answer> {
  const answer = await service.app.inject({
    url: `/v1/cockpit/auffaelliges?zeitraum=${zeitraum}`,
    headers: { cookie },
  });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
}
const kindsOf = ({ eintraege }: Answer) =>
  eintraege.map(({ art, merkmal, schluessel }) => [art, merkmal, schluessel].filter(Boolean).join(' '));

test('nothing is out of the ordinary where nothing happened, or what always does', async () => {
  expect((await get()).eintraege).toEqual([]);
  await count(...[0, 7, 14, 21, 28].flatMap((days) => calls(40, daysAgo(days))));
  expect((await get()).eintraege).toEqual([]);
});

describe('a jump of cost', () => {
  test('of a day is against the same weekday, up to the same time', async () => {
    await count(
      ...[7, 14, 21, 28].flatMap((days) => calls(10, daysAgo(days))),
      // Later than now, and on other days: nothing to compare with.
      ...[7, 14, 21, 28].flatMap((days) => calls(200, daysAgo(days, '20:00'))),
      ...[1, 2, 3].flatMap((days) => calls(200, daysAgo(days))),
      ...calls(14, daysAgo(0)),
    );
    expect(kindsOf(await get())).toEqual([]);
    await count(...calls(10, daysAgo(0, '10:00')));
    const { eintraege } = await get();
    expect(kindsOf({ eintraege } as Answer)).toEqual([
      'kostensprung agent support',
      'kostensprung modell gpt-4o',
    ]);
    const [before] = await service.sql<{ eur: string }>(
      `SELECT trim_scale(round(sum(kosten_eur) / 4, 2))::text AS eur FROM ereignisse
       WHERE mandant_id = $1 AND zeitpunkt = ANY($2)`,
      [ours.mandantId, [7, 14, 21, 28].map((days) => daysAgo(days))],
    );
    expect(eintraege[0]).toMatchObject({ aufrufe: 24, ueblich_eur: before?.eur });
  });

  test('of a week is against the week before, and names who is new', async () => {
    await count(
      ...calls(100, daysAgo(13)),
      ...calls(100, daysAgo(3)),
      ...calls(50, daysAgo(2), { agent: 'neu', endkunde_ref: 'Müller' }),
    );
    const answer = await get('7tage');
    expect(kindsOf(answer)).toEqual([
      'kostensprung modell gpt-4o',
      'kostensprung agent neu',
      'kostensprung endkunde Müller',
    ]);
    expect(answer.eintraege[1]?.ueblich_eur).toBe('0');
  });

  test('needs something to compare with', async () => {
    await count(...calls(100, daysAgo(0)));
    expect((await get()).eintraege).toEqual([]);
  });

  test('is none where the time before was only begun to be counted', async () => {
    await count(...calls(1, daysAgo(8)), ...calls(100, daysAgo(3)));
    expect((await get('7tage')).eintraege).toEqual([]);
  });
});

test('failures in a burst, dear runs and calls without a price are named', async () => {
  const lauf_id = '00000000-0000-4000-8000-00000000beef';
  await count(
    ...[7, 14].flatMap((days) => calls(100, daysAgo(days))),
    ...calls(80, daysAgo(0)),
    ...calls(15, daysAgo(0), { status: 'fehler' }),
    ...calls(5, daysAgo(0), { lauf_id, eingabe_token: 400_000 }),
    ...calls(7, daysAgo(0), { modell: 'gibt-es-nicht', agent: 'neu' }),
  );
  const answer = await get();
  expect(kindsOf(answer)).toEqual([
    'teurer_lauf',
    'fehlerhaeufung agent support',
    'fehlerhaeufung modell gpt-4o',
    'unbepreist modell gibt-es-nicht',
  ]);
  expect(answer.eintraege[0]?.lauf).toMatchObject({ lauf_id, aufrufe: 5 });
  expect(answer.eintraege[3]).toMatchObject({ unbepreist: 7, kosten_eur: null });
});

test('there are three of a kind at most', async () => {
  const models = Array.from({ length: 5 }, (_, n) => calls(n + 1, daysAgo(0), { modell: `fehlt-${n}` }));
  await count(...models.flat());
  expect(kindsOf(await get())).toEqual([4, 3, 2].map((n) => `unbepreist modell fehlt-${n}`));
});

test('nobody sees what another Mandant did; every role may look', async () => {
  await count(...calls(3, daysAgo(0), { modell: 'gibt-es-nicht' }));
  const viewer = await addUser(service, ours, 'betrachter');
  expect((await get('heute', viewer.cookie)).eintraege).toHaveLength(1);
  expect((await get('heute', (await registerAccount(service)).cookie)).eintraege).toEqual([]);
});

test('401 without a session, 422 for what is no period', async () => {
  const url = '/v1/cockpit/auffaelliges';
  expect((await service.app.inject({ url })).statusCode).toBe(401);
  expect((await service.app.inject({ url, headers: bearer })).statusCode).toBe(401);
  const answer = await service.app.inject({ url: `${url}?zeitraum=immer`, headers: { cookie: ours.cookie } });
  expect([answer.statusCode, answer.json().detail[0].loc]).toEqual([422, ['query', 'zeitraum']]);
});
