import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPool } from '#platform/database/index.ts';
import { createOwnerDatabase, type OwnerDatabase } from '#platform/database/owner-database.ts';
import { createKey, logIn, PASSWORT, registerAccount } from '#test/account.ts';
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
async function run(mandant: string): Promise<string[]> {
  const printed: string[] = [];
  const akteur = { art: 'betreiber' as const, id: null, name: WHO, adresse: null };
  const context = { ...service.context, owner, akteur, print: (line: string) => void printed.push(line) };
  await COMMANDS.find(({ name }) => name === 'kuendigung-aufheben')?.run(context, [mandant]);
  return printed;
}

it('makes a cancelled account active again, and notes who did', async () => {
  const account = await registerAccount(service, 'Muster\nGmbH');
  await createKey(service, account);
  await service.app.inject({
    method: 'DELETE',
    url: '/v1/cockpit/konto',
    headers: { cookie: account.cookie },
    payload: { passwort: PASSWORT },
  });
  expect((await logIn(service, account.email)).statusCode).toBe(401);
  expect(await run(account.mandantId.toUpperCase())).toEqual([
    '„Muster GmbH“ ist wieder aktiv; API-Schlüssel, die wieder gelten: 1. Alle müssen sich neu anmelden; ein Paket muss neu gebucht werden.',
  ]);
  expect((await logIn(service, account.email)).statusCode).toBe(200);
  const entries = await service.sql(
    `SELECT akteur_name FROM pruefprotokoll WHERE mandant_id = $1 AND aktion = 'konto.kuendigung_aufgehoben'`,
    [account.mandantId],
  );
  expect(entries).toEqual([{ akteur_name: WHO }]);
});

it('says what is wrong', async () => {
  const { mandantId } = await registerAccount(service);
  await expect(run(mandantId)).rejects.toThrow('Das Konto ist nicht gekündigt.');
  await expect(run(randomUUID())).rejects.toThrow('Diesen Mandanten gibt es nicht.');
  await expect(run('unsinn')).rejects.toThrow(CommandRefused);
});
