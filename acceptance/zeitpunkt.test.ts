/** Back to an instant of today, as the operator does it when the disk of the database is gone. */
import { execFile } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Ereignis } from '#client/index.ts';
import { comparable, GROUPS, sumsOfEvents } from '#test/event-sums.ts';
import { type Account, accountAt, createAccount } from '#test/outside-account.ts';
import { COMPILED, untilGone } from '#test/processes.ts';
import { createRandom } from '#test/random.ts';
import { createServiceProcess, type ServiceProcess } from '#test/service-process.ts';
import { until } from '#test/until.ts';

const CLI = resolve(import.meta.dirname, '../server/src/main/cli.ts');
const DAY = 86_400_000;
const random = createRandom(7);

let root: string;
let archive: string;
let service: ServiceProcess;
let account: Account;
const others: ServiceProcess[] = [];

function serviceIn(name: string, env: Record<string, string> = {}): ServiceProcess {
  const each = createServiceProcess({ DATA_DIR: join(root, name), ...env });
  others.push(each);
  return each;
}

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'zw-zeitpunkt-'));
  chmodSync(root, 0o711);
  archive = join(root, 'archiv');
  mkdirSync(archive);
  service = serviceIn('daten', { WAL_ARCHIV: archive });
  await service.start();
  account = await createAccount(service);
});
afterAll(async () => {
  for (const each of others) await each.dispose();
  rmSync(root, { recursive: true, force: true });
});

interface Ended {
  code: unknown;
  stdout: string;
  stderr: string;
}
const runCli = (dataDir: string, env: Record<string, string>, ...args: string[]): Promise<Ended> =>
  new Promise((done) => {
    const options = { env: { PATH: process.env.PATH, ...COMPILED, DATA_DIR: dataDir, ...env } };
    execFile(process.execPath, [CLI, ...args], options, (error, stdout, stderr) =>
      done({ code: error?.code ?? 0, stdout, stderr }),
    );
  });

const event = (agent: string): Ereignis => ({
  ereignis_id: random.uuid(),
  zeitpunkt: new Date(Date.now() - random.below(5 * DAY)).toISOString(),
  anbieter: 'openai',
  modell: 'gpt-4.1',
  agent,
  eingabe_token: random.below(1_000_000),
  ausgabe_token: random.below(10_000),
});
async function send(to: Account, agent: string, count: number): Promise<void> {
  expect((await to.send(Array.from({ length: count }, () => event(agent)))).status).toBe(202);
  await to.untilNothingWaits();
}

/** As after `archive_timeout`: what was committed is in the archive. */
async function untilArchived(): Promise<void> {
  const socket = join(service.dataDir, 'postgres');
  const client = new pg.Client({ host: socket, user: 'zaehlwerk_system', database: 'postgres' });
  await client.connect();
  const { rows } = await client
    .query<{ name: string }>('SELECT pg_walfile_name(pg_switch_wal() - 1) AS name')
    .finally(() => client.end());
  const [system = ''] = readdirSync(archive);
  const path = join(archive, system, 'wal', `${rows[0]?.name}.zst`);
  await until('the log to be archived', () => existsSync(path));
}

async function part(): Promise<{ status: string; zuletzt: string | null } | undefined> {
  const answer = (await (await fetch(`${service.address()}/v1/status`)).json()) as {
    komponenten: { name: string; status: string; zuletzt: string | null }[];
  };
  return answer.komponenten.find(({ name }) => name === 'sicherung');
}

async function checkSums(there: Account, at: ServiceProcess): Promise<void> {
  const window = `von=${new Date(Date.now() - 25 * DAY).toISOString()}&bis=${new Date(Date.now() + DAY).toISOString()}`;
  for (const gruppe of GROUPS)
    expect(comparable(await there.verbrauch(`?gruppe=${gruppe}&${window}`))).toEqual(
      await sumsOfEvents(at, there.mandantId, gruppe),
    );
}

/** Puts the key that is kept apart in place. */
function dataDirWithKey(name: string): string {
  mkdirSync(join(root, name));
  copyFileSync(join(root, 'schluessel.key'), join(root, name, 'schluessel.key'));
  return join(root, name);
}

