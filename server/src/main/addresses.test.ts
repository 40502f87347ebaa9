/** Operators by `BETREIBER_EMAILS`. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseConfig } from '#platform/config.ts';
import { createLog } from '#platform/log.ts';
import { type Account, logIn, registerAccount } from '#test/account.ts';
import { environmentFor } from '#test/database.ts';
import { startService as startTestService, type TestService } from '#test/service.ts';
import { startService } from './service.ts';

let service: TestService;
let dataDir: string;
beforeAll(async () => {
  service = await startTestService();
  dataDir = mkdtempSync(join(tmpdir(), 'zw-operators-'));
});
afterAll(async () => {
  await service.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Starts and stops the service, composed as it is, on the database of the test's service. */
async function startOnce(BETREIBER_EMAILS: string): Promise<void> {
  const env = { PORT: '0', ROLLE: 'api', DATA_DIR: dataDir, BETREIBER_EMAILS, ...environmentFor(service) };
  const config = parseConfig(env);
  await (await startService(config, createLog('silent'))).stop();
}

async function register(email: string): Promise<Account> {
  const account = await registerAccount(service);
  await service.sql('UPDATE benutzer SET email = $2 WHERE benutzer_id = $1', [account.benutzerId, email]);
  return { ...account, email };
}

const isOperator = async ({ email }: Account) =>
  (await logIn(service, email)).json().benutzer.betreiber as boolean;

const entries = ({ mandantId }: Account) =>
  service.sql(
    `SELECT akteur_art, aktion, nachher FROM pruefprotokoll WHERE mandant_id = $1 AND aktion LIKE 'betreiber.%'`,
    [mandantId],
  );

it('makes operators of the users who are there at the start, once', async () => {
  const [operator, other] = [await register('chef@betrieb.example'), await register('wer@betrieb.example')];
  await startOnce('Chef@Betrieb.example, niemand@betrieb.example');
  await startOnce('Chef@Betrieb.example, niemand@betrieb.example');
  expect(await isOperator(operator)).toBe(true);
  expect(await isOperator(other)).toBe(false);
  expect(await entries(operator)).toEqual([
    { akteur_art: 'system', aktion: 'betreiber.ernannt', nachher: { betreiber: true } },
  ]);
});

it('makes nobody an operator by registering', async () => {
  await startOnce('spaeter@betrieb.example');
  const account = await register('spaeter@betrieb.example');
  expect(await isOperator(account)).toBe(false);
});

it('leaves operators that are not listed', async () => {
  const operator = await register('bleibt@betrieb.example');
  await startOnce('bleibt@betrieb.example');
  await startOnce('');
  expect(await isOperator(operator)).toBe(true);
});
