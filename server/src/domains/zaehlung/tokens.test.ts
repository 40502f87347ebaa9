/** Tokens mean the same for every provider, in sums, runs and events. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Account, createKey, registerAccount } from '#test/account.ts';
import { startService, type TestService } from '#test/service.ts';
import { countAll } from '#test/tenants.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
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
});
