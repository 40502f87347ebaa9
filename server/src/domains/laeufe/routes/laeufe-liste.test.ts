import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, createKey, registerAccount } from '#test/account.ts';
import { addRun } from '#test/rollups.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
let ours: Account;
let foreign: Account;
let bearer: { authorization: string };

beforeAll(async () => {
  service = await startService();
  ours = await registerAccount(service);
  foreign = await registerAccount(service);
  bearer = { authorization: `Bearer ${(await createKey(service, ours, ['Lesen'])).secret}` };
});
afterAll(() => service.stop());

const get = (query = '', headers: Record<string, string> = bearer) =>
  service.app.inject({ method: 'GET', url: `/v1/laeufe${query}`, headers });
const hour = (number: number) => `2026-11-20T${String(number).padStart(2, '0')}:00:00Z`;
const idsOf = (answer: { json(): { laeufe: { lauf_id: string }[] } }) =>
  answer.json().laeufe.map((run) => run.lauf_id);

test('answers the runs that ended last first, with exact figures, and none of another Mandant', async () => {
  const shared = randomUUID();
  const early = await addRun(service, ours.mandantId, { agent: 'a', beginn: hour(8), ende: hour(9) });
  await addRun(service, ours.mandantId, {
    lauf_id: shared,
    agent: 'a',
    beginn: '2026-11-20T09:59:59.250Z',
    ende: hour(10),
    status: 'fehler',
    fehler: 1,
    kosten_eur: '1234567890123.000000012300',
  });
  const foreignOnly = await addRun(service, foreign.mandantId, {
    agent: 'a',
    beginn: hour(8),
    ende: hour(11),
  });
  await addRun(service, foreign.mandantId, {
    lauf_id: shared,
    agent: 'fremd',
    beginn: hour(1),
    ende: hour(2),
  });

  const answer = await get();
  expect(answer.statusCode).toBe(200);
  expect(idsOf(answer)).toEqual([shared, early]);
  expect(answer.json().laeufe[0]).toEqual({
    lauf_id: shared,
    agent: 'a',
    projekt: 'standard',
    endkunde_ref: null,
    status: 'fehler',
    beginn: '2026-11-20T09:59:59.25Z',
    ende: '2026-11-20T10:00:00Z',
    dauer_ms: 750,
    aufrufe: 2,
    fehler: 1,
    eingabe_token: 100,
    ausgabe_token: 20,
    cache_lese_token: 5,
    cache_schreib_token: null,
    denk_token: null,
    eingabe_ohne_cache: null,
    ausgabe_gesamt: null,
    token: null,
    kosten_eur: '1234567890123.0000000123',
    kosten_usd: null,
    ersatz_eur: '0',
    unbepreist: 0,
    teilbepreist: 0,
    verbranntes_geld_eur: '0',
  });
  expect(idsOf(await get('?limit=1'))).toEqual([shared]);
  const theirs = { authorization: `Bearer ${(await createKey(service, foreign)).secret}` };
  expect(idsOf(await get('', theirs))).toEqual([foreignOnly, shared]);
});

test('401 without a key, 403 for a key that may only send', async () => {
  expect((await get('', {})).statusCode).toBe(401);
  const { secret } = await createKey(service, ours, ['Senden']);
  expect((await get('', { authorization: `Bearer ${secret}` })).statusCode).toBe(403);
});

test.each([
  ['0', 'greater_than_equal'],
  ['1001', 'less_than_equal'],
  ['viele', 'int_parsing'],
])('422 for limit=%s', async (limit, type) => {
  const answer = await get(`?limit=${limit}`);
  expect(answer.statusCode).toBe(422);
  expect(answer.json().detail[0]).toMatchObject({ loc: ['query', 'limit'], type });
});
