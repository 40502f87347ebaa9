/** The command line as a process of its own, on the database of the service. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parseConfig } from '#platform/config.ts';
import { createLog } from '#platform/log.ts';
import { type Account, addUser, registerAccount } from '#test/account.ts';
import { putSso, type SsoService, startSsoService } from '#test/company-account.ts';
import { addressOf } from '#test/database.ts';
import { isWhole } from '#test/depth.ts';
import { COMPILED } from '#test/processes.ts';
import { openDatabase } from './database.ts';

const CLI = join(import.meta.dirname, 'cli.ts');
const WHO = `Kommandozeile (${userInfo().username})`;

let service: SsoService;
let account: Account;
let dataDir: string;
beforeAll(async () => {
  service = await startSsoService();
  dataDir = mkdtempSync(join(tmpdir(), 'zw-cli-'));
});
afterAll(async () => {
  await service.stop();
  rmSync(dataDir, { recursive: true, force: true });
});
beforeEach(async () => {
  account = await registerAccount(service);
});

async function runCli(args: string[], env: Record<string, string>) {
  const child = spawn(process.execPath, [CLI, ...args], {
    env: { PATH: process.env.PATH, ...COMPILED, ...env },
  });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { code, stdout, stderr };
}

/** Runs a command on the database of the test's service. */
function run(args: string[], env: Record<string, string> = {}) {
  return runCli(args, { DATABASE_URL: addressOf(service.connection), DATA_DIR: dataDir, ...env });
}

const ich = async ({ cookie }: Account) =>
  (await service.app.inject({ url: '/v1/ich', headers: { cookie } })).json();

const entries = (aktion: string, { mandantId } = account) =>
  service.sql(
    `SELECT akteur_art, akteur_id, akteur_name, objekt_id, vorher, nachher FROM pruefprotokoll
     WHERE mandant_id = $1 AND aktion = $2`,
    [mandantId, aktion],
  );

/** What commands do is seen in `cli/` as well, in this process; that each one answers from its own is for the whole suite. */
const inWhole = it.runIf(isWhole);

describe('ernennen and entlassen', () => {
  it('make a user an operator and take it back, end the sessions and write it down', async () => {
    const user = await addUser(service, account, 'betrachter');
    const named = await run(['ernennen', user.email.toUpperCase()]);
    expect(named).toEqual({
      code: 0,
      stdout: `${user.email} (Muster GmbH) ist jetzt Betreiber; alle Sitzungen wurden beendet.\n`,
      stderr: '',
    });
    expect(await ich(user)).toMatchObject({ code: 'nicht_angemeldet' });
    const again = await addUserSession(user);
    expect((await ich(again)).benutzer.betreiber).toBe(true);
    const same = await run(['ernennen', user.email]);
    expect(same.stdout).toBe(`${user.email} (Muster GmbH) war schon Betreiber.\n`);
    expect((await ich(again)).benutzer.betreiber).toBe(true);
    const dismissed = await run(['entlassen', user.email], { BETREIBER_EMAILS: user.email });
    expect(dismissed.code).toBe(0);
    expect(dismissed.stdout).toBe(
      `${user.email} (Muster GmbH) ist nicht mehr Betreiber; alle Sitzungen wurden beendet.\n` +
        'Die Adresse steht noch in BETREIBER_EMAILS: Beim nächsten Start wird der Benutzer wieder Betreiber.\n',
    );
    expect(await ich(again)).toMatchObject({ code: 'nicht_angemeldet' });
    expect((await ich(await addUserSession(user))).benutzer.betreiber).toBe(false);
    const by = { akteur_art: 'betreiber', akteur_id: null, akteur_name: WHO, objekt_id: user.benutzerId };
    expect(await entries('betreiber.ernannt')).toEqual([
      { ...by, vorher: { betreiber: false }, nachher: { betreiber: true } },
    ]);
    expect(await entries('betreiber.entlassen')).toEqual([
      { ...by, vorher: { betreiber: true }, nachher: { betreiber: false } },
    ]);
  });

  /** The same user, signed in anew. */
  async function addUserSession(user: Account): Promise<Account> {
    const payload = { email: user.email, passwort: 'richtig-lang-genug' };
    const answer = await service.app.inject({ method: 'POST', url: '/v1/anmelden', payload });
    const [cookie] = answer.cookies;
    return { ...user, cookie: `${cookie?.name}=${cookie?.value}` };
  }

  inWhole('say in production that the second factor is missing', async () => {
    const { stdout } = await run(['ernennen', account.email], { NODE_ENV: 'production' });
    expect(stdout).toContain('Der zweite Faktor fehlt noch');
  });

  inWhole('want an active user', async () => {
    const user = await addUser(service, account, 'betrachter');
    await service.sql('UPDATE benutzer SET aktiv = false WHERE benutzer_id = $1', [user.benutzerId]);
    for (const email of [user.email, 'niemand@example.org'])
      expect(await run(['ernennen', email])).toEqual({
        code: 1,
        stdout: '',
        stderr: `Zu „${email}“ gibt es keinen aktiven Benutzer.\n`,
      });
    expect((await run(['entlassen', 'niemand@example.org'])).stderr).toBe(
      'Zu „niemand@example.org“ gibt es keinen Benutzer.\n',
    );
    expect((await run(['ernennen', 'keine-adresse'])).stderr).toBe(
      '„keine-adresse“ ist keine E-Mail-Adresse.\n',
    );
  });

  inWhole('takes the rights of a disabled operator', async () => {
    const user = await addUser(service, account, 'betrachter');
    await run(['ernennen', user.email]);
    await service.sql('UPDATE benutzer SET aktiv = false WHERE benutzer_id = $1', [user.benutzerId]);
    expect((await run(['entlassen', user.email])).stdout).toContain('nicht mehr Betreiber');
  });
});

