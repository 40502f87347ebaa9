import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPool } from '#platform/database/index.ts';
import { createOwnerDatabase, type OwnerDatabase } from '#platform/database/owner-database.ts';
import { addUser, logIn, registerAccount } from '#test/account.ts';
import { enableSecondFactor, secondFactorRequest } from '#test/second-factor.ts';
import { startService, type TestService } from '#test/service.ts';
import { CommandRefused } from './command.ts';
import { COMMANDS } from './commands.ts';

const WHO = 'Kommandozeile (test)';

let service: TestService;
let owner: OwnerDatabase;
beforeAll(async () => {
  service = await startService();
  const options = { connection: service.connection, max: 1, statementTimeout: 30_000, name: 'test' };
  owner = createOwnerDatabase(createPool(options, service.context.log));
});
afterAll(async () => {
  await owner.close();
  await service.stop();
});

/** Runs the command as it stands in the list; resolves with what it prints. */
async function run(email: string, config = service.context.config): Promise<string[]> {
  const printed: string[] = [];
  const akteur = { art: 'betreiber' as const, id: null, name: WHO, adresse: null };
  const print = (line: string) => void printed.push(line);
  const command = COMMANDS.find(({ name }) => name === 'zweiten-faktor-entfernen');
  await command?.run({ ...service.context, config, owner, akteur, print }, [email]);
  return printed;
}

const entriesOf = (benutzerId: string) =>
  service.sql(
    `SELECT akteur_art, akteur_name, vorher, nachher FROM pruefprotokoll
     WHERE objekt_id = $1 AND aktion = 'zweiter_faktor.ausgeschaltet'`,
    [benutzerId],
  );
const mailsTo = async (email: string) => (await service.mails()).filter(({ an }) => an === email);
const me = (cookie: string) => service.app.inject({ url: '/v1/ich', headers: { cookie } });

it('lets somebody in who has lost phone and codes, ends the sessions, notes it and tells them', async () => {
  const account = await registerAccount(service, 'Muster\nGmbH');
  const colleague = await addUser(service, account, 'betrachter');
  await enableSecondFactor(service, account);
  expect((await logIn(service, account.email)).json().code).toBe('code_noetig');
  expect(await run(account.email.toUpperCase())).toEqual([
    `Der zweite Faktor von ${account.email} (Muster GmbH) ist entfernt; alle Sitzungen wurden beendet.`,
  ]);
  expect((await me(account.cookie)).statusCode).toBe(401);
  expect((await me(colleague.cookie)).statusCode).toBe(200);
  const login = await logIn(service, account.email);
  expect(login.json().benutzer).toMatchObject({ zweiter_faktor: false, wiederherstellungscodes: 0 });
  for (const table of ['zweite_faktoren', 'wiederherstellungscodes'])
    expect(await service.sql(`SELECT 1 FROM ${table} WHERE benutzer_id = $1`, [account.benutzerId])).toEqual(
      [],
    );
  expect(await entriesOf(account.benutzerId)).toEqual([
    {
      akteur_art: 'betreiber',
      akteur_name: WHO,
      vorher: { zweiter_faktor: true },
      nachher: { zweiter_faktor: false, beendete_sitzungen: 1 },
    },
  ]);
  const [mail] = await mailsTo(account.email);
  expect(mail?.betreff).toBe('Zweiter Faktor bei Zählwerk entfernt');
  expect(mail?.text).toContain('hat der Betreiber');
});

it('leaves alone a user who has none, or has only begun with it', async () => {
  const account = await registerAccount(service);
  await secondFactorRequest(service, account.cookie, '/einrichten');
  expect(await run(account.email)).toEqual([
    `${account.email} (Muster GmbH) hat keinen zweiten Faktor; es bleibt alles, wie es ist.`,
  ]);
  expect((await me(account.cookie)).statusCode).toBe(200);
  expect(await entriesOf(account.benutzerId)).toEqual([]);
  expect(await mailsTo(account.email)).toEqual([]);
});

it('helps a disabled user, too', async () => {
  const user = await addUser(service, await registerAccount(service), 'betrachter');
  await enableSecondFactor(service, user);
  await service.sql('UPDATE benutzer SET aktiv = false WHERE benutzer_id = $1', [user.benutzerId]);
  expect((await run(user.email))[0]).toContain('ist entfernt');
});

it('says in production what an operator without a second factor cannot do', async () => {
  const account = await registerAccount(service);
  await enableSecondFactor(service, account);
  await service.sql(
    'INSERT INTO betreiber SELECT mandant_id, benutzer_id FROM benutzer WHERE benutzer_id = $1',
    [account.benutzerId],
  );
  const printed = await run(account.email, { ...service.context.config, production: true });
  expect(printed[1]).toBe(
    'Bis der Benutzer einen neuen zweiten Faktor eingerichtet hat, wirken die Rechte eines Betreibers nicht.',
  );
});

it('says what is wrong', async () => {
  await expect(run('niemand@example.org')).rejects.toThrow(
    'Zu „niemand@example.org“ gibt es keinen Benutzer.',
  );
  await expect(run('keine-adresse')).rejects.toThrow(CommandRefused);
});
