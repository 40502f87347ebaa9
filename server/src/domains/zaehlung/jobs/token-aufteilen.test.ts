/** Tokens mean the same for every provider, in sums, runs and events; and of what a former release counted they are made anew. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPool } from '#platform/database/index.ts';
import { createOwnerDatabase, type OwnerDatabase } from '#platform/database/owner-database.ts';
import { type Account, createKey, registerAccount } from '#test/account.ts';
import { dayTotalsOf, readDayTotals } from '#test/day-totals.ts';
import { startService, type TestService } from '#test/service.ts';
import { readCalls, readRuns, readSums, runsOf, sumsOf } from '#test/sums-by-dimension.ts';
import { countAll } from '#test/tenants.ts';
import { tokenAufteilenJob } from './token-aufteilen.ts';

let service: TestService;
let owner: OwnerDatabase;
beforeAll(async () => {
  service = await startService();
  const options = { connection: service.connection, max: 2, statementTimeout: 60_000, name: 'test' };
  owner = createOwnerDatabase(createPool(options, service.context.log));
});
afterAll(async () => {
  await owner?.close();
  await service?.stop();
});

/** The same use as three providers report it: 1,000 fresh, 600 read from the cache, 200 written to it, 300 out with 100 of reasoning. */
const USE = {
  openai: {
    anbieter: 'openai',
    modell: 'gpt-5',
    eingabe_token: 1_800,
    cache_lese_token: 600,
    cache_schreib_token: 200,
    ausgabe_token: 300,
    denk_token: 100,
  },
  anthropic: {
    anbieter: 'anthropic',
    modell: 'claude-sonnet-4-5',
    eingabe_token: 1_000,
    cache_lese_token: 600,
    cache_schreib_token: 200,
    ausgabe_token: 300,
    denk_token: 100,
  },
  google: {
    anbieter: 'google',
    modell: 'gemini-2.5-pro',
    eingabe_token: 1_800,
    cache_lese_token: 600,
    cache_schreib_token: 200,
    ausgabe_token: 200,
    denk_token: 100,
  },
};
type Provider = keyof typeof USE;
const PROVIDERS = Object.keys(USE) as Provider[];
const ONE = {
  eingabe_ohne_cache: 1_000,
  cache_lese_token: 600,
  cache_schreib_token: 200,
  ausgabe_gesamt: 300,
  token: 2_100,
};
const UNKNOWN = { eingabe_ohne_cache: null, ausgabe_gesamt: null, token: null };

interface Counted {
  account: Account;
  runs: Record<Provider, string>;
  get(url: string): Promise<Record<string, never>>;
}

/** A Mandant with a call of each provider, each a run of its own. */
async function count(zeitpunkt = new Date().toISOString()): Promise<Counted> {
  const account = await registerAccount(service);
  const { secret } = await createKey(service, account);
  const headers = { authorization: `Bearer ${secret}` };
  const runs = { openai: randomUUID(), anthropic: randomUUID(), google: randomUUID() };
  const ereignisse = PROVIDERS.map((name) => ({ ...USE[name], agent: name, lauf_id: runs[name], zeitpunkt }));
  const sent = await service.app.inject({
    method: 'POST',
    url: '/v1/ereignisse',
    headers,
    payload: { ereignisse },
  });
  expect(sent.statusCode, sent.body).toBe(202);
  await countAll(service);
  return { account, runs, get: async (url) => (await service.app.inject({ url, headers })).json() };
}

const divide = () => tokenAufteilenJob({ owner, log: service.context.log }).run();

const TABLES = ['minute', 'stunde', 'einzeln'].map((name) => `verbrauch_${name}`);

/** As the former release leaves it, which has none of these columns. */
async function leaveOut({ mandantId }: Account): Promise<void> {
  for (const table of [...TABLES, 'laeufe'])
    await service.sql(
      `UPDATE ${table} SET eingabe_ohne_cache = 0, ausgabe_gesamt = 0, aufgeteilt = 0 WHERE mandant_id = $1`,
      [mandantId],
    );
  await service.sql('UPDATE verbrauch_tagesstand SET aufgeteilt = 0 WHERE mandant_id = $1', [mandantId]);
  await service.sql(`UPDATE laeufe SET cache_schreib_token = NULL, denk_token = NULL WHERE mandant_id = $1`, [
    mandantId,
  ]);
}