test('after the loss of the disk there is what was there at the instant, with sums that are equal', async () => {
  copyFileSync(join(service.dataDir, 'schluessel.key'), join(root, 'schluessel.key'));
  await until('the status to miss a base', async () => (await part())?.status === 'eingeschränkt');
  await send(account, 'vor-der-grundlage', 30);
  const made = await runCli(service.dataDir, { WAL_ARCHIV: archive }, 'sicherung', '--grundlage');
  expect(made).toMatchObject({ code: 0, stderr: '' });
  await send(account, 'davor', 40);
  const instant = new Date().toISOString();
  await send(account, 'danach', 50);
  await untilArchived();
  await until('the status to be well', async () => (await part())?.status === 'ok');
  expect(Date.parse((await part())?.zuletzt ?? '')).toBeGreaterThan(Date.parse(instant));
  const metrics = await (await fetch(`${service.address()}/metrics`)).text();
  expect(metrics).toMatch(/^zaehlwerk_wal_archive_age_seconds [0-9.]+$/m);
  expect(metrics).toMatch(/^zaehlwerk_wal_archive_failing 0$/m);
  expect(service.errors()).toEqual([]);

  const inUse = await runCli(service.dataDir, {}, 'wiederherstellung-bis', instant, archive);
  expect(inUse.stderr).toContain('wird schon von einem laufenden Dienst benutzt');
  const postmaster = service.postmaster() as number;
  await service.stop('SIGKILL');
  process.kill(postmaster, 'SIGKILL');
  await untilGone(postmaster);
  rmSync(service.dataDir, { recursive: true, force: true });

  const back = await runCli(dataDirWithKey('neu'), {}, 'wiederherstellung-bis', instant, archive);
  expect(back).toMatchObject({ code: 0, stderr: '' });
  const there = serviceIn('neu');
  await there.start();
  const mine = accountAt(there, account);
  await mine.untilNothingWaits();
  expect(await mine.counted()).toBe(70);
  await checkSums(mine, there);
  const agents = await there.sql('SELECT DISTINCT agent FROM ereignisse ORDER BY 1');
  expect(agents).toEqual([{ agent: 'davor' }, { agent: 'vor-der-grundlage' }]);
  const noted = `SELECT aktion, nachher->>'bis' AS bis FROM betreiberprotokoll WHERE aktion ~ '^datenbank' ORDER BY zeitpunkt DESC LIMIT 1`;
  expect(await there.sql(noted)).toEqual([{ aktion: 'datenbank.wiederhergestellt', bis: instant }]);
  await send(mine, 'seither', 10);
  expect(await mine.counted()).toBe(80);
  expect(there.errors()).toEqual([]);
});

test('all that the archive has goes on in the archive', async () => {
  const env = { WAL_ARCHIV: archive };
  const dataDir = dataDirWithKey('weiter');
  expect(await runCli(dataDir, env, 'wiederherstellung-bis', 'ende')).toMatchObject({ code: 0, stderr: '' });
  const there = serviceIn('weiter', env);
  await there.start();
  const mine = accountAt(there, account);
  await mine.untilNothingWaits();
  expect(await mine.counted()).toBe(120);
  await checkSums(mine, there);
  const next = await runCli(dataDir, env, 'sicherung', '--grundlage', '--grundlagen', '1');
  expect(next).toMatchObject({ code: 0, stderr: '' });
  expect(next.stdout).toContain('Entfernt: zaehlwerk-');
  expect(there.errors()).toEqual([]);
});

test('what cannot be done is said in a sentence', async () => {
  const to = (dataDir: string, ...args: string[]) => runCli(dataDir, {}, 'wiederherstellung-bis', ...args);
  const empty = dataDirWithKey('leer');
  const sentences = [
    [await to(empty, 'gestern', archive), 'ist kein Zeitpunkt wie'],
    [await to(empty, '2999-01-01T00:00:00Z', archive), 'liegt in der Zukunft'],
    [await to(empty, 'ende'), 'Bitte nennen Sie das Archiv'],
    [await to(empty, '2020-01-01T00:00:00Z', archive), 'reicht nur bis'],
    [await to(empty, 'ende', root), 'liegt keine Grundlage'],
    [await to(join(root, 'ohne-schluessel'), 'ende', archive), 'Der Schlüssel für Geheimnisse fehlt'],
    [await to(join(root, 'neu'), 'ende', archive), 'benutzt'],
    [await runCli(empty, {}, 'sicherung', '--grundlage'), 'WAL_ARCHIV ist nicht gesetzt'],
  ] as const;
  for (const [{ code, stderr }, sentence] of sentences) {
    expect(stderr).toContain(sentence);
    expect(code).toBe(1);
  }
});
