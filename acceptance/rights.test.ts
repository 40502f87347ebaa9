/** Who may do what: every operation that is described, called by everybody. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Operation, OperationId } from '#contracts';
import { registerAccount } from '#test/account.ts';
import { type Actor, createActors, verdict } from '#test/actors.ts';
import { CHANGES, perform } from '#test/changes.ts';
import { type Described, operationsOf } from '#test/operations.ts';
import { type PaymentProvider, startPaymentProvider } from '#test/payment-provider.ts';
import { type Grant, RIGHTS } from '#test/rights-table.ts';
import { startService, type TestService } from '#test/service.ts';

let payment: PaymentProvider;
let service: TestService;
let described: Described[];
let actors: Actor[];

beforeAll(async () => {
  payment = await startPaymentProvider();
  service = await startService({ ...payment.env, SMTP_URL: 'smtp://127.0.0.1:1' });
  described = await operationsOf(service);
  actors = await createActors(service, await registerAccount(service));
});
afterAll(async () => {
  await service?.stop();
  await payment?.stop();
});

test('the table names every operation that is described, and no other', () => {
  expect(described.map(({ id }) => id).sort()).toEqual(Object.keys(RIGHTS).sort());
});

test('the description says which credentials an operation wants', () => {
  // Programs of others put the key where their own has its place.
  const ofOthers = ['Schluessel', 'SchluesselKopf', 'SchluesselFremderKopf', 'SchluesselPasswort'];
  const schemesOf = (id: string, grant: Grant): string[] => {
    if (grant === 'public') return [];
    if ('roles' in grant || 'operators' in grant) return ['Sitzung'];
    if (id.startsWith('otlp.')) return ofOthers;
    return grant.keys.length === 2 ? ['Schluessel', 'SchluesselKopf'] : ['Schluessel'];
  };
  for (const { id, security } of described)
    expect(security.flatMap(Object.keys), id).toEqual(schemesOf(id, RIGHTS[id] as Grant));
});

/** An id nobody has, and an empty body: an admitted caller gets 404, 422 or an answer. */
const pathOf = ({ path }: Operation) =>
  path.replace('{domain}', 'unbekannt.example.org').replace(/\{\w+\}/g, () => randomUUID());

async function knock({ operation }: Described, actor: Actor) {
  const answer = await service.app.inject({
    method: operation.method,
    url: pathOf(operation),
    headers: await actor.headers(),
    ...(operation.body ? { payload: {} } : {}),
  });
  return { status: answer.statusCode, headers: answer.headers, body: answer.body };
}

const CODES = {
  session: { 401: 'nicht_angemeldet', 403: 'verboten' },
  key: { 401: 'schluessel_ungueltig', 403: 'bereich_fehlt' },
} as const;

test('everybody is admitted to what the table says, and refused the rest', async () => {
  expect(actors.length).toBeGreaterThan(14);
  for (const one of described) {
    const grant = RIGHTS[one.id] as Grant;
    for (const actor of actors) {
      const who = `${one.id} by ${actor.name}`;
      const { status, headers, body } = await knock(one, actor);
      const expected = verdict(actor, grant);
      if (expected === 'admitted') {
        expect([401, 403], `${who}: ${body}`).not.toContain(status);
        expect(status, `${who}: ${body}`).toBeLessThan(500);
        continue;
      }
      expect(status, who).toBe(expected);
      const { code, detail, ...rest } = JSON.parse(body);
      const kind = grant !== 'public' && 'keys' in grant ? 'key' : 'session';
      expect(code, who).toBe(CODES[kind][expected]);
      expect([typeof detail, rest], who).toEqual(['string', {}]);
      expect(headers['www-authenticate'] !== undefined, who).toBe(kind === 'key' && expected === 401);
      expect(headers['set-cookie'], who).toBeUndefined();
    }
  }
});

test('a page of another origin is refused whatever changes something, signed in or not', async () => {
  const inhaber = actors.find(({ name }) => name === 'inhaber') as Actor;
  const changing = described.filter(({ id, operation }) => operation.method !== 'GET' && !takesKey(id));
  expect(changing.length).toBeGreaterThan(15);
  for (const { id, operation } of changing)
    for (const origin of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://fremd.example.org' }]) {
      const answer = await service.app.inject({
        method: operation.method,
        url: pathOf(operation),
        headers: { ...(await inhaber.headers()), ...origin },
        ...(operation.body ? { payload: {} } : {}),
      });
      expect([answer.statusCode, answer.json().code], id).toEqual([403, 'fremde_herkunft']);
    }
});

function takesKey(id: OperationId): boolean {
  const grant = RIGHTS[id];
  return typeof grant === 'object' && 'keys' in grant;
}

/** Everything a Mandant has, by table. */
async function stateOf(mandantId: string): Promise<Record<string, unknown>> {
  const tables = await service.sql<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'mandant_id'
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition`,
  );
  const rowsOf = tables.map(
    ({ name }) =>
      `(SELECT jsonb_agg(to_jsonb(t) ORDER BY t::text) FROM ${name} t WHERE mandant_id = $1) AS ${name}`,
  );
  const [state = {}] = await service.sql(`SELECT ${rowsOf.join(',')}`, [mandantId]);
  return state;
}

test.each(Object.entries(CHANGES))('%s takes no more from a body than it declares', async (id, prepare) => {
  const { operation } = described.find((one) => one.id === id) as Described;
  const world = { service, payment, account: await registerAccount(service) };
  const other = await registerAccount(service);
  const { body, ...sent } = await prepare(world);
  if (typeof body === 'string') return;
  const undeclared = {
    mandant_id: other.mandantId,
    mandant: { mandant_id: other.mandantId },
    benutzer_id: other.benutzerId,
    schluessel_id: randomUUID(),
    betreiber: true,
    rolle: 'inhaber',
    paket_bis: '2099-01-01T00:00:00Z',
    hash: 'x',
  };
  const before = await stateOf(other.mandantId);
  const operators = await service.sql('SELECT FROM betreiber');
  const declaredOnes = Object.keys((operation.body as { properties?: object } | undefined)?.properties ?? {});
  const extra = Object.entries(undeclared).filter(([name]) => !declaredOnes.includes(name));
  const answer = await perform(world, operation, {
    ...sent,
    body: { ...Object.fromEntries(extra), ...body },
  });
  expect(answer.statusCode, answer.body).toBe(operation.status ?? 200);
  expect(await stateOf(other.mandantId)).toEqual(before);
  expect(await service.sql('SELECT FROM betreiber')).toHaveLength(operators.length);
  const [user] = await service.sql(
    `SELECT count(*) FILTER (WHERE rolle = 'inhaber')::int AS owners, count(*) FILTER (WHERE paket_bis > '2090-01-01')::int AS booked
     FROM benutzer JOIN mandanten USING (mandant_id) WHERE mandant_id = $1`,
    [world.account.mandantId],
  );
  expect(user).toEqual({ owners: 1, booked: 0 });
});
