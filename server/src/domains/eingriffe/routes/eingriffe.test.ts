import { randomUUID, randomUUIDv7 } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createApi } from '#main/api.ts';
import { type Account, createKey, registerAccount } from '#test/account.ts';
import { admitting, EDITORS, statusByRole } from '#test/roles.ts';
import { addAgent } from '#test/rollups.ts';
import { startService, type TestService } from '#test/service.ts';
import { until } from '#test/until.ts';
import { createInForce, hearChanges, type InForce } from '../index.ts';

const NOW = '2026-11-20T10:00:00.000Z';

let service: TestService;
let app: FastifyInstance;
let inForce: InForce;
let ours: Account;
let foreign: Account;
let agentId: string;
let agent: string;
let secret: string;
const stops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  service = await startService();
  service.clock.set(NOW);
  inForce = createInForce(service.context, async () => []);
  const hearing = Promise.withResolvers<void>();
  const listener = hearChanges(
    {
      forget: (mandant: string) => inForce.forget(mandant),
      hear(now) {
        inForce.hear(now);
        if (now) hearing.resolve();
      },
    },
    service.requests,
    service.context.log,
  );
  app = await createApi(service.context, service.operators, inForce);
  stops.push(() => app.close(), listener.stop, service.stop);
  await hearing.promise;
});
afterAll(async () => {
  inForce.stop();
  for (const stop of stops) await stop();
});
beforeEach(async () => {
  ours = await registerAccount(service);
  foreign = await registerAccount(service);
  agent = `agent-${randomUUID()}`;
  agentId = await addAgent(service, ours.mandantId, agent);
  secret = (await createKey(service, ours, ['Senden'])).secret;
});

const call = (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object, cookie = ours.cookie) =>
  app.inject({ method, url, headers: { cookie }, ...(payload ? { payload } : {}) });
const intervene = (payload: object = { agent_id: agentId, stufe: 'sperren' }, cookie = ours.cookie) =>
  call('POST', '/v1/cockpit/eingriffe', payload, cookie);
const list = async (query = '', account = ours) =>
  (await call('GET', `/v1/cockpit/eingriffe${query}`, undefined, account.cookie)).json();
const active = (query = '', headers: Record<string, string> = {}) =>
  app.inject({
    url: `/v1/eingriffe/aktiv${query}`,
    headers: { authorization: `Bearer ${secret}`, ...headers },
  });

/** A run of the agent. */
async function addRun(): Promise<string> {
  const run = randomUUID();
  await service.sql(
    `INSERT INTO laeufe (mandant_id, lauf_id, agent, projekt, status, beginn, ende, aufrufe, fehler, unbepreist, eingabe_token,
       ausgabe_token, cache_lese_token, verbranntes_geld_eur)
     VALUES ($1, $2, $3, 'p', 'erfolgreich', $4, $4, 1, 0, 0, 0, 0, 0, 0)`,
    [ours.mandantId, run, agent, NOW],
  );
  return run;
}

