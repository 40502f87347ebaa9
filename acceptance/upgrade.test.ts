/**
 * Migrations run while the former release serves: its code, from the history of the project, goes on accepting, counting, answering
 * and running jobs on the schema of today, starts on it anew, and hands over to today's.
 */
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Ereignis } from '#client/index.ts';
import { BASELINE } from '#platform/database/baseline.ts';
import { takeFaults } from '#test/answered.ts';
import { comparable, GROUPS, sumsOfEvents } from '#test/event-sums.ts';
import { type Account, accountAt, createAccount } from '#test/outside-account.ts';
import { COMPILED } from '#test/processes.ts';
import { createRandom, type Random } from '#test/random.ts';
import { createServiceProcess, type ServiceProcess } from '#test/service-process.ts';
import { until } from '#test/until.ts';
import { createWriter } from '#test/writer.ts';

const ROOT = resolve(import.meta.dirname, '..');
const DAY = 86_400_000;
const run = promisify(execFile);

/** The commit of the former release; `ZW_FORMER` names another. */
function formerCommit(): string {
  const lines = readFileSync(join(ROOT, 'docs/releases'), 'utf8').trimEnd().split('\n');
  return process.env.ZW_FORMER ?? (lines.at(-1) as string).split(' ')[1] ?? '';
}

const git = (...args: string[]): string => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' });

/** Puts the former release below `tree`; a clone without its history fails here, and says what it lacks. */
function checkOut(tree: string): void {
  try {
    git('cat-file', '-e', `${formerCommit()}^{commit}`);
  } catch {
    throw new Error('docs/releases names a commit that this history lacks');
  }
  const archive = join(tree, 'former.tar');
  git('archive', '-o', archive, formerCommit(), 'package.json', 'server', 'contracts', 'clients');
  execFileSync('tar', ['-xf', archive, '-C', tree]);
  symlinkSync(join(ROOT, 'node_modules'), join(tree, 'node_modules'));
}

const randomEvent = (random: Random): Ereignis => ({
  ereignis_id: random.uuid(),
  zeitpunkt: new Date(Date.now() - random.below(20 * DAY)).toISOString(),
  anbieter: 'openai',
  modell: random.pick(['gpt-4o-mini', 'gpt-4.1', 'gibt-es-nicht']),
  agent: random.pick(['alpha', 'beta/eins']),
  lauf_id: `00000000-0000-4000-8000-00000000000${random.below(10)}`,
  eingabe_token: random.below(1_000_000),
  ausgabe_token: random.below(10_000),
  status: random.below(8) === 0 ? 'fehler' : 'erfolgreich',
});

async function checkSums(account: Account, service: ServiceProcess): Promise<void> {
  const window = `von=${new Date(Date.now() - 25 * DAY).toISOString()}&bis=${new Date(Date.now() + DAY).toISOString()}`;
  for (const gruppe of GROUPS) {
    const answer = await account.verbrauch(`?gruppe=${gruppe}&${window}`);
    const events = await sumsOfEvents(service, account.mandantId, gruppe);
    expect(comparable(answer)).toEqual(events);
  }
}

const DAYS = {
  kept: `SELECT tag, aufrufe::text, unbepreist::text, trim_scale(kosten_eur)::text AS kosten_eur FROM verbrauch_tagesstand
    WHERE mandant_id = $1 ORDER BY tag`,
  counted: `SELECT (e.zeitpunkt AT TIME ZONE m.zeitzone)::date AS tag, count(*)::text AS aufrufe,
      count(*) FILTER (WHERE e.kosten_usd IS NULL)::text AS unbepreist, trim_scale(coalesce(sum(e.kosten_eur), 0))::text AS kosten_eur
    FROM ereignisse e JOIN mandanten m USING (mandant_id) WHERE e.mandant_id = $1 GROUP BY 1 ORDER BY 1`,
};

async function checkDays({ mandantId }: Account, service: ServiceProcess): Promise<void> {
  const counted = await service.sql(DAYS.counted, [mandantId]);
  expect(counted.length).toBeGreaterThan(1);
  expect(await service.sql(DAYS.kept, [mandantId])).toEqual(counted);
}

/** Nothing was counted that the former release would take to be in no piece. */
const checkPieces = async (service: ServiceProcess) =>
  expect(await service.sql('SELECT FROM zaehlstaende WHERE stuecke_bis <> marken')).toEqual([]);

/** What was unpacked from an archive or cloned without its history lacks the former release; a whole clone is held to it. */
const hasHistory =
  existsSync(join(ROOT, '.git')) && git('rev-parse', '--is-shallow-repository').trim() === 'false';