/** Every sum and run of the Mandant is that of its events; none is kept by the minute of what is over for long. */
async function expectSumsOfEvents({ mandantId }: Account): Promise<void> {
  const calls = (await readCalls(service.sql)).filter(({ row }) => row.mandant_id === mandantId);
  const ours = (table: object) =>
    Object.fromEntries(Object.entries(table).filter(([key]) => key.includes(mandantId)));
  const recent = calls.filter(({ row }) => Date.parse(row.zeitpunkt) > Date.now() - 86_400_000);
  for (const grain of ['minute', 'stunde'] as const)
    expect(ours(await readSums(service.sql, grain)), grain).toEqual(
      sumsOf(grain === 'minute' ? recent : calls, grain),
    );
  expect(ours(await readDayTotals(service.sql))).toEqual(dayTotalsOf(calls));
  expect(await readRuns(service.sql)).toMatchObject(runsOf(calls));
}

describe('tokens', () => {
  test('of the same use are the same for every provider, in events, runs, sums and pairs of values', async () => {
    const { runs, get } = await count();
    for (const name of PROVIDERS) {
      const { lauf, ereignisse } = await get(`/v1/laeufe/${runs[name]}`);
      expect(lauf, name).toMatchObject(ONE);
      const { token: _, ...parts } = ONE;
      expect(ereignisse, name).toMatchObject([parts]);
      expect(await get(`/v1/api/verbrauch?gruppe=modell&agent=${name}`), name).toMatchObject({
        zeilen: [{ ...ONE, aufgeteilt: 1, eingabe_token: USE[name].eingabe_token }],
        summe: ONE,
      });
    }
    const three = Object.fromEntries(Object.entries(ONE).map(([part, tokens]) => [part, 3 * tokens]));
    const { zeilen, summe } = await get('/v1/api/verbrauch?gruppe=anbieter');
    expect(zeilen).toMatchObject([ONE, ONE, ONE]);
    expect(summe).toMatchObject(three);
  });

  test('are unknown where a former release counted, until the job has read the calls', async () => {
    // Some kept one by one, in an hour of today and in one that is long over.
    for (const at of [new Date().toISOString(), '2026-03-29T01:30:00Z']) {
      const { account, runs, get } = await count(at);
      const url = `/v1/api/verbrauch?gruppe=anbieter&von=${at.slice(0, 10)}`;
      await leaveOut(account);
      expect((await get(url)).summe).toMatchObject({
        ...UNKNOWN,
        aufrufe: 3,
        aufgeteilt: 0,
        eingabe_token: 4_600,
      });
      expect((await get(`/v1/laeufe/${runs.openai}`)).lauf).toMatchObject({
        ...UNKNOWN,
        eingabe_token: 1_800,
      });
      expect(await divide()).toEqual({ stunden: 1 });
      await expectSumsOfEvents(account);
      expect((await get(url)).summe).toMatchObject({ token: 6_300, aufgeteilt: 3 });
      expect((await get(`/v1/laeufe/${runs.google}`)).lauf).toMatchObject(ONE);
      expect(await divide()).toEqual({ stunden: 0 });
    }
  });

  test('that the former release counts beside this one are unknown with the whole, and made anew', async () => {
    const { account, get } = await count();
    await service.sql(
      `UPDATE verbrauch_einzeln SET eingabe_ohne_cache = 0, ausgabe_gesamt = 0, aufgeteilt = 0 WHERE mandant_id = $1 AND nummer = 1`,
      [account.mandantId],
    );
    await service.sql('UPDATE verbrauch_tagesstand SET aufgeteilt = 2 WHERE mandant_id = $1', [
      account.mandantId,
    ]);
    const url = '/v1/api/verbrauch?gruppe=anbieter';
    expect((await get(url)).summe).toMatchObject({ ...UNKNOWN, aufrufe: 3, aufgeteilt: 2 });
    await divide();
    await expectSumsOfEvents(account);
    expect((await get(url)).summe).toMatchObject({ token: 6_300 });
  });

  test('of calls that are gone stay unknown, and nothing is made of what is left of them', async () => {
    const { account, runs, get } = await count();
    await leaveOut(account);
    await service.sql('DELETE FROM ereignisse WHERE mandant_id = $1 AND agent = $2', [
      account.mandantId,
      'google',
    ]);
    await divide();
    const { zeilen, summe } = await get('/v1/api/verbrauch?gruppe=agent');
    const rows = zeilen as unknown as { schluessel: string }[];
    expect(rows.find(({ schluessel }) => schluessel === 'openai')).toMatchObject(ONE);
    expect(rows.find(({ schluessel }) => schluessel === 'google')).toMatchObject(UNKNOWN);
    expect(summe).toMatchObject({ ...UNKNOWN, aufrufe: 3 });
    expect((await get(`/v1/laeufe/${runs.openai}`)).lauf).toMatchObject(ONE);
    expect((await get(`/v1/laeufe/${runs.google}`)).lauf).toMatchObject(UNKNOWN);
  });
});
