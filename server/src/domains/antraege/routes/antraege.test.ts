/** From the wish of a program to the decision of a person, and what follows from it. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MAX_OPEN_ANTRAEGE } from '#contracts';
import { type Account, createKey, type Key, registerAccount } from '#test/account.ts';
import { admitting, EDITORS, EVERYBODY, statusByRole } from '#test/roles.ts';
import { startService, type TestService } from '#test/service.ts';

type Json = Record<string, unknown>;

let service: TestService;
let account: Account;
let key: Key;
let agentId: string;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.stop());
beforeEach(async () => {
  account = await registerAccount(service);
  key = await createKey(service, account);
  const [row] = await service.sql<{ agent_id: string }>(
    `INSERT INTO agenten (mandant_id, schluessel, name, projekt) VALUES ($1, 'triage', 'Triage', 'support') RETURNING agent_id`,
    [account.mandantId],
  );
  agentId = row?.agent_id as string;
});

async function ask(input: object, secret = key.secret) {
  const answer = await service.app.inject({
    method: 'POST',
    url: '/v1/mcp',
    headers: { authorization: `Bearer ${secret}` },
    payload: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'antrag_stellen', arguments: { begruendung: 'One document is left.', ...input } },
    },
  });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json().result as { isError?: boolean; structuredContent: Json; content: [{ text: string }] };
}
const asked = async (input: object): Promise<Json> => {
  const { isError, structuredContent, content } = await ask(input);
  expect(isError, content[0].text).toBeFalsy();
  return structuredContent.antrag as Json;
};
const cockpit = (method: 'GET' | 'POST' | 'PUT', url: string, payload?: object, cookie = account.cookie) =>
  service.app.inject({
    method,
    url: `/v1/cockpit/${url}`,
    headers: cookie ? { cookie } : {},
    ...(payload && { payload }),
  });
const decide = (id: unknown, payload: object, cookie = account.cookie) =>
  cockpit('POST', `antraege/${id}/entscheidung`, payload, cookie);
const log = () =>
  service.sql<{ aktion: string; wer: string }>(
    `SELECT aktion, akteur_name AS wer FROM pruefprotokoll WHERE mandant_id = $1 AND objekt_art NOT IN ('mandant', 'schluessel') ORDER BY eintrag_id`,
    [account.mandantId],
  );

const block = async () =>
  (await cockpit('POST', 'eingriffe', { agent_id: agentId, stufe: 'sperren' })).json().eingriff_id as string;
const newRule = async () =>
  (
    await cockpit('POST', 'regeln', {
      typ: 'kosten_grenze',
      name: 'Tag',
      schwelle: '20',
      zeitfenster: 'tag',
      stufe: 'anhalten',
    })
  ).json().regel_id as string;
const setBudget = () =>
  cockpit('PUT', `agenten/${agentId}/budget`, { betrag_eur: '20', bei_erreichen: 'sperren' });
const BUDGET = { objekt_art: 'agent', objekt: 'triage' };

describe('what is granted happens', () => {
  test('an order is lifted', async () => {
    const eingriff_id = await block();
    const antrag = await asked({ eingriff_id });
    expect(antrag).toMatchObject({
      art: 'eingriff',
      objekt: eingriff_id,
      bezeichnung: 'triage',
      status: 'offen',
    });
    const inForce = () =>
      service.app.inject({ url: '/v1/eingriffe/aktiv', headers: { authorization: `Bearer ${key.secret}` } });
    expect((await inForce()).json().eingriffe).toHaveLength(1);
    const answer = await decide(antrag.antrag_id, { gewaehrt: true, antwort: 'Once.' });
    expect(answer.statusCode, answer.body).toBe(200);
    expect(answer.json()).toMatchObject({
      status: 'gewaehrt',
      entschieden_von: account.email,
      antwort: 'Once.',
    });
    expect((await inForce()).json().eingriffe).toEqual([]);
    expect(await log()).toEqual([
      { aktion: 'eingriff.angelegt', wer: account.email },
      { aktion: 'antrag.gestellt', wer: null },
      { aktion: 'antrag.gewaehrt', wer: account.email },
      { aktion: 'eingriff.aufgehoben', wer: account.email },
    ]);
  });

  test('a threshold is raised, to what was asked for or to what the person says', async () => {
    const regel_id = await newRule();
    const threshold = async () =>
      (await cockpit('GET', 'regeln')).json().regeln.find((rule: Json) => rule.regel_id === regel_id)
        .schwelle;
    const first = await asked({ regel_id, betrag_eur: '40' });
    expect(first).toMatchObject({ art: 'regel', bezeichnung: 'Tag', bisher_eur: '20', wunsch_eur: '40' });
    expect((await decide(first.antrag_id, { gewaehrt: true })).json()).toMatchObject({ gewaehrt_eur: '40' });
    expect(await threshold()).toBe('40');
    const second = await asked({ regel_id, betrag_eur: '100' });
    await decide(second.antrag_id, { gewaehrt: true, betrag_eur: '50.5' });
    expect(await threshold()).toBe('50.5');
  });

  test.each([
    ['an agent', BUDGET, setBudget],
    [
      'a function',
      { objekt_art: 'funktion', objekt: 'angebot' },
      () => cockpit('PUT', 'budgets', { objekt_art: 'funktion', objekt: 'angebot', betrag_eur: '20' }),
    ],
  ])('a budget of %s is raised', async (_what, budget, set) => {
    await set();
    const antrag = await asked({ budget, betrag_eur: 30 });
    expect(antrag).toMatchObject({ art: 'budget', ...budget, bisher_eur: '20', wunsch_eur: '30' });
    expect((await decide(antrag.antrag_id, { gewaehrt: true })).statusCode).toBe(200);
    expect((await cockpit('GET', 'budgets')).json().budgets).toMatchObject([{ budget_eur: '30' }]);
  });
});

test('what is declined changes nothing, and the program reads why', async () => {
  await setBudget();
  const antrag = await asked({ budget: BUDGET, betrag_eur: '30' });
  const answer = await decide(antrag.antrag_id, { gewaehrt: false, antwort: 'Not today.' });
  expect(answer.json()).toMatchObject({ status: 'abgelehnt', gewaehrt_eur: null });
  expect((await cockpit('GET', 'budgets')).json().budgets).toMatchObject([{ budget_eur: '20' }]);
  const told = await service.app.inject({
    method: 'POST',
    url: '/v1/mcp',
    headers: { authorization: `Bearer ${key.secret}` },
    payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'antraege', arguments: {} } },
  });
  expect(told.json().result.structuredContent.antraege).toMatchObject([
    { antrag_id: antrag.antrag_id, status: 'abgelehnt', antwort: 'Not today.' },
  ]);
});

test('is decided once, and asked for once while it waits', async () => {
  await setBudget();
  const antrag = await asked({ budget: BUDGET, betrag_eur: '30' });
  expect(await asked({ budget: BUDGET, betrag_eur: '35' })).toMatchObject({
    antrag_id: antrag.antrag_id,
    wunsch_eur: '30',
  });
  const both = await Promise.all([
    decide(antrag.antrag_id, { gewaehrt: true }),
    decide(antrag.antrag_id, { gewaehrt: false }),
  ]);
  expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
  expect(both.find(({ statusCode }) => statusCode === 409)?.json().code).toBe('antrag_entschieden');
  expect((await asked({ budget: BUDGET, betrag_eur: '40' })).antrag_id).not.toBe(antrag.antrag_id);
});

test.each([
  ['nothing', {}, 'eingriff_id: exactly one of eingriff_id, regel_id and budget must be given'],
  ['an order that is not', { eingriff_id: randomUUID() }, 'eingriff_id: this intervention is not in force'],
  [
    'a rule that is not',
    { regel_id: randomUUID(), betrag_eur: 1 },
    'regel_id: this rule has no limit in EUR',
  ],
  ['a budget that is not', { budget: BUDGET, betrag_eur: 1 }, 'budget: there is no such budget'],
  ['no reason', { budget: BUDGET, begruendung: '' }, 'begruendung: String should have at least 1 character'],
])('%s is not asked for', async (_what, input, said) => {
  const { isError, content } = await ask(input);
  expect([isError, content[0].text]).toEqual([true, said]);
  expect((await cockpit('GET', 'antraege')).json().antraege).toEqual([]);
});

test('no less than so far is asked for, and nothing of others', async () => {
  await setBudget();
  expect((await ask({ budget: BUDGET, betrag_eur: '20' })).content[0].text).toBe(
    'betrag_eur: the limit is as high already',
  );
  const other = await createKey(service, await registerAccount(service));
  expect((await ask({ budget: BUDGET, betrag_eur: '30' }, other.secret)).content[0].text).toBe(
    'budget: there is no such budget',
  );
  expect((await ask({ eingriff_id: await block() }, other.secret)).isError).toBe(true);
});

test('this many may wait, and no more', async () => {
  await service.sql(
    `INSERT INTO antraege (mandant_id, antrag_id, schluessel_id, art, objekt_art, objekt, bezeichnung, begruendung, status, angelegt_am)
     SELECT $1, gen_random_uuid(), $2, 'eingriff', '', n::text, 'x', 'x', 'offen', now() FROM generate_series(1, $3) n`,
    [account.mandantId, key.schluesselId, MAX_OPEN_ANTRAEGE],
  );
  const { structuredContent } = await ask({ eingriff_id: await block() });
  expect(structuredContent).toMatchObject({
    antrag: null,
    hinweis: expect.stringContaining('Too many requests'),
  });
});

describe('the door', () => {
  test('lists page by page, the latest first', async () => {
    await setBudget();
    const first = await asked({ budget: BUDGET, betrag_eur: '30' });
    const second = await asked({ eingriff_id: await block() });
    const page = (await cockpit('GET', 'antraege?limit=1')).json();
    expect(page.antraege).toMatchObject([{ antrag_id: second.antrag_id, schluessel: expect.any(String) }]);
    const next = (await cockpit('GET', `antraege?limit=1&nach=${page.weiter}`)).json();
    expect([next.antraege[0].antrag_id, next.weiter]).toEqual([first.antrag_id, null]);
    await decide(first.antrag_id, { gewaehrt: false });
    expect((await cockpit('GET', 'antraege?status=offen')).json().antraege).toHaveLength(1);
    expect((await cockpit('GET', 'antraege?status=x')).statusCode).toBe(422);
  });

  test('is for users: everybody reads, editors decide', async () => {
    const read = (cookie: string) => cockpit('GET', 'antraege', undefined, cookie);
    expect((await read('')).statusCode).toBe(401);
    expect(await statusByRole(service, account, ({ cookie }) => read(cookie))).toEqual(admitting(EVERYBODY));
    const ids: unknown[] = [];
    for (const _ of EVERYBODY) ids.push((await asked({ eingriff_id: await block() })).antrag_id);
    expect((await decide(ids[0], { gewaehrt: false }, '')).statusCode).toBe(401);
    expect(
      await statusByRole(service, account, ({ cookie }, rolle) =>
        decide(ids[EVERYBODY.indexOf(rolle)], { gewaehrt: false }, cookie),
      ),
    ).toEqual(admitting(EDITORS));
  });

  test('answers what is of others, or not at all, with 404, and what is no decision with 422', async () => {
    const antrag = await asked({ eingriff_id: await block() });
    const stranger = await registerAccount(service);
    expect((await decide(antrag.antrag_id, { gewaehrt: true }, stranger.cookie)).statusCode).toBe(404);
    expect((await decide(randomUUID(), { gewaehrt: true })).statusCode).toBe(404);
    expect((await decide(antrag.antrag_id, {})).statusCode).toBe(422);
    expect((await decide(antrag.antrag_id, { gewaehrt: true, betrag_eur: -1 })).statusCode).toBe(422);
    expect((await cockpit('GET', 'antraege', undefined, stranger.cookie)).json().antraege).toEqual([]);
  });

  test('what is gone meanwhile can be declined, not granted', async () => {
    await setBudget();
    const antrag = await asked({ budget: BUDGET, betrag_eur: '30' });
    await cockpit('PUT', `agenten/${agentId}/budget`, { betrag_eur: null });
    expect((await decide(antrag.antrag_id, { gewaehrt: true })).statusCode).toBe(404);
    expect((await decide(antrag.antrag_id, { gewaehrt: false })).statusCode).toBe(200);
  });
});
