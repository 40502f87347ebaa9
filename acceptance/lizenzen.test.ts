/** Two services: one makes licences out, the other has one and follows the revocation list. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { lizenzErzeugen, lizenzenListe, lizenzLesen, ResponseOf } from '#contracts';
import { type Account, createAccount, request } from '#test/outside-account.ts';
import { COMPILED } from '#test/processes.ts';
import { createServiceProcess, type ServiceProcess } from '#test/service-process.ts';
import { until } from '#test/until.ts';

const CLI = join(import.meta.dirname, '../server/src/main/cli.ts');

type Issued = ResponseOf<typeof lizenzErzeugen>;

let issuer: ServiceProcess;
let operator: Account;
let issued: Issued;
let installation: ServiceProcess;
let account: Account;

/** The installation must find the list at the same address after a restart of the issuer. */
async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return String(port);
}

const post = (base: string, path: string, body: object, cookie = '') =>
  request(`${base}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie },
    body: JSON.stringify(body),
  });
async function asOperator<T>(what: string, body: object): Promise<T> {
  const answer = await post(issuer.address(), `/v1/betreiber/lizenzen/${what}`, body, operator.cookie);
  expect(answer.status, answer.text).toBe(200);
  return answer.json<T>();
}

async function rotateKey(): Promise<void> {
  const env = { PATH: process.env.PATH, ...COMPILED, DATA_DIR: issuer.dataDir };
  const child = spawn(process.execPath, [CLI, 'lizenz-schluessel-wechseln'], { env });
  const [err, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect([code, err]).toEqual([0, '']);
}

beforeAll(async () => {
  const port = await freePort();
  issuer = createServiceProcess({ PORT: port, BASE_URL: `http://127.0.0.1:${port}` });
  await issuer.start();
  operator = await createAccount(issuer);
  await issuer.sql(
    'INSERT INTO betreiber (mandant_id, benutzer_id) SELECT mandant_id, benutzer_id FROM benutzer',
  );
  issued = await asOperator<Issued>('erzeugen', { kunde: 'Muster GmbH', mandanten: 1 });
  installation = createServiceProcess({
    LIZENZ: issued.token,
    LIZENZ_PRUEFSCHLUESSEL: issued.pruefschluessel,
    ERLAUBTE_NETZE: '127.0.0.1',
  });
  await installation.start();
  account = await createAccount(installation);
});
afterAll(async () => {
  await installation?.dispose();
  await issuer?.dispose();
});

const look = async () => (await account.look('/v1/cockpit/lizenz')).json<ResponseOf<typeof lizenzLesen>>();
const tried = async () =>
  (await installation.sql<{ am: string }>('SELECT versucht_am::text AS am FROM sperrliste_bekannt'))[0]?.am;

/** Has the installation try again, as it does every hour and at its start; `days` later than it reached the list last. */
async function tryAgain(days = 0): Promise<void> {
  const before = await tried();
  await installation.sql(
    `UPDATE sperrliste_bekannt SET frisch_bis = NULL, erreicht_am = erreicht_am - make_interval(days => $1)`,
    [days],
  );
  await installation.stop('SIGTERM');
  await installation.start();
  await until('the list to be asked for', async () => (await tried()) !== before);
}

test('an installation follows what the issuer says, also after a rotation of keys, and goes on for 14 days without it', async () => {
  await until('the list at the start', async () => (await look()).lizenz?.sperrliste?.nummer != null);
  expect(await look()).toMatchObject({
    paket: 'enterprise',
    quelle: 'lizenz',
    lizenz: {
      ...{ kunde: 'Muster GmbH', status: 'gültig', mandanten: 1, mandanten_belegt: 1 },
      fingerabdruck: issued.lizenz.fingerabdruck,
      sperrliste: { nicht_erreicht_seit: null, hindernis: null },
    },
  });
  const second = await post(installation.address(), '/v1/registrieren', {
    ...{ firma: 'Zweite GmbH', email: 'zweite@example.org', passwort: 'richtig-lang-genug' },
  });
  expect([second.status, second.json<{ code: string }>().code]).toEqual([409, 'lizenz_ausgeschoepft']);

  await asOperator('sperren', { fingerabdruck: issued.lizenz.fingerabdruck, grund: 'nicht bezahlt' });
  expect((await request(`${issuer.address()}/v1/lizenzen/sperrliste`)).status).toBe(200);
  await tryAgain();
  expect(await look()).toMatchObject({ paket: 'frei', lizenz: { status: 'gesperrt' } });

  await rotateKey();
  await asOperator('entsperren', { kunde: 'Muster GmbH' });
  await tryAgain();
  expect(await look()).toMatchObject({ paket: 'enterprise', lizenz: { status: 'gültig' } });
  const next = await asOperator<Issued>('erzeugen', { kunde: 'Neue GmbH' });
  expect(next.lizenz.kid).not.toBe(issued.lizenz.kid);
  const listed = await request(`${issuer.address()}/v1/betreiber/lizenzen`, {
    headers: { cookie: operator.cookie },
  });
  expect(listed.json<ResponseOf<typeof lizenzenListe>>().lizenzen).toEqual([next.lizenz, issued.lizenz]);

  await issuer.stop('SIGTERM');
  await tryAgain(13);
  expect(await look()).toMatchObject({
    paket: 'enterprise',
    lizenz: {
      status: 'gültig',
      sperrliste: { hindernis: 'nicht_erreichbar', nicht_erreicht_seit: expect.any(String) },
    },
  });
  await tryAgain(2);
  expect(await look()).toMatchObject({ paket: 'frei', lizenz: { status: 'ungeprüft' } });
  // Nothing else ends.
  expect((await account.send([{ agent: 'a' }])).status).toBe(202);
  await account.untilCounted(1);

  await issuer.start();
  await tryAgain();
  expect(await look()).toMatchObject({ paket: 'enterprise', lizenz: { status: 'gültig' } });
  expect([...issuer.errors(), ...installation.errors()]).toEqual([]);
});