describe('mandanten and loeschbelege', () => {
  it('show every Mandant, and when the data of a cancelled one may be removed', async () => {
    const gone = await registerAccount(service, 'Weg\nGmbH');
    await service.sql(
      `UPDATE mandanten SET status = 'gekündigt', gekuendigt_am = '2026-10-01T12:00:00Z' WHERE mandant_id = $1`,
      [gone.mandantId],
    );
    const { code, stdout } = await run(['mandanten']);
    expect(code).toBe(0);
    const [head, ...lines] = stdout.trimEnd().split('\n');
    expect(head).toMatch(/^ID +Firma +Status +Gekündigt am +Löschung ab$/);
    expect(lines.find((line) => line.startsWith(account.mandantId))).toMatch(/Muster GmbH +aktiv$/);
    // The clocks were put back in between.
    expect(lines.find((line) => line.startsWith(gone.mandantId))).toMatch(
      /Weg GmbH +gekündigt +2026-10-01 14:00 +2026-10-31 13:00$/,
    );
  });

  inWhole('show what was removed', async () => {
    await service.sql(
      `INSERT INTO loeschbelege VALUES (gen_random_uuid(), $1, '2026-01-01T00:00:00Z', '2026-01-31T03:43:00Z',
         '2026-01-31T03:44:00Z', '{"ereignisse": 9007199254740993, "mandanten": 1}')`,
      [account.mandantId],
    );
    const { stdout } = await run(['loeschbelege']);
    const [head, line] = stdout.split('\n');
    expect(head).toMatch(/^Mandant +Gekündigt am +Löschung begonnen +Löschung beendet +Zeilen$/);
    expect(line?.split(/ {2,}/)).toEqual([
      account.mandantId,
      '2026-01-01 01:00',
      '2026-01-31 04:43',
      '2026-01-31 04:44',
      '9007199254740994',
    ]);
  });
});