describe('by hand', () => {
  test('an agent is blocked, and let go again; both are on record', async () => {
    const answer = await intervene({
      agent_id: agentId,
      stufe: 'sperren',
      bis: '2026-11-20T12:00:00Z',
      grund: 'Kundin bat darum',
    });
    expect(answer.statusCode).toBe(201);
    const made = answer.json();
    expect(made).toMatchObject({
      stufe: 'sperren',
      objekt_art: 'agent',
      objekt: agent,
      agent,
      schatten: false,
      in_kraft: true,
      grund: 'Kundin bat darum',
      veranlasst_von: ours.email,
      beginn: '2026-11-20T10:00:00Z',
      bis: '2026-11-20T12:00:00Z',
      aufgehoben_am: null,
      missachtet: 0,
      befolgt: null,
      wirkung: 'unbekannt',
      abgerufen_am: null,
    });
    expect((await active()).json().eingriffe).toMatchObject([{ eingriff_id: made.eingriff_id }]);
    const lifted = await call('DELETE', `/v1/cockpit/eingriffe/${made.eingriff_id}`);
    expect([lifted.statusCode, lifted.json()]).toMatchObject([
      200,
      { in_kraft: false, aufgehoben_am: '2026-11-20T10:00:00Z', aufgehoben_von: ours.email },
    ]);
    expect((await active()).json().eingriffe).toEqual([]);
    const again = await call('DELETE', `/v1/cockpit/eingriffe/${made.eingriff_id}`);
    expect([again.statusCode, again.json()]).toEqual([200, lifted.json()]);
    const entries = await service.sql(
      `SELECT aktion, objekt_name FROM pruefprotokoll WHERE mandant_id = $1 AND aktion LIKE 'eingriff%' ORDER BY aktion`,
      [ours.mandantId],
    );
    expect(entries).toEqual([
      { aktion: 'eingriff.angelegt', objekt_name: agent },
      { aktion: 'eingriff.aufgehoben', objekt_name: agent },
    ]);
  });

  test('a run is stopped, and nothing else is done to it', async () => {
    const lauf_id = await addRun();
    const answer = await intervene({ lauf_id });
    expect([answer.statusCode, answer.json()]).toMatchObject([
      201,
      { stufe: 'anhalten', objekt_art: 'lauf', objekt: lauf_id, agent, bis: null },
    ]);
    expect((await intervene({ lauf_id, stufe: 'sperren' })).statusCode).toBe(422);
  });

  test.each([
    ['neither agent nor run', {}, ['body', 'agent_id']],
    ['both', { agent_id: randomUUID(), lauf_id: randomUUID() }, ['body', 'agent_id']],
    ['a level that is none', { agent_id: randomUUID(), stufe: 'warnen' }, ['body', 'stufe']],
  ])('422 for %s', async (_, payload, loc) => {
    const answer = await intervene(payload);
    expect([answer.statusCode, answer.json().detail[0].loc]).toEqual([422, loc]);
  });

  test.each(['2026-11-20T10:00:00Z', '2027-11-22T10:00:00Z'])('422 for an end at %s', async (bis) => {
    const answer = await intervene({ agent_id: agentId, bis });
    expect([answer.statusCode, answer.json().detail[0].loc]).toEqual([422, ['body', 'bis']]);
  });

  test('a foreign agent, run or intervention is not found', async () => {
    const made = (await intervene()).json();
    expect((await intervene({ agent_id: agentId }, foreign.cookie)).statusCode).toBe(404);
    expect((await intervene({ lauf_id: await addRun() }, foreign.cookie)).statusCode).toBe(404);
    const lifted = await call(
      'DELETE',
      `/v1/cockpit/eingriffe/${made.eingriff_id}`,
      undefined,
      foreign.cookie,
    );
    expect(lifted.statusCode).toBe(404);
    expect((await active()).json().eingriffe).toHaveLength(1);
  });

  test('editors may, nobody else', async () => {
    const statuses = await statusByRole(service, ours, ({ cookie }) => intervene(undefined, cookie));
    expect(statuses).toEqual(admitting(EDITORS, 201));
    expect((await intervene(undefined, '')).statusCode).toBe(401);
  });
});

