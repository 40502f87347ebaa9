/** Back to any instant after a base, on the real server; what does not lead there is refused, and changes nothing. */
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { copyData } from '#test/data-template.ts';
import { isWhole } from '#test/depth.ts';
import { until } from '#test/until.ts';
import { createLog } from '../../log.ts';
import { BackupRefused } from '../backup/manifest.ts';
import { type EmbeddedDatabase, startEmbedded } from '../embedded/server.ts';
import { type Archive, readArchiveFiles, recoverTo, rotateArchive, type Until, writeBase } from './index.ts';
import { placeOf } from './place.ts';

const log = createLog('fatal');
let root: string;
let dataDir: string;
let archive: Archive;
let database: EmbeddedDatabase;
/** Instants, and which numbers were there. */
const marks: { at: Date; numbers: number[] }[] = [];
let names = 0;
const started: EmbeddedDatabase[] = [];

async function start(directory: string, into: Archive | null = archive): Promise<EmbeddedDatabase> {
  const embedded = await startEmbedded(directory, log, into);
  started.push(embedded);
  return embedded;
}

async function query<T extends pg.QueryResultRow>(
  { connection }: Pick<EmbeddedDatabase, 'connection'>,
  text: string,
  user = 'zaehlwerk',
): Promise<T[]> {
  const client = new pg.Client({ ...connection, user });
  client.on('error', () => undefined);
  await client.connect();
  return client
    .query<T>(text)
    .then(({ rows }) => rows)
    .finally(() => client.end());
}

const place = (directory = dataDir) => placeOf(archive.folder, join(directory, 'postgres'));
const logFiles = () => readdirSync(place().log).sort();
const segments = () => logFiles().filter((name) => /^[0-9A-F]{24}\.zst$/.test(name));
const numbersIn = async (on: EmbeddedDatabase): Promise<number[]> =>
  (await query<{ n: number }>(on, 'SELECT n FROM zahlen ORDER BY n')).map(({ n }) => n);

/** Begins a new segment, and waits until the one before is in the archive. An instant is found by a transaction after it. */
async function switchLog(on = database): Promise<void> {
  await query(on, 'SELECT pg_current_xact_id()');
  const [row] = await query<{ name: string }>(
    on,
    'SELECT pg_walfile_name(pg_switch_wal() - 1) AS name',
    'zaehlwerk_system',
  );
  await until('the archive', () => existsSync(join(place().log, `${row?.name}.zst`)));
}

/** One number more, and the instant after it. */
async function mark(on = database): Promise<void> {
  await query(on, 'INSERT INTO zahlen SELECT count(*) FROM zahlen');
  const [row] = await query<{ at: Date }>(on, `SELECT clock_timestamp() + interval '1 ms' AS at`);
  await new Promise((done) => setTimeout(done, 5));
  marks.push({ at: row?.at as Date, numbers: await numbersIn(on) });
}

function makeBase(on = database, directory = dataDir) {
  names += 1;
  const name = `zaehlwerk-${names}`;
  return writeBase({ connection: on.connection, dataDir: directory, archive, name, version: '0.1.0' });
}

interface Wish {
  secretKey?: Buffer | 'unsigned';
  timeline?: number;
  archive?: Archive | null;
}
const fresh = () => mkdtempSync(join(root, 'neu-'));
async function recover(to: Until, wish: Wish = {}, directory = fresh()) {
  const options = { folder: archive.folder, until: to, dataDir: directory, log };
  const recovered = await recoverTo({
    ...options,
    archive: wish.archive ?? null,
    timeline: wish.timeline ?? null,
    secretKey: wish.secretKey ?? archive.secretKey,
  });
  return { directory, ...recovered };
}

/** What is in the database of an instant. */
async function numbersAt(to: Until, wish: Wish = {}): Promise<number[]> {
  const { directory } = await recover(to, wish);
  const there = await start(directory, null);
  return numbersIn(there).finally(() => there.stop());
}

async function refusal(to: Until, wish: Wish = {}): Promise<string> {
  const directory = fresh();
  const error = await recover(to, wish, directory).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(BackupRefused);
  expect(readdirSync(directory)).toEqual([]);
  return (error as Error).message;
}

