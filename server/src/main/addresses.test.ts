/** What is done to addresses at the start: operators by `BETREIBER_EMAILS`, and one form for all. */
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

it('makes nobody an operator who has only typed the address, before the start or after', async () => {
  const email = 'betrieb@betrieb.example';
  const squatter = await register(email);
  await service.sql('UPDATE benutzer SET email_bestaetigt_am = NULL WHERE benutzer_id = $1', [
    squatter.benutzerId,
  ]);
  await startOnce(email);
  expect(await isOperator(squatter)).toBe(false);
  expect(await entries(squatter)).toEqual([]);
  expect(await service.sql('SELECT 1 FROM betreiber WHERE benutzer_id = $1', [squatter.benutzerId])).toEqual(
    [],
  );
  // Once it is proven, at the next start.
  await service.sql('UPDATE benutzer SET email_bestaetigt_am = now() WHERE benutzer_id = $1', [
    squatter.benutzerId,
  ]);
  expect(await isOperator(squatter)).toBe(false);
  await startOnce(email);
  expect(await isOperator(squatter)).toBe(true);
});

it('knows an operator by either form of an international domain', async () => {
  const operator = await register('chef@xn--mnchen-3ya.example');
  await startOnce('Chef@München.example');
  expect(await isOperator(operator)).toBe(true);
});

it('brings addresses of before into one form; of two users of a mailbox one keeps it', async () => {
  const only = await register('allein@Köln.example');
  const confirmed = await register('zwei@münchen.example');
  const typed = await register('zwei@xn--mnchen-3ya.example');
  await service.sql('UPDATE benutzer SET email_bestaetigt_am = NULL WHERE benutzer_id = $1', [
    typed.benutzerId,
  ]);
  const older = await register('drei@xn--mnchen-3ya.example');
  await service.sql(
    `UPDATE benutzer SET erstellt_am = erstellt_am - interval '1 day' WHERE benutzer_id = $1`,
    [older.benutzerId],
  );
  const younger = await register('drei@münchen.example');
  await startOnce('');
  await startOnce('');
  const rows = await service.sql<{ benutzer_id: string; email: string; lost: boolean }>(
    `SELECT benutzer_id, email, email_verloren_am IS NOT NULL AS lost FROM benutzer WHERE email LIKE '%xn--%'`,
  );
  const of = ({ benutzerId }: Account) => rows.find(({ benutzer_id }) => benutzer_id === benutzerId);
  expect(of(only)).toMatchObject({ email: 'allein@xn--kln-sna.example', lost: false });
  expect([of(confirmed)?.lost, of(typed)?.lost]).toEqual([false, true]);
  expect([of(older)?.lost, of(younger)?.lost]).toEqual([false, true]);
  expect((await logIn(service, 'zwei@münchen.example')).json().mandant.mandant_id).toBe(confirmed.mandantId);
  expect((await logIn(service, 'drei@münchen.example')).json().mandant.mandant_id).toBe(older.mandantId);
  const lost = await service.sql(
    `SELECT objekt_id FROM pruefprotokoll WHERE aktion = 'benutzer.adresse_verloren' ORDER BY zeitpunkt, eintrag_id`,
  );
  expect(lost.map(({ objekt_id }) => objekt_id).sort()).toEqual(
    [typed.benutzerId, younger.benutzerId].sort(),
  );
});

it('brings letters with their marks into one form, and lets in by either', async () => {
  const [composed, decomposed] = ['hä@marken.example'.normalize('NFC'), 'hä@marken.example'.normalize('NFD')];
  const account = await register(decomposed);
  await startOnce('');
  expect(
    await service.sql('SELECT email FROM benutzer WHERE benutzer_id = $1', [account.benutzerId]),
  ).toEqual([{ email: composed }]);
  for (const email of [composed, decomposed])
    expect((await logIn(service, email)).json().mandant.mandant_id).toBe(account.mandantId);
  const again = await service.app.inject({
    method: 'POST',
    url: '/v1/registrieren',
    payload: { firma: 'Muster GmbH', email: decomposed, passwort: 'richtig-lang-genug' },
  });
  expect([again.statusCode, again.json().code]).toEqual([409, 'email_vergeben']);
});