describe('the list', () => {
  test('has those that began lately, latest first, page by page, and no foreign ones', async () => {
    const ids: string[] = [];
    for (let made = 0; made < 3; made += 1) ids.unshift((await intervene()).json().eingriff_id);
    await service.sql(
      `INSERT INTO eingriffe (mandant_id, eingriff_id, stufe, objekt_art, objekt, agent, grund_de, grund_en, beginn, schatten)
       VALUES ($1, $2, 'drosseln', 'agent', 'a', 'a', 'Alt.', 'Old.', '2026-11-10T10:00:00Z', true)`,
      [ours.mandantId, randomUUIDv7()],
    );
    const first = await list('?limit=2');
    expect(first.eingriffe.map((each: { eingriff_id: string }) => each.eingriff_id)).toEqual(ids.slice(0, 2));
    const second = await list(`?limit=2&nach=${first.weiter}`);
    expect(second.eingriffe.map((each: { eingriff_id: string }) => each.eingriff_id)).toEqual(ids.slice(2));
    expect(second.weiter).toBe(null);
    const all = (await list('?tage=30')).eingriffe;
    expect(all).toHaveLength(4);
    expect(all).toContainEqual(expect.objectContaining({ schatten: true, in_kraft: false, befolgt: null }));
    expect((await list('', foreign)).eingriffe).toEqual([]);
  });

  test('of those in force has old ones too, and none that is over or was only noted', async () => {
    await service.sql(
      `INSERT INTO eingriffe (mandant_id, eingriff_id, stufe, objekt_art, objekt, agent, grund_de, grund_en, beginn, bis, schatten)
       SELECT $1, id::uuid, 'sperren', 'agent', name, name, 'Alt.', 'Old.', '2026-06-01T10:00:00Z', bis::timestamptz, schatten::boolean
       FROM (VALUES ($2, 'endlos', NULL, 'false'), ($3, 'vorbei', '2026-06-02T10:00:00Z', 'false'), ($4, 'schatten', NULL, 'true'))
         AS alte (id, name, bis, schatten)`,
      [ours.mandantId, randomUUIDv7(), randomUUIDv7(), randomUUIDv7()],
    );
    const lifted = (await intervene()).json();
    await call('DELETE', `/v1/cockpit/eingriffe/${lifted.eingriff_id}`);
    const made = (await intervene()).json();
    const objects = ({ eingriffe }: { eingriffe: { objekt: string }[] }) =>
      eingriffe.map(({ objekt }) => objekt);
    const first = await list('?in_kraft=true&limit=1');
    const second = await list(`?in_kraft=true&limit=1&nach=${first.weiter}`);
    expect([...objects(first), ...objects(second)].sort()).toEqual(['endlos', made.objekt].sort());
    expect(second.weiter).toBe(null);
    expect((await list('?in_kraft=true', foreign)).eingriffe).toEqual([]);
  });

  test('422 for days beyond a year, 401 signed out', async () => {
    expect((await call('GET', '/v1/cockpit/eingriffe?tage=0')).statusCode).toBe(422);
    expect((await call('GET', '/v1/cockpit/eingriffe', undefined, '')).statusCode).toBe(401);
  });
});