describe('domain-beweisen', () => {
  const settings = (domain: string) => ({
    issuer: 'https://login.firma.example',
    client_id: 'z',
    domains: [domain],
  });

  it('proves a claimed domain without a record', async () => {
    await putSso(service, account, settings('firma.example'));
    const answer = await run(['domain-beweisen', account.mandantId.toUpperCase(), 'Firma.Example']);
    expect(answer).toEqual({
      code: 0,
      stdout: '„firma.example“ gehört jetzt zu diesem Mandanten.\n',
      stderr: '',
    });
    const known = await service.app.inject({ url: '/v1/sso/anbieter', query: { email: 'a@firma.example' } });
    expect(known.json().vorhanden).toBe(true);
    expect(await entries('sso.domain_bewiesen')).toEqual([
      {
        akteur_art: 'betreiber',
        akteur_id: null,
        akteur_name: WHO,
        objekt_id: 'firma.example',
        vorher: { status: 'offen' },
        nachher: { status: 'bewiesen' },
      },
    ]);
  });

  inWhole('says what is wrong', async () => {
    await putSso(service, account, settings('strittig.example'));
    await run(['domain-beweisen', account.mandantId, 'strittig.example']);
    const other = await registerAccount(service);
    await putSso(service, other, settings('strittig.example'));
    const sentences = await Promise.all(
      [
        [other.mandantId, 'strittig.example'],
        [other.mandantId, 'fremd.example'],
        ['8d2b1f0e-0000-4000-8000-000000000000', 'strittig.example'],
        ['keine-id', 'strittig.example'],
        [other.mandantId, 'keine domain'],
      ].map((args) => run(['domain-beweisen', ...args])),
    );
    expect(sentences.map(({ code, stderr }) => [code, stderr.trimEnd()])).toEqual([
      [1, 'Diese Domain gehört schon zu einem anderen Konto. Bitte wenden Sie sich an den Betreiber.'],
      [1, 'Dieser Mandant hat „fremd.example“ nicht als Domain für Single Sign-on eingetragen.'],
      [1, 'Dieser Mandant hat „strittig.example“ nicht als Domain für Single Sign-on eingetragen.'],
      [1, '„keine-id“ ist keine Mandanten-Id; „mandanten“ zeigt alle.'],
      [1, '„keine domain“ ist keine Domain.'],
    ]);
  });
});

const MORE_WRONG: [string[], string][] = [
  [['ernennen'], 'Erwartet wird: ernennen <email>'],
  [['ernennen', 'a@b.de', 'c@d.de'], 'Erwartet wird: ernennen <email>'],
];

describe('the command line', () => {
  it('helps', async () => {
    for (const name of isWhole ? ['hilfe', '--help'] : ['--help']) {
      const { code, stdout } = await run([name]);
      expect(code).toBe(0);
      expect(stdout).toMatch(/ernennen <email> +macht einen Benutzer zum Betreiber/);
    }
  });

  it.each<[string[], string]>([
    [[], 'Es fehlt ein Befehl.'],
    [['ernenne'], 'Den Befehl „ernenne“ gibt es nicht.'],
    ...(isWhole ? MORE_WRONG : []),
  ])('ends with 2 for %j', async (args, sentence) => {
    const { code, stdout, stderr } = await run(args);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr.split('\n')[0]).toBe(sentence);
    expect(stderr).toContain('domain-beweisen <mandant_id> <domain>');
  });

  it.each([
    [
      'there is no server',
      { DATABASE_URL: 'postgresql://x@127.0.0.1:1/x' },
      'Die Datenbank ist nicht zu erreichen.',
    ],
    [
      'the directory is empty',
      { DATABASE_URL: '', DATA_DIR: import.meta.dirname },
      `DATA_DIR: In „${import.meta.dirname}“ liegt keine Datenbank`,
    ],
  ])('ends with 1 when %s', async (_name, env, sentence) => {
    const { code, stdout, stderr } = await run(['mandanten'], env);
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toContain(sentence);
  });

  inWhole('ends with 1 when nothing is set up yet', async () => {
    const DATABASE_URL = addressOf({ ...service.connection, database: 'postgres' });
    const { code, stderr } = await run(['mandanten'], { DATABASE_URL });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^Die Datenbank ist noch nicht eingerichtet/);
  });

  it('ends with 2 when the configuration is wrong', async () => {
    const { code, stderr } = await run(['mandanten'], { PORT: 'acht' });
    expect(code).toBe(2);
    expect(stderr).toMatch(/^PORT: /);
  });

  it('works on the embedded database, beside the service and without it', async () => {
    const env = { DATA_DIR: dataDir };
    const config = parseConfig({ ...env, LOG_LEVEL: 'silent' });
    const database = await openDatabase(config, createLog('silent'));
    try {
      expect(await runCli(['ernennen', 'niemand@example.org'], env)).toMatchObject({ code: 1 });
      expect((await runCli(['mandanten'], env)).stdout).toMatch(/^ID +Firma/);
    } finally {
      await database.stop();
    }
    expect(await runCli(['mandanten'], env)).toMatchObject({ code: 0, stderr: '' });
    // Started for the command only.
    if (isWhole) expect(await runCli(['mandanten'], env)).toMatchObject({ code: 0, stderr: '' });
  });
});
