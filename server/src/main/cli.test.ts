/** The command line as a process of its own, on the database of the service. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it, onTestFinished } from 'vitest';
import { parseConfig } from '#platform/config.ts';
import { createLog } from '#platform/log.ts';
import { type Account, addUser, registerAccount } from '#test/account.ts';
import { copyData } from '#test/data-template.ts';
import { addressOf } from '#test/database.ts';
import { isWhole } from '#test/depth.ts';
import { COMPILED } from '#test/processes.ts';
import { startService, type TestService } from '#test/service.ts';
import { bundled } from '#test/service-bundle.ts';
import { openDatabase } from './database.ts';

const CLI = bundled('server/src/main/cli.ts');
const WHO = `Kommandozeile (${userInfo().username})`;

let service: TestService;
let account: Account;
let dataDir: string;
beforeAll(async () => {
  service = await startService();
  dataDir = mkdtempSync(join(tmpdir(), 'zw-cli-'));
});
afterAll(async () => {
  await service.stop();
  rmSync(dataDir, { recursive: true, force: true });
});
beforeEach(async () => {
  account = await registerAccount(service);
});

async function runCli(args: string[], env: Record<string, string>, program = CLI) {
  const child = spawn(process.execPath, [program, ...args], {
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

/** What commands do is seen in `cli/`, in this process; here, that they do it from their own. */
const inWhole = it.runIf(isWhole);

describe('ernennen and entlassen', () => {
  it('make a user an operator and take it back, end the session and write down who did', async () => {
    const user = await addUser(service, account, 'betrachter');
    expect(await run(['ernennen', user.email.toUpperCase()])).toEqual({
      code: 0,
      stdout: `${user.email} (Muster GmbH) ist jetzt Betreiber; alle Sitzungen wurden beendet.\n`,
      stderr: '',
    });
    expect(await ich(user)).toMatchObject({ code: 'nicht_angemeldet' });
    const dismissed = await run(['entlassen', user.email], { BETREIBER_EMAILS: user.email });
    expect(dismissed).toMatchObject({ code: 0, stderr: '' });
    expect(dismissed.stdout).toContain('Die Adresse steht noch in BETREIBER_EMAILS');
    const about = { akteur_art: 'betreiber', akteur_id: null, akteur_name: WHO, objekt_id: user.benutzerId };
    expect(await entries('betreiber.ernannt')).toMatchObject([about]);
    expect(await entries('betreiber.entlassen')).toMatchObject([about]);
  });
});

describe('mandanten', () => {
  it('shows every Mandant, and when the data of a cancelled one may be removed', async () => {
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
});

const MORE_WRONG: [string[], string][] = [
  [['ernennen'], 'Erwartet wird: ernennen <email>'],
  [['ernennen', 'a@b.de', 'c@d.de'], 'Erwartet wird: ernennen <email>'],
];

describe('the command line', () => {
  it('helps', async () => {
    for (const name of isWhole ? ['hilfe', '--help'] : ['--help']) {
      // As its users start it.
      const { code, stdout } = await runCli([name], {}, join(import.meta.dirname, 'cli.ts'));
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
    const env = { DATA_DIR: mkdtempSync(join(tmpdir(), 'zw-cli-')) };
    onTestFinished(() => rmSync(env.DATA_DIR, { recursive: true, force: true }));
    copyData(inject('dataTemplate'), env.DATA_DIR);
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