describe('GET /v1/eingriffe/aktiv', () => {
  test('tells the key of fingerprints: the same for all keys of a Mandant, another for another one', async () => {
    const keyFor = async (account: Account) => {
      const { secret: asking } = await createKey(service, account, ['Senden']);
      const authorization = `Bearer ${asking}`;
      const answer = await app.inject({ url: '/v1/eingriffe/aktiv', headers: { authorization } });
      return answer.json().fingerabdruck_schluessel;
    };
    const [one, again, other] = [await keyFor(ours), await keyFor(ours), await keyFor(foreign)];
    expect(one).toMatch(/^[0-9a-f]{64}$/);
    expect([one === again, one === other]).toEqual([true, false]);
  });

  test('is confirmed while nothing changes', async () => {
    await intervene();
    const first = await active();
    const etag = String(first.headers.etag);
    const again = await active('', { 'if-none-match': etag });
    expect([again.statusCode, again.body]).toEqual([304, '']);
    await intervene({ lauf_id: await addRun() });
    const changed = await active('', { 'if-none-match': etag });
    expect([changed.statusCode, changed.json().eingriffe.length]).toEqual([200, 2]);
  });

  test('waits for a change, and tells of it at once', async () => {
    const theirs = (await createKey(service, foreign, ['Senden'])).secret;
    const known = async () => (await active('', { authorization: `Bearer ${theirs}` })).json().eingriffe;
    expect(await known()).toEqual([]);
    const etag = String((await active()).headers.etag);
    const waiting = active('?warten=60', { 'if-none-match': etag });
    let isAnswered = false;
    void waiting.then(() => {
      isAnswered = true;
    });
    // Somebody else's change wakes nobody.
    await service.app.inject({
      method: 'POST',
      url: '/v1/cockpit/eingriffe',
      headers: { cookie: foreign.cookie },
      payload: { agent_id: await addAgent(service, foreign.mandantId, 'b'), stufe: 'sperren' },
    });
    await until('it to be known here', async () => (await known()).length > 0);
    expect(isAnswered).toBe(false);
    await intervene();
    expect((await waiting).json().eingriffe).toHaveLength(1);
  });

  test('says so when nothing has changed in the time', async () => {
    const etag = String((await active()).headers.etag);
    expect((await active('?warten=1', { 'if-none-match': etag })).statusCode).toBe(304);
  });

  test('answers who has no room to wait at once', async () => {
    const etag = String((await active()).headers.etag);
    const all = Array.from({ length: 51 }, () => active('?warten=60', { 'if-none-match': etag }));
    expect((await Promise.race(all)).statusCode).toBe(304);
    await intervene();
    const statuses = (await Promise.all(all)).map(({ statusCode }) => statusCode);
    expect([
      statuses.filter((status) => status === 200).length,
      statuses.filter((status) => status === 304).length,
    ]).toEqual([50, 1]);
  });

  test('one agent gets nothing about another', async () => {
    await intervene();
    expect((await active(`?agent=${agent}`)).json().eingriffe).toHaveLength(1);
    expect((await active('?agent=other')).json().eingriffe).toEqual([]);
  });

  test('beyond a thousand stopped runs holds all that concerns who asks, wider ones first', async () => {
    const block = (await intervene()).json();
    const ids = Array.from({ length: 1_300 }, () => randomUUIDv7()).sort();
    const runs = ids.map((id) => [id, randomUUID()]);
    await service.sql(
      `INSERT INTO eingriffe (mandant_id, eingriff_id, stufe, objekt_art, objekt, agent, grund_de, grund_en, beginn, schatten)
       SELECT $1, id, 'anhalten', 'lauf', lauf, 'andere/' || n % 2, 'Halt.', 'Stop.', $4, false
       FROM unnest($2::uuid[], $3::text[]) WITH ORDINALITY AS r (id, lauf, n)`,
      [ours.mandantId, ids, runs.map(([, run]) => run), NOW],
    );
    inForce.forget(ours.mandantId);
    const named = async (query: string): Promise<{ objekt: string }[]> =>
      (await active(query)).json().eingriffe;
    expect(await named(`?agent=${agent}`)).toMatchObject([{ eingriff_id: block.eingriff_id }]);
    const all = await named('');
    expect([all.length, all[0]]).toMatchObject([1_301, { eingriff_id: block.eingriff_id }]);
    const newestFirst = runs.map(([, run]) => run).reverse();
    expect(all.slice(1).map(({ objekt }) => objekt)).toEqual(newestFirst);
    expect(await named('?agent=andere/1')).toHaveLength(650);
    // The first page of the list has it, too, however old it is.
    expect((await list('?in_kraft=true&limit=1')).eingriffe).toMatchObject([
      { eingriff_id: block.eingriff_id },
    ]);
    const first = await list('?in_kraft=true&limit=1000');
    const second = await list(`?in_kraft=true&limit=1000&nach=${first.weiter}`);
    expect([...first.eingriffe, ...second.eingriffe].slice(1).map(({ objekt }) => objekt)).toEqual(
      newestFirst,
    );
  });

  test('what has ended is in force no more', async () => {
    await intervene({ agent_id: agentId, bis: '2026-11-20T10:30:00Z' });
    expect((await active()).json().eingriffe).toHaveLength(1);
    service.clock.set('2026-11-20T10:30:00.000Z');
    expect((await active()).json().eingriffe).toEqual([]);
    service.clock.set(NOW);
  });

  test('401 without a key, 422 for a wait beyond a minute', async () => {
    expect((await active('', { authorization: '' })).statusCode).toBe(401);
    expect((await active('?warten=61')).statusCode).toBe(422);
  });
});
