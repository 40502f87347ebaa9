/** Over HTTP a foreign object is answered like one that does not exist, and shows in no list. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Operation } from '#contracts';
import * as contracts from '#contracts';
import { startService, type TestService } from '../server/test/service.ts';
import { createTenants, type Tenant } from './support/tenants.ts';

let service: TestService;
let ours: Tenant;
let theirs: Tenant;

beforeAll(async () => {
  service = await startService();
  ({ ours, theirs } = await createTenants(service));
});
afterAll(() => service?.stop());

const headersOf = (operation: Operation, tenant: Tenant): Record<string, string> =>
  operation.access.kind === 'session'
    ? { cookie: tenant.account.cookie }
    : { authorization: `Bearer ${tenant.key.secret}` };

const call = async (operation: Operation, path: string, tenant: Tenant, payload?: object) => {
  const answer = await service.app.inject({
    method: operation.method,
    url: path,
    headers: headersOf(operation, tenant),
    ...(payload ? { payload } : {}),
  });
  const { date: _date, ...headers } = answer.headers;
  return { status: answer.statusCode, body: answer.body, headers };
};

const isOperation = (value: unknown): value is Operation =>
  typeof value === 'object' && value !== null && 'id' in value && 'method' in value && 'path' in value;
const registered = () =>
  (Object.values(contracts) as unknown[])
    .filter(isOperation)
    .filter(({ method, path }) => service.app.hasRoute({ method, url: path.replace(/\{(\w+)\}/g, ':$1') }));

/** Every operation that takes an id, with an id of theirs and a body. */
const OBJECTS: Record<string, [id: () => string, payload?: object]> = {
  'laeufe.einer': [() => theirs.run],
  'laeufe.cockpit_einer': [() => theirs.run],
  'verbrauch.agent': [() => theirs.agentId],
  'katalog.agent_aendern': [() => theirs.agentId, { name: 'gekapert', projekt: 'unseres' }],
  'zugang.schluessel_sperren': [() => theirs.key.schluesselId],
};

test('a foreign id is answered like one that does not exist, and nothing happens to its object', async () => {
  const taking = registered().filter(({ path }) => path.includes('{'));
  expect(taking.map(({ id }) => id).sort()).toEqual(Object.keys(OBJECTS).sort());
  for (const operation of taking) {
    const [id, payload] = OBJECTS[operation.id] as (typeof OBJECTS)[string];
    const at = (value: string) => operation.path.replace(/\{\w+\}/, value);
    const unknown = await call(operation, at(randomUUID()), ours, payload);
    expect(unknown.status, operation.id).toBe(404);
    expect(await call(operation, at(id()), ours, payload), operation.id).toEqual(unknown);
  }
  // The same id in the hands of its owner.
  for (const operation of taking) {
    if (operation.method !== 'GET') continue;
    const [id] = OBJECTS[operation.id] as (typeof OBJECTS)[string];
    expect(
      (await call(operation, operation.path.replace(/\{\w+\}/, id()), theirs)).status,
      operation.id,
    ).toBe(200);
  }
  const [agent] = await service.sql('SELECT name, projekt FROM agenten WHERE agent_id = $1', [
    theirs.agentId,
  ]);
  expect(agent).toEqual({ name: 'die', projekt: 'standard' });
  const [key] = await service.sql('SELECT gesperrt_am FROM schluessel WHERE schluessel_id = $1', [
    theirs.key.schluesselId,
  ]);
  expect(key).toEqual({ gesperrt_am: null });
});

test('no list and no sum mentions what is theirs', async () => {
  const canaries = [
    theirs.run,
    theirs.agentId,
    theirs.key.schluesselId,
    theirs.account.mandantId,
    'kunde-die',
    'modell-die',
  ];
  const reading = registered().filter(
    ({ method, path, access }) => method === 'GET' && !path.includes('{') && access.kind !== 'public',
  );
  expect(reading.length).toBeGreaterThan(8);
  for (const operation of reading) {
    for (const query of ['', `?agent_id=${theirs.agentId}`, `?mandant_id=${theirs.account.mandantId}`]) {
      const { body } = await call(operation, operation.path + query, ours);
      for (const canary of canaries) expect(body, `${operation.id}${query}`).not.toContain(canary);
    }
  }
  const runs = await call(contracts.cockpitLaeufe, `/v1/cockpit/laeufe?agent_id=${theirs.agentId}`, ours);
  expect(JSON.parse(runs.body)).toEqual({ laeufe: [] });
});

test('naming a Mandant in a batch changes nothing', async () => {
  const before = await service.sql('SELECT count(*)::int AS n FROM eingang WHERE mandant_id = $1', [
    theirs.account.mandantId,
  ]);
  const foreign = { mandant_id: theirs.account.mandantId };
  const answer = await service.app.inject({
    method: 'POST',
    url: '/v1/ereignisse',
    headers: { authorization: `Bearer ${ours.key.secret}`, 'x-mandant': theirs.account.mandantId },
    payload: { ...foreign, ereignisse: [{ ...foreign, agent: 'wir', zusatz: foreign }] },
  });
  expect(answer.statusCode).toBe(202);
  const after = await service.sql('SELECT count(*)::int AS n FROM eingang WHERE mandant_id = $1', [
    theirs.account.mandantId,
  ]);
  expect(after).toEqual(before);
});
