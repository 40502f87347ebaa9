/**
 * Secrets are nowhere to be read: not in the database, not in the log, not in answers. Each is planted through the
 * operation that takes it or hands it out, then looked for as it is and in the usual disguises.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLog } from '#platform/log.ts';
import { hashOf } from '#platform/secret.ts';
import type { Account } from '#test/account.ts';
import { newSecret, plantSecrets, readableIn } from '#test/canaries.ts';
import { declared, operationsOf } from '#test/operations.ts';
import { type PaymentProvider, startPaymentProvider } from '#test/payment-provider.ts';
import { startService, type TestService } from '#test/service.ts';
import { unzip } from '#test/unzip.ts';

let payment: PaymentProvider;
let service: TestService;
let account: Account;
const log: string[] = [];
const secrets = new Map<string, string>();

beforeAll(async () => {
  payment = await startPaymentProvider();
  const env = { ...payment.env, STRIPE_SECRET_KEY: newSecret({ secrets }, 'key at the payment provider') };
  service = await startService(env, createLog('trace', { write: (line) => void log.push(line) }));
  ({ account } = await plantSecrets(service, secrets));
});
afterAll(async () => {
  await service?.stop();
  await payment?.stop();
});

/** Everything the database holds, as text; what is stored as bytes both as hexadecimal and as what the bytes say. */
async function dump(): Promise<string> {
  const tables = await service.sql<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  );
  const parts = await Promise.all(
    tables.map(async ({ name }) =>
      (await service.sql<{ line: string }>(`SELECT t::text AS line FROM ${name} t`)).map(({ line }) => line),
    ),
  );
  const text = parts.flat().join('\n');
  const bytes = [...text.matchAll(/\\\\x((?:[0-9a-f]{2})+)/g)].map(([, hex]) =>
    Buffer.from(hex as string, 'hex'),
  );
  return [text, ...bytes.flatMap((each) => [each.toString('latin1'), each.toString('utf8')])].join('\n');
}

test('the search finds what is there', () => {
  expect(secrets.size).toBeGreaterThan(25);
  for (const [name, text] of secrets) {
    expect(text.length, name).toBeGreaterThan(7);
    expect(readableIn(secrets, `vor ${text} nach`)).toContain(name);
    expect(readableIn(secrets, Buffer.from(text).toString('hex'))).toContain(name);
  }
});

test('none can be read in the database', async () => {
  const text = await dump();
  const hash = hashOf(secrets.get('API key') as string).toString('hex');
  for (const sign of ['inhaber@example.org', 'zwei@example.org', 'passwort.zurueckgesetzt', hash])
    expect(text).toContain(sign);
  expect(readableIn(secrets, text)).toEqual([]);
});

test('none can be read in the log', () => {
  const text = log.join('');
  for (const sign of [
    '"msg":"request"',
    'zugang.registrieren',
    'sso.callback',
    '/v1/einladung',
    account.mandantId,
  ])
    expect(text).toContain(sign);
  expect(readableIn(secrets, text)).toEqual([]);
});

test('none is answered to those who may read everything', async () => {
  const reading = (await operationsOf(service)).filter(
    ({ operation }) =>
      operation.method === 'GET' && operation.access.kind === 'session' && !operation.path.includes('{'),
  );
  expect(reading.length).toBeGreaterThan(12);
  for (const { id, operation } of reading) {
    const answer = await service.app.inject({ url: operation.path, headers: { cookie: account.cookie } });
    const isZip = answer.headers['content-type'] === 'application/zip';
    const text = isZip ? [...(await unzip(answer.rawPayload)).values()].join('\n') : answer.body;
    expect(readableIn(secrets, text), id).toEqual([]);
  }
});

describe('no refusal repeats a secret', () => {
  /** Fields that take one, by name: apart from the schemas, which say so themselves. */
  const SECRET_FIELDS = new Set([
    ...['passwort', 'alt', 'neu', 'code', 'token', 'client_secret', 'state'],
    ...['chatA_webhook', 'chatB_webhook', 'push_url', 'webhook_url'],
  ]);
  const CANARY = 'kanarienvogel-geheim';
  const wrong: [string, unknown][] = [
    ['too long', CANARY.repeat(1_000)],
    ['in a list', [CANARY]],
    ['in an object', { wert: CANARY }],
    ['in an object of objects', { a: [{ b: CANARY }] }],
  ];
  const secretsIn = (schema: { properties?: object } | undefined) =>
    Object.keys(schema?.properties ?? {}).filter((name) => SECRET_FIELDS.has(name));
  const taking = declared.filter(
    ({ body }) => secretsIn(body as { properties?: object } | undefined).length > 0,
  );

  const refusal = async (operation: (typeof declared)[number], payload: unknown, headers: object = {}) => {
    const answer = await service.app.inject({
      method: operation.method,
      url: operation.path.replace(/\{\w+\}/g, '00000000-0000-4000-8000-000000000000'),
      headers: { cookie: account.cookie, 'content-type': 'application/json', ...headers },
      payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
    });
    expect(Math.floor(answer.statusCode / 100), `${operation.id}: ${answer.body}`).toBe(4);
    return answer.body;
  };

  test('there are such operations', () => {
    expect(taking.map(({ id }) => id)).toEqual(
      expect.arrayContaining([
        'zugang.anmelden',
        'sso.setzen',
        'mandant.alarme_setzen',
        'kuendigung.kuendigen',
      ]),
    );
    expect(taking.length).toBeGreaterThanOrEqual(10);
  });

  test.each(wrong)('%s', async (_what, value) => {
    for (const operation of taking)
      for (const name of secretsIn(operation.body as object))
        expect(await refusal(operation, { [name]: value }), operation.id).not.toContain(CANARY);
  });

  test('beside a field that is missing or misspelt, or in a list of bodies', async () => {
    for (const operation of taking) {
      const filled = Object.fromEntries(secretsIn(operation.body as object).map((name) => [name, CANARY]));
      for (const payload of [
        [filled],
        [[filled]],
        { ...filled, email: 7, bestaetigung: 7, firma: 7, issuer: 7, Passwort: CANARY, neu: 'kurz' },
      ])
        expect(await refusal(operation, payload), operation.id).not.toContain(CANARY);
    }
  });

  test('in a body that is no JSON', async () => {
    for (const operation of taking) {
      const name = secretsIn(operation.body as object)[0] as string;
      const text = JSON.stringify({ [name]: CANARY });
      for (const [payload, headers] of [
        [text, { 'content-type': 'text/plain' }],
        [`${name}=${CANARY}`, { 'content-type': 'application/x-www-form-urlencoded' }],
        [text.slice(0, -1), {}],
        [`${text}x`, {}],
        [JSON.stringify(text), {}],
      ] as const)
        expect(await refusal(operation, payload, headers), `${operation.id}: ${payload}`).not.toContain(
          CANARY,
        );
    }
  });

  test('in a query', async () => {
    const asking = declared.filter(({ query }) => secretsIn(query).length > 0);
    expect(asking.map(({ id }) => id).sort()).toEqual([
      'benutzer.einladung',
      'postausgang.abmelden',
      'postausgang.empfang_lesen',
      'sso.callback',
    ]);
    for (const operation of asking)
      for (const name of secretsIn(operation.query)) {
        const { method, path } = operation;
        const answer = await service.app.inject({ method, url: `${path}?${name}=${CANARY.repeat(500)}` });
        expect(answer.statusCode, operation.id).toBe(422);
        expect(answer.body, operation.id).not.toContain(CANARY);
      }
  });
});
