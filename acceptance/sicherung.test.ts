/** Backup and restore as the operator of the installation does it: on the command line, while the service works and is killed. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Ereignis } from '#client/index.ts';
import { comparable, GROUPS, sumsOfEvents } from '#test/event-sums.ts';
import { type Account, accountAt, createAccount } from '#test/outside-account.ts';
import { COMPILED, postmasterOf } from '#test/processes.ts';
import { createRandom, type Random } from '#test/random.ts';
import { createServiceProcess, type ServiceProcess } from '#test/service-process.ts';
import { until } from '#test/until.ts';
import { unzip } from '#test/unzip.ts';
import { createWriter } from '#test/writer.ts';

const CLI = resolve(import.meta.dirname, '../server/src/main/cli.ts');
const DAY = 86_400_000;
const WRITERS = 3;

let service: ServiceProcess;
let account: Account;
let folder: string;
/** A whole backup, where the test that makes one has left it. */
let quiet: string;
const others: ServiceProcess[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'zw-sicherungen-'));
  service = createServiceProcess();
  await service.start();
  account = await createAccount(service);
});
afterAll(async () => {
  for (const each of [service, ...others]) await each?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

/** Where nothing is yet, also when a test is tried again. */
const freshPath = (name: string): string => join(mkdtempSync(join(folder, 'sicherung-')), name);

const envFor = ({ dataDir }: { dataDir: string }) => ({
  PATH: process.env.PATH,
  ...COMPILED,
  DATA_DIR: dataDir,
});

interface Ended {
  code: unknown;
  stdout: string;
  stderr: string;
}
const runCli = (on: { dataDir: string }, ...args: string[]): Promise<Ended> =>
  new Promise((done) => {
    execFile(process.execPath, [CLI, ...args], { env: envFor(on) }, (error, stdout, stderr) =>
      done({ code: error?.code ?? 0, stdout, stderr }),
    );
  });

/** A command that is to be killed. */
const startCli = (on: { dataDir: string }, ...args: string[]): ChildProcess =>
  spawn(process.execPath, [CLI, ...args], { env: envFor(on), stdio: 'ignore' });

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/** A service that has nothing yet, not started. */
function createOther(env: Record<string, string> = {}): ServiceProcess {
  const other = createServiceProcess(env, { fresh: true });
  others.push(other);
  return other;
}
/** The key that is kept apart, put in place. */
function putKey(other: ServiceProcess): ServiceProcess {
  copyFileSync(join(service.dataDir, 'schluessel.key'), join(other.dataDir, 'schluessel.key'));
  return other;
}

/** What was put back, with the key that is kept apart, started; the same Mandant there. */
async function startRestored(other: ServiceProcess): Promise<Account> {
  putKey(other);
  await other.start();
  const there = accountAt(other, account);
  await there.untilNothingWaits();
  return there;
}

const randomEvent = (random: Random): Ereignis => ({
  ereignis_id: random.uuid(),
  zeitpunkt: new Date(Date.now() - random.below(20 * DAY)).toISOString(),
  anbieter: 'openai',
  modell: random.pick(['gpt-4o-mini', 'gpt-4.1', 'gibt-es-nicht']),
  agent: random.pick(['alpha', 'beta/eins', 'gamma']),
  lauf_id: `00000000-0000-4000-8000-00000000000${random.below(10)}`,
  eingabe_token: random.below(1_000_000),
  ausgabe_token: random.below(10_000),
  status: random.below(8) === 0 ? 'fehler' : 'erfolgreich',
  endkunde_ref: random.pick(['kunde-1', 'kunde-2', null]),
});
const idsOf = (batches: Ereignis[][]) => new Set(batches.flat().map((event) => event.ereignis_id as string));

/** Sums of every grouping are those of the events there, to the last digit. */
async function checkSums(there: Account, at: ServiceProcess): Promise<void> {
  const window = `von=${new Date(Date.now() - 25 * DAY).toISOString()}&bis=${new Date(Date.now() + DAY).toISOString()}`;
  for (const gruppe of GROUPS) {
    const answer = await there.verbrauch(`?gruppe=${gruppe}&${window}`);
    expect(comparable(answer)).toEqual(await sumsOfEvents(at, there.mandantId, gruppe));
  }
}

test('a backup under load has everything accepted before it, once, and nothing that came after it', async () => {
  const writers = Array.from({ length: WRITERS }, (_, index) =>
    createWriter(account, createRandom(1 + index), randomEvent),
  );
  const acknowledged = () => writers.flatMap((writer) => writer.acknowledged());
  await until('batches to be taken', () => acknowledged().length >= 60);
  const before = idsOf(acknowledged());
  const directory = freshPath('unter-last');
  const made = await runCli(service, 'sicherung', directory);
  const begun = idsOf(writers.flatMap((writer) => writer.attempted()));
  expect(made).toMatchObject({ code: 0, stderr: '' });
  expect(made.stdout).toContain(`Gesichert nach ${directory}: Stand `);
  expect(made.stdout).toContain('Nicht enthalten ist der Schlüssel für Geheimnisse');
  const enough = acknowledged().length + 40;
  await until('batches to be taken after it', () => acknowledged().length >= enough);
  await Promise.all(writers.map((writer) => writer.finish()));
  expect(writers.flatMap((writer) => writer.refused())).toEqual([]);

  const other = createOther();
  const unchecked = await runCli(other, 'wiederherstellung', directory);
  expect(unchecked).toMatchObject({ code: 1, stdout: '' });
  expect(unchecked.stderr).toContain('Der Schlüssel für Geheimnisse fehlt');
  const restored = await runCli(other, 'wiederherstellung', '--ungeprueft', directory);
  expect(restored).toMatchObject({ code: 0, stderr: '' });
  expect(restored.stdout).toContain('Es fehlt der Schlüssel für Geheimnisse von damals');
  const there = await startRestored(other);
  const rows = await other.sql<{ id: string }>('SELECT ereignis_id AS id FROM ereignisse');
  const counted = new Set(rows.map(({ id }) => id));
  expect(counted.size).toBe(rows.length);
  expect(before.difference(counted)).toEqual(new Set());
  expect(counted.difference(begun)).toEqual(new Set());
  expect(idsOf(acknowledged()).difference(counted).size).toBeGreaterThan(0);
  expect(await there.counted()).toBe(rows.length);
  await checkSums(there, other);
  // It goes on from there: what was counted before is known, what came after the backup is counted when sent again.
  for (const batch of acknowledged()) expect((await there.send(batch)).status).toBe(202);
  await there.untilNothingWaits();
  expect(await there.counted()).toBe(idsOf(acknowledged()).size);
  await checkSums(there, other);
  expect(other.errors()).toEqual([]);
});

/** The files of an export as lines in an order of their own, without what asking for it leaves behind. */
async function exportOf(there: Account, at: ServiceProcess): Promise<Record<string, string[]>> {
  const answer = await fetch(`${at.address()}/v1/cockpit/export.zip`, { headers: { cookie: there.cookie } });
  expect(answer.status).toBe(200);
  const files = [...(await unzip(Buffer.from(await answer.arrayBuffer())))];
  // Asking is noted: the export in the audit log, the use of the key.
  const isKept = (line: string) => !line.includes('"daten.ausgegeben"');
  const settled = (text: string) => text.replaceAll(/"zuletzt_benutzt_am":"[^"]*"/g, '');
  return Object.fromEntries(
    files
      .filter(([name]) => !/^LIESMICH|^README/.test(name))
      .map(([name, text]) => [name, settled(text).split('\n').filter(isKept).toSorted()]),
  );
}

/** A backup during which the schedule changed nothing, and the export of then. */
async function backUpInQuiet(): Promise<{ directory: string; expected: Record<string, string[]> }> {
  const directory = freshPath('in-ruhe');
  const before = await exportOf(account, service);
  expect((await runCli(service, 'sicherung', directory)).code).toBe(0);
  const after = await exportOf(account, service);
  return isDeepStrictEqual(before, after) ? { directory, expected: after } : backUpInQuiet();
}

test('what is put back exports the same', async () => {
  await account.untilNothingWaits();
  const { directory, expected } = await backUpInQuiet();
  quiet = directory;
  expect(Object.values(expected).flat().length).toBeGreaterThan(1_000);
  // Without a schedule, which makes up for the times since the backup.
  const other = putKey(createOther({ ROLLE: 'api' }));
  expect((await runCli(other, 'wiederherstellung', directory)).code).toBe(0);
  const there = await startRestored(other);
  const found = await exportOf(there, other);
  expect(Object.keys(found)).toEqual(Object.keys(expected));
  for (const [name, lines] of Object.entries(expected)) expect(found[name], name).toEqual(lines);
  // Operators find both acts in their log; the entry about a backup is not in it.
  const noted = `SELECT aktion, objekt_name FROM betreiberprotokoll WHERE aktion ~ '^datenbank' ORDER BY zeitpunkt DESC LIMIT 1`;
  expect(await service.sql(noted)).toEqual([{ aktion: 'datenbank.gesichert', objekt_name: 'in-ruhe' }]);
  expect(await other.sql(noted)).toEqual([{ aktion: 'datenbank.wiederhergestellt', objekt_name: 'in-ruhe' }]);
  // What is sealed with the key that was kept apart can be read.
  expect((await there.look('/v1/lizenzen/sperrliste')).status).toBe(200);
});

test('a backup that is killed leaves none, and the next one clears up', async () => {
  const where = join(service.dataDir, 'sicherungen');
  const names = () => (existsSync(where) ? readdirSync(where) : []);
  const child = startCli(service, 'sicherung');
  await until('the backup to begin', () => names().some((name) => name.includes('.unfertig-')));
  await kill(child);
  expect(names().filter((name) => !name.includes('.unfertig-'))).toEqual([]);
  expect((await runCli(service, 'sicherung')).code).toBe(0);
  expect(names()).toEqual([expect.stringMatching(/^zaehlwerk-\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}Z$/)]);
  expect(service.errors()).toEqual([]);
});

test('a restore that is killed leaves nothing, and the next one does it all', async () => {
  const other = putKey(createOther());
  const child = startCli(other, 'wiederherstellung', quiet);
  const client = await until('the restore to connect', () => other.connect().catch(() => null));
  const copies = `SELECT FROM pg_stat_activity WHERE application_name = 'zaehlwerk-wiederherstellung' AND query ~ '^COPY'`;
  await until('rows to come in', async () => (await client.query(copies)).rowCount === 1);
  await kill(child);
  await client.end();
  const tables = `SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace`;
  await until('the rest to be undone', async () => (await other.sql(tables)).length === 0);
  expect((await runCli(other, 'wiederherstellung', quiet)).code).toBe(0);
  const there = await startRestored(other);
  expect(await there.counted()).toBe(await account.counted());
  await checkSums(there, other);
});

test('it is refused beside a running service, into what holds something, and from nothing', async () => {
  const inUse = await runCli(service, 'wiederherstellung', quiet);
  expect(inUse.code).toBe(1);
  expect(inUse.stderr).toContain('wird schon von einem laufenden Dienst benutzt');
  const [full] = others as [ServiceProcess];
  await full.stop('SIGTERM');
  const notEmpty = await runCli(full, 'wiederherstellung', quiet);
  expect(notEmpty).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Die Datenbank ist nicht leer.'),
  });
  const nothing = await runCli(createOther(), 'wiederherstellung', folder);
  expect(nothing).toMatchObject({ code: 1, stderr: expect.stringContaining('keine vollständige Sicherung') });
  const twice = await runCli(service, 'sicherung', quiet);
  expect(twice).toEqual({ code: 1, stdout: '', stderr: `„${quiet}“ gibt es schon.\n` });
  // A stopped service is backed up, too, and stays stopped.
  const stopped = await runCli(full, 'sicherung', freshPath('gestoppt'));
  expect(stopped).toMatchObject({ code: 0, stderr: '' });
  expect(postmasterOf(full.dataDir)).toBeNull();
});

