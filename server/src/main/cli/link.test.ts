import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPool } from '#platform/database/index.ts';
import { createOwnerDatabase, type OwnerDatabase } from '#platform/database/owner-database.ts';
import { addUser, cookieOf, logIn, PASSWORT, registerAccount } from '#test/account.ts';
import { startService, type TestService } from '#test/service.ts';
import { COMMANDS } from './commands.ts';

const WHO = 'Kommandozeile (test)';
const NEW = 'ein-neues-passwort';

let service: TestService;
let owner: OwnerDatabase;
beforeAll(async () => {
  service = await startService({ BASE_URL: 'https://zaehlwerk.example', NODE_ENV: 'production' });
  const options = { connection: service.connection, max: 1, statementTimeout: 30_000, name: 'test' };
  owner = createOwnerDatabase(createPool(options, service.context.log));
});
afterAll(async () => {
  await owner.close();
  await service.stop();
});

/** Runs the command as it stands in the list; resolves with what it prints. */
async function run(...args: string[]): Promise<string[]> {
  const printed: string[] = [];
  const akteur = { art: 'betreiber' as const, id: null, name: WHO, adresse: null };
  const print = (line: string) => void printed.push(line);
  const command = COMMANDS.find(({ name }) => name === 'link');
  await command?.run({ ...service.context, owner, akteur, print }, args);
  return printed;
}
const post = (url: string, payload: object, cookie = '') =>
  service.app.inject({ method: 'POST', url, payload, headers: { cookie } });
const tokenIn = (lines: string[], path: string) => {
  expect(lines[1]).toMatch(new RegExp(`^https://zaehlwerk\\.example/${path}\\?token=[\\w-]{43}$`));
  return (lines[1] as string).replace(/^.*=/, '');
};
const entriesOf = (id: string) =>
  service.sql(
    `SELECT mandant_id, akteur_art, akteur_name, aktion FROM pruefprotokoll WHERE objekt_id = $1 AND aktion LIKE '%link_ausgegeben'`,
    [id],
  );

describe('link passwort', () => {
  it('lets a user set a password, without a mail; the link before ends', async () => {
    const account = await registerAccount(service);
    const mails = (await service.mails()).length;
    const first = tokenIn(await run('passwort', account.email), 'passwort-neu');
    const printed = await run('passwort', account.email.toUpperCase());
    expect(printed[0]).toContain(`${account.email} (Muster GmbH)`);
    const second = tokenIn(printed, 'passwort-neu');
    expect((await post('/v1/passwort/neu', { token: first, passwort: NEW })).statusCode).toBe(404);
    expect((await post('/v1/passwort/neu', { token: second, passwort: NEW })).statusCode).toBe(200);
    expect((await logIn(service, account.email, NEW)).statusCode).toBe(200);
    expect(await service.mails()).toHaveLength(mails);
    const entry = { mandant_id: account.mandantId, akteur_art: 'betreiber', akteur_name: WHO };
    expect(await entriesOf(account.benutzerId)).toEqual([
      { ...entry, aktion: 'passwort.link_ausgegeben' },
      { ...entry, aktion: 'passwort.link_ausgegeben' },
    ]);
  });

  it('makes none for who may not sign in', async () => {
    const user = await addUser(service, await registerAccount(service), 'betrachter');
    await service.sql('UPDATE benutzer SET aktiv = false WHERE benutzer_id = $1', [user.benutzerId]);
    for (const email of [user.email, 'niemand@example.org'])
      await expect(run('passwort', email)).rejects.toThrow(`Zu „${email}“ gibt es keinen aktiven Benutzer.`);
    expect(await entriesOf(user.benutzerId)).toEqual([]);
  });
});

describe('link bestaetigung', () => {
  it('confirms the address of a user who has registered', async () => {
    const email = `${randomUUID()}@example.org`;
    const registered = await post('/v1/registrieren', { firma: 'Muster GmbH', email, passwort: PASSWORT });
    const cookie = cookieOf(registered);
    const token = tokenIn(await run('bestaetigung', email), 'email-bestaetigen');
    expect((await post('/v1/email/bestaetigen', { token }, cookie)).statusCode).toBe(200);
    expect(await run('bestaetigung', email)).toEqual([
      `Die Adresse ${email} (Muster GmbH) ist schon bestätigt; es bleibt alles, wie es ist.`,
    ]);
    expect(await entriesOf(registered.json().benutzer.benutzer_id)).toHaveLength(1);
  });
});

describe('link einladung', () => {
  const invite = async (email: string) => {
    const account = await registerAccount(service);
    const answer = await post('/v1/cockpit/benutzer/einladen', { email }, account.cookie);
    expect(answer.statusCode).toBe(200);
    return { ...account, einladungId: answer.json().einladung_id as string };
  };

  it('is accepted in place of the one in the mail', async () => {
    const email = `${randomUUID()}@example.org`;
    const { einladungId } = await invite(email);
    const mailed = /token=([\w-]{43})/.exec((await service.mails()).at(-1)?.text ?? '')?.[1];
    const token = tokenIn(await run('einladung', email), 'einladung');
    const accept = (each: unknown) =>
      post('/v1/einladung/annehmen', { token: each, name: 'Bernd', passwort: PASSWORT });
    expect((await accept(mailed)).statusCode).toBe(404);
    expect((await accept(token)).statusCode).toBe(200);
    expect(await entriesOf(einladungId)).toMatchObject([{ aktion: 'einladung.link_ausgegeben' }]);
    await expect(run('einladung', email)).rejects.toThrow('keine offene Einladung');
  });

  it('asks which one where several invite, and makes none that has expired', async () => {
    const email = `${randomUUID()}@example.org`;
    const [one, other] = [await invite(email), await invite(email)];
    await expect(run('einladung', email)).rejects.toThrow(`link einladung ${email} ${other.mandantId}`);
    tokenIn(await run('einladung', email, one.mandantId), 'einladung');
    await service.sql(`UPDATE einladungen SET gueltig_bis = now() - interval '1 s' WHERE mandant_id = $1`, [
      one.mandantId,
    ]);
    tokenIn(await run('einladung', email), 'einladung');
    await expect(run('einladung', email, one.mandantId)).rejects.toThrow('keine offene Einladung');
  });
});

it('says what is wrong', async () => {
  await expect(run('passwort', 'keine-adresse')).rejects.toThrow('keine E-Mail-Adresse');
  await expect(run('irgendwas', 'a@example.org')).rejects.toThrow('keine Art von Link');
  await expect(run('einladung', 'a@example.org', 'x')).rejects.toThrow('keine Mandanten-Id');
});
