/** The budget of an API key: set, listed, spent by its calls, and obeyed by who uses it alone. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { eingriffeAktiv, ResponseOf } from '#contracts';
import { type Account, createKey, type Key, registerAccount } from '#test/account.ts';
import { ownerOf } from '#test/jobs.ts';
import { startService, type TestService } from '#test/service.ts';
import { countAll } from '#test/tenants.ts';
import { checkBudgets } from '../owner/check.ts';

let service: TestService;
let ours: Account;
let key: Key;
let other: Key;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  service.clock.set(new Date().toISOString());
  ours = await registerAccount(service);
  key = await createKey(service, ours);
  other = await createKey(service, ours);
});

const put = (objekt: string, more: object = {}, cookie = ours.cookie) =>
  service.app.inject({
    method: 'PUT',
    url: '/v1/cockpit/budgets',
    headers: { cookie },
    payload: { objekt_art: 'schluessel', objekt, betrag_eur: '0.01', ...more },
  });
const send = (by: Key) =>
  service.app.inject({
    method: 'POST',
    url: '/v1/ereignisse',
    headers: { authorization: `Bearer ${by.secret}` },
    payload: {
      ereignisse: [
        { agent: 'a', anbieter: 'openai', modell: 'gpt-4o', eingabe_token: 10_000, ausgabe_token: 0 },
      ],
    },
  });
const list = async () =>
  (await service.app.inject({ url: '/v1/cockpit/budgets', headers: { cookie: ours.cookie } })).json().budgets;
const inForce = async (by: Key) => {
  const answer = await service.app.inject({
    url: '/v1/eingriffe/aktiv',
    headers: { authorization: `Bearer ${by.secret}` },
  });
  const { eingriffe, harte_grenzen } = answer.json<ResponseOf<typeof eingriffeAktiv>>();
  return { objects: eingriffe.map(({ objekt_art, objekt }) => [objekt_art, objekt]), harte_grenzen };
};
async function check(): Promise<void> {
  const owner = ownerOf(service);
  await checkBudgets({ owner, clock: service.clock, log: service.context.log }, {});
  await owner.close();
}

test('it is set by the id of the key, listed with its name, and written down with it', async () => {
  const answer = await put(key.schluesselId, { bei_erreichen: 'sperren' });
  expect(answer.statusCode, answer.body).toBe(200);
  expect(answer.json()).toMatchObject({
    objekt_art: 'schluessel',
    objekt_id: key.schluesselId,
    bei_erreichen: 'sperren',
  });
  const [{ name }] = (await service.sql<{ name: string }>(
    'SELECT name FROM schluessel WHERE schluessel_id = $1',
    [key.schluesselId],
  )) as [{ name: string }];
  expect(answer.json().name).toBe(name);
  expect(await list()).toMatchObject([{ schluessel: key.schluesselId, name, verbraucht_eur: '0' }]);
  const [entry] = await service.sql(
    `SELECT objekt_name FROM pruefprotokoll WHERE mandant_id = $1 AND aktion = 'budget.schluessel_gesetzt'`,
    [ours.mandantId],
  );
  expect(entry).toEqual({ objekt_name: name });
});

test('its calls spend it; once it is spent its own calls are blocked, those of other keys go on', async () => {
  await put(key.schluesselId, { bei_erreichen: 'sperren' });
  await send(other);
  await countAll(service);
  await check();
  expect((await inForce(key)).objects).toEqual([]);
  expect((await inForce(key)).harte_grenzen).toEqual([
    { objekt_art: 'schluessel', objekt: key.schluesselId, je_agent: false, je_lauf: false },
  ]);
  await send(key);
  await countAll(service);
  const [budget] = await list();
  expect(budget).toMatchObject({ verbraucht_eur: '0.025', anteil_prozent: '250' });
  expect(budget.tempo).toMatchObject([{ fenster: '3d', kosten_eur: '0.025' }]);
  expect(
    budget.schwellen.map(({ erreicht_am }: { erreicht_am: string | null }) => erreicht_am),
  ).not.toContain(null);
  await check();
  await expect.poll(async () => (await inForce(key)).objects).toEqual([['schluessel', key.schluesselId]]);
  expect((await inForce(other)).objects).toEqual([]);
  const answers = [await send(key), await send(other)].map((answer) => answer.json().eingriffe.length);
  expect(answers).toEqual([1, 0]);
  const [alarm] = await service.sql<{ text_de: string }>('SELECT text_de FROM alarme WHERE mandant_id = $1', [
    ours.mandantId,
  ]);
  expect(alarm?.text_de).toMatch(/^API-Schlüssel [^0-9a-f]/);
});

test('a call that may cost more than is left of it is refused when it asks first', async () => {
  await put(key.schluesselId, { bei_erreichen: 'sperren', betrag_eur: '0.03' });
  await send(key);
  await countAll(service);
  const reserve = async (by: Key) =>
    (
      await service.app.inject({
        method: 'POST',
        url: '/v1/reservierungen',
        headers: { authorization: `Bearer ${by.secret}` },
        payload: {
          aufrufe: [{ anbieter: 'openai', modell: 'gpt-4o', eingabe_token: 10_000, ausgabe_token: 0 }],
        },
      })
    ).json().reservierungen[0];
  expect(await reserve(key)).toMatchObject({
    gewaehrt: false,
    grenze: { art: 'budget', objekt_art: 'schluessel', objekt: key.schluesselId, verbraucht_eur: '0.025' },
  });
  expect(await reserve(other)).toMatchObject({ gewaehrt: true });
});

test('404 alike for a key of another Mandant, one that is unknown and what is no id', async () => {
  const foreign = await registerAccount(service);
  const answers = [
    await put(key.schluesselId, {}, foreign.cookie),
    await put(randomUUID(), {}, foreign.cookie),
    await put('produktion', {}, foreign.cookie),
  ];
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404]);
  expect(new Set(answers.map(({ body }) => JSON.parse(body).detail)).size).toBe(1);
});