test('as a timer does it: the newest are kept, and the status and the metrics say when the last one was', async () => {
  const where = freshPath('regelmaessig');
  const backUp = (...more: string[]) => runCli(service, 'sicherung', '--in', where, ...more);
  const status = async () => {
    const answer = (await (await fetch(`${service.address()}/v1/status`)).json()) as {
      komponenten: { name: string; status: string; zuletzt: string | null }[];
    };
    return answer.komponenten.find(({ name }) => name === 'sicherung');
  };
  const made: string[] = [];
  for (let nr = 0; nr < 3; nr += 1) {
    const done = await backUp('--behalten', '2');
    expect(done).toMatchObject({ code: 0, stderr: '' });
    made.push(...readdirSync(where).filter((name) => !made.includes(name)));
  }
  expect(readdirSync(where).sort()).toEqual(made.slice(1));
  await until('the status to say so', async () => (await status())?.status === 'ok');
  expect(Date.parse((await status())?.zuletzt ?? '')).toBeLessThan(Date.now());
  const metrics = await (await fetch(`${service.address()}/metrics`)).text();
  expect(metrics).toMatch(/^zaehlwerk_backup_age_seconds [0-9.]+$/m);
  expect(metrics).toMatch(/^zaehlwerk_backup_failing 0$/m);
  expect((await runCli(service, 'sicherung', join(where, made[2] as string))).code).toBe(1);
  await until('the status to say that it failed', async () => (await status())?.status === 'eingeschränkt');
  expect((await backUp('--behalten', 'alle')).code).toBe(1);
  expect((await backUp('--behalten')).code).toBe(2);
  expect((await backUp('--unbekannt')).code).toBe(2);
});