/** Takes a file away for as long as the work lasts. */
async function without<T>(path: string, work: () => Promise<T>): Promise<T> {
  renameSync(path, `${path}.weg`);
  return work().finally(() => renameSync(`${path}.weg`, path));
}

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'zw-archiv-'));
  // PostgreSQL works as another user when this runs as root, and a quote and a per cent sign are nothing special.
  chmodSync(root, 0o711);
  dataDir = join(root, 'daten');
  archive = { folder: join(root, `d'Archiv 100%f`), secretKey: randomBytes(32) };
  mkdirSync(archive.folder);
  database = await start(dataDir);
  await query(database, 'CREATE TABLE zahlen (n integer PRIMARY KEY)');
  expect(await readArchiveFiles(dataDir, archive.folder)).toEqual({ newestBase: null });
  await makeBase();
  for (let nr = 0; nr < 3; nr += 1) {
    await mark();
    await switchLog();
  }
});
afterAll(async () => {
  for (const each of started) await each.stop();
  rmSync(root, { recursive: true, force: true });
});

/** Each puts data files back and starts a server there; the first test does what all of them rely on. */
const inWhole = test.runIf(isWhole);

test('any instant after the base has what was committed by then, and nothing later', async () => {
  expect(marks.map(({ numbers }) => numbers.length)).toEqual([1, 2, 3]);
  for (const { at, numbers } of marks.slice(isWhole ? 0 : 1, 2)) expect(await numbersAt(at)).toEqual(numbers);
  expect(await numbersAt('ende')).toEqual(marks[2]?.numbers);
});

test('what is in the archive is closed to others', () => {
  const modes = (directory: string) =>
    readdirSync(directory, { recursive: true, withFileTypes: true }).map((entry) => {
      const mode = statSync(join(entry.parentPath, entry.name)).mode & 0o077;
      return entry.isDirectory() ? mode & 0o066 : mode;
    });
  expect(new Set([...modes(place().bases), ...modes(place().log)])).toEqual(new Set([0]));
  for (const directory of [place().bases, place().log]) expect(statSync(directory).mode & 0o777).toBe(0o700);
});

inWhole(
  'an instant that the archive does not have is refused, with the one it reaches to',
  async () => {
    expect(await refusal(new Date(Date.now() - 86_400_000))).toMatch(
      /Das Archiv reicht nur bis \S+Z zurück\./,
    );
    await mark();
    const beyond = marks.at(-1)?.at as Date;
    expect(await refusal(beyond)).toMatch(
      /Das Archiv reicht nur bis \S+Z\. Alles, was es hat, bringt „ende“/,
    );
    await switchLog();
    await mark();
    await switchLog();
    expect(await numbersAt(beyond)).toEqual(marks.at(-2)?.numbers);
  },
  300_000,
);

inWhole(
  'a gap is refused for what lies behind it, and nothing before it',
  async () => {
    const between = segments().at(-2) as string;
    await without(join(place().log, between), async () => {
      expect(await refusal('ende')).toContain(`Im Archiv fehlt „${between.slice(0, 24)}“`);
      expect(await refusal(marks.at(-1)?.at as Date)).toContain(`Im Archiv fehlt „${between.slice(0, 24)}“`);
      expect(await numbersAt(marks[0]?.at as Date)).toEqual([0]);
      expect(await readArchiveFiles(dataDir, archive.folder)).toEqual({ newestBase: null });
    });
    expect((await readArchiveFiles(dataDir, archive.folder)).newestBase).not.toBeNull();
  },
  300_000,
);

test('what was changed, or signed by nobody of ours, is refused', async () => {
  const [base = ''] = readdirSync(place().bases);
  expect(await refusal('ende', { secretKey: randomBytes(32) })).toContain('unterschrieben');
  const part = join(place().bases, base, 'daten/PG_VERSION.zst');
  await without(part, async () => expect(await refusal('ende')).toContain('fehlt „daten/PG_VERSION.zst“'));
  await without(part, async () => {
    writeFileSync(part, 'nichts');
    expect(await refusal('ende')).toContain('beschädigt: „daten/PG_VERSION.zst“');
  });
  const [first = ''] = segments().slice(-2);
  const path = join(place().log, first);
  await without(path, async () => {
    writeFileSync(path, randomBytes(1_000));
    expect(await refusal('ende')).toContain(`ist „${first}“ beschädigt oder nicht von dieser Installation`);
  });
  if (isWhole) expect(await numbersAt('ende', { secretKey: 'unsigned' })).toEqual(marks.at(-1)?.numbers);
});