describe.skipIf(!hasHistory)('the former release (left out where there is no history)', () => {
  let tree: string;
  let former: ServiceProcess;
  let today: ServiceProcess;
  beforeAll(async () => {
    tree = mkdtempSync(join(tmpdir(), 'zw-vorige-'));
    checkOut(tree);
    former = createServiceProcess({}, { root: tree });
    today = createServiceProcess({ DATA_DIR: former.dataDir });
    await former.start();
  });
  afterAll(async () => {
    await former?.dispose();
    await today?.dispose();
    rmSync(tree, { recursive: true, force: true });
  });

  const numbers = async () =>
    (await former.sql<{ nummer: number }>('SELECT nummer FROM migrationen ORDER BY 1')).map(
      ({ nummer }) => nummer,
    );

  /** A job has done its work: a new Mandant has the rules it begins with. */
  const untilJobsRun = ({ mandantId }: Account) =>
    until('the job of a new Mandant', async () => {
      const sql = 'SELECT FROM regeln WHERE mandant_id = $1';
      return (await former.sql(sql, [mandantId])).length > 0;
    });

  test('serves while the schema is migrated, starts on it, and hands over', async () => {
    const account = await createAccount(former);
    const writers = [1, 2].map((seed) => createWriter(account, createRandom(seed), randomEvent));
    const acknowledged = () => writers.flatMap((writer) => writer.acknowledged());
    const more = async () => {
      const enough = acknowledged().length + 20;
      await until('batches to be taken', () => acknowledged().length >= enough);
    };
    await more();
    const before = await numbers();
    await run(process.execPath, ['server/src/main/migrate.ts'], {
      cwd: ROOT,
      env: { PATH: process.env.PATH, ...COMPILED, DATA_DIR: former.dataDir },
    });
    expect((await numbers()).length).toBeGreaterThan(before.length);

    await more();
    await untilJobsRun(await createAccount(former));
    expect(former.errors()).toEqual([]);
    // A sender gets 503 while it stops, which the log has.
    expect(await former.stop('SIGTERM')).toBe(0);
    const soFar = former.errors().length;
    await former.start();
    await more();
    await untilJobsRun(await createAccount(former));
    await Promise.all(writers.map((writer) => writer.finish()));
    expect(writers.flatMap((writer) => writer.refused())).toEqual([]);
    await account.untilNothingWaits(60_000);
    await checkSums(account, former);
    const aside = await former.sql(`SELECT FROM eingang_unzaehlbar`);
    const dead = await former.sql(`SELECT job, fehler FROM auftraege WHERE aufgegeben_am IS NOT NULL`);
    expect([aside, dead, former.errors().slice(soFar)]).toEqual([[], [], []]);

    expect(await former.stop('SIGTERM')).toBe(0);
    // What the former release answered was held against the contract of today, which may say more.
    takeFaults();
    await today.start();
    const there = accountAt(today, account);
    const ids = new Set(acknowledged().flatMap((batch) => batch.map(({ ereignis_id }) => ereignis_id)));
    expect(await there.counted()).toBe(ids.size);
    expect((await there.send([randomEvent(createRandom(9))])).status).toBe(202);
    await there.untilCounted(ids.size + 1);
    await checkSums(there, today);
    await checkDays(there, today);
    await checkPieces(today);
    expect(today.errors()).toEqual([]);
  });

  /** What takes something from code that still asks for it, or asks for more than that code gives. */
  const TAKES_AWAY =
    /\bDROP\s+(TABLE|COLUMN|FUNCTION|VIEW)\b|\bRENAME\b|\bALTER\s+(COLUMN\s+)?\w+\s+(SET\s+DATA\s+)?TYPE\b|\bSET\s+NOT\s+NULL\b/i;
  const ASKS_FOR_MORE = /\bADD\s+COLUMN\b(?=[^,;]*\bNOT\s+NULL\b)(?![^,;]*\b(DEFAULT|GENERATED)\b)/i;

  test('is taken nothing away by later migrations, unless they say what it no longer uses', () => {
    const known = new Set(git('ls-tree', '--name-only', formerCommit(), 'server/migrations/').split('\n'));
    const later = git('ls-files', '-co', '--exclude-standard', 'server/migrations')
      .split('\n')
      // The baseline is what the former release has.
      .filter((path) => Number(basename(path).slice(0, 4)) > BASELINE && !known.has(path));
    expect(later.length).toBeGreaterThan(0);
    const faults = later.filter((path) => {
      const sql = readFileSync(join(ROOT, path), 'utf8');
      if (/^-- contract: /m.test(sql)) return false;
      const statements = sql.replaceAll(/--.*$/gm, '');
      return TAKES_AWAY.test(statements) || ASKS_FOR_MORE.test(statements);
    });
    expect(faults).toEqual([]);
  });
});