test('data files that are there are never touched', async () => {
  const pid = database.pid();
  await expect(recover('ende', {}, dataDir)).rejects.toThrow('liegt schon eine Datenbank');
  expect(database.pid()).toBe(pid);
  expect(await numbersIn(database)).toEqual(marks.at(-1)?.numbers);
});

inWhole(
  'a server that dies while a base is made, or its log is archived, leaves no base and goes on',
  async () => {
    const before = readdirSync(place().bases);
    const making = makeBase();
    making.catch(() => undefined);
    await until('the copy to begin', () =>
      readdirSync(place().bases).some((name) => name.includes('.unfertig-')),
    );
    const pid = database.pid() as number;
    process.kill(pid, 'SIGKILL');
    await expect(making).rejects.toThrow();
    expect(readdirSync(place().bases)).toEqual(before);
    await until('a new server', () => database.pid() !== pid && numbersIn(database));
    // What a command that was killed leaves behind is in nobody's way.
    await query(database, 'SELECT pg_switch_wal()', 'zaehlwerk_system');
    const next = database.pid() as number;
    process.kill(next, 'SIGKILL');
    await until('a new server', () => database.pid() !== next && numbersIn(database));
    await mark();
    await switchLog();
    expect(await numbersAt('ende')).toEqual(marks.at(-1)?.numbers);
  },
  300_000,
);

inWhole(
  'it goes on from an instant on a line of its own, and both can be gone back to',
  async () => {
    const { at, numbers } = marks[1] as (typeof marks)[number];
    const { directory } = await recover(at, { archive });
    expect(logFiles()).toContain('00000002.history.zst');
    const there = await start(directory);
    await mark(there);
    const ours = marks.pop();
    await switchLog(there);
    expect(await numbersAt('ende')).toEqual(ours?.numbers);
    expect(ours?.numbers).toHaveLength(numbers.length + 1);
    // Another instant of before lies on the line that was left, though there is a later one.
    const left = marks.at(-1) as (typeof marks)[number];
    expect(await numbersAt(left.at)).toEqual(left.numbers.filter((n) => n < left.numbers.length));
    expect(await numbersAt('ende', { timeline: 1 })).toEqual(left.numbers);
    await there.stop();
  },
  300_000,
);

inWhole(
  'rotation keeps the newest bases with their log, and what is not ours',
  async () => {
    await makeBase();
    const stranger = join(place().log, 'notiz.txt');
    writeFileSync(stranger, 'bleibt');
    mkdirSync(join(place().bases, 'fremd'));
    const { removed, damaged } = await rotateArchive(dataDir, archive, 1);
    expect({ removed, damaged }).toEqual({ removed: ['zaehlwerk-1'], damaged: [] });
    expect(readdirSync(place().bases).sort()).toEqual(['fremd', `zaehlwerk-${names}`]);
    expect(logFiles()).toContain('notiz.txt');
    expect(segments().length).toBeLessThan(4);
    expect(await refusal(marks[0]?.at as Date)).toContain('reicht nur bis');
    await mark();
    await switchLog();
    expect(await numbersAt('ende', { timeline: 1 })).toEqual(marks.at(-1)?.numbers);
  },
  300_000,
);

test('another file under the name of one is refused and stays, and the log is held back', async () => {
  const [row] = await query<{ name: string }>(
    database,
    'SELECT pg_walfile_name(pg_current_wal_lsn()) AS name',
  );
  const path = join(place().log, `${row?.name}.zst`);
  writeFileSync(path, 'etwas anderes');
  await query(database, 'INSERT INTO zahlen SELECT count(*) FROM zahlen');
  await query(database, 'SELECT pg_switch_wal()', 'zaehlwerk_system');
  await until('the failure to be counted', async () => {
    const [found] = await query<{ failed: string }>(
      database,
      'SELECT failed_count AS failed FROM pg_stat_archiver',
    );
    return Number(found?.failed) > 0;
  });
  expect(statSync(path).size).toBe('etwas anderes'.length);
  expect(existsSync(join(dataDir, 'postgres/pg_wal', row?.name as string))).toBe(true);
  await expect(makeBase()).rejects.toThrow('nimmt nichts an');
});

test('a service that does not archive has no base made', async () => {
  const directory = fresh();
  copyData(inject('dataTemplate'), directory);
  const elsewhere = await start(directory, null);
  await expect(makeBase(elsewhere, directory)).rejects.toThrow('archiviert nicht nach WAL_ARCHIV');
  await elsewhere.stop();
});
