/** Nothing acknowledged is lost and nothing is counted twice, whichever process is killed and when. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY, expectCountedOnce, randomEvent } from '#test/counted-once.ts';
import { comparable, GROUPS, sumsOfEvents } from '#test/event-sums.ts';
import { crashRounds } from '#test/fuzz.ts';
import { type Account, createAccount } from '#test/outside-account.ts';
import { signal } from '#test/processes.ts';
import { createRandom, type Random } from '#test/random.ts';
import { createServiceProcess, type ServiceProcess } from '#test/service-process.ts';
import { until } from '#test/until.ts';
import { createWriter, type Writer } from '#test/writer.ts';

const SEED = 20_261_121;
const WRITERS = 4;

let service: ServiceProcess;
let accounts: Account[];

beforeAll(async () => {
  service = createServiceProcess();
  await service.start();
  accounts = [await createAccount(service), await createAccount(service)];
});
afterAll(() => service?.dispose());

/** Kills one process that serves this service's connections; PostgreSQL then throws out all the others, too. */
async function killBackend(random: Random): Promise<void> {
  const backends = await service.sql<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE application_name ~ '^zaehlwerk-(api|counting)$' ORDER BY pid`,
  );
  if (backends.length > 0) signal(random.pick(backends).pid, 'SIGKILL');
}

function killPostmaster(): void {
  const pid = service.postmaster();
  if (pid !== null) signal(pid, 'SIGKILL');
}

async function killService(): Promise<void> {
  await service.stop('SIGKILL');
  await service.start();
}

/** The machine goes down as a whole, so to speak. */
async function killBoth(): Promise<void> {
  killPostmaster();
  await killService();
}

type Crash = (random: Random) => Promise<void> | void;
/** In turn. */
const CRASHES: readonly Crash[] = [killService, killPostmaster, killBoth, killBackend];
const ROUNDS = crashRounds(CRASHES.length);

/** Lets the writers get some batches through, then strikes while the next ones are under way. */
async function playRound(round: number, writers: Writer[], random: Random): Promise<void> {
  const acknowledged = () => writers.reduce((sum, writer) => sum + writer.acknowledged().length, 0);
  const goal = acknowledged() + 2 + random.below(25);
  await until(`batches to get through in round ${round}`, () => acknowledged() >= goal);
  await (CRASHES[round % CRASHES.length] ?? killService)(random);
  expect(service.isRunning()).toBe(true);
}

test('every acknowledged event is counted exactly once, and nothing else is', async () => {
  const random = createRandom(SEED);
  const writers = Array.from({ length: WRITERS }, (_, index) =>
    createWriter(accounts[index % 2] as Account, createRandom(SEED + index + 1), randomEvent),
  );
  for (let round = 1; round <= ROUNDS; round += 1) await playRound(round, writers, random);
  await Promise.all(writers.map((writer) => writer.finish()));

  for (const [index, account] of accounts.entries()) {
    await account.untilNothingWaits();
    const own = writers.filter((_, position) => position % 2 === index);
    expect(own.flatMap((writer) => writer.refused())).toEqual([]);
    await expectCountedOnce(service, account, own);
    const window = `von=${new Date(Date.now() - 25 * DAY).toISOString()}&bis=${new Date(Date.now() + DAY).toISOString()}`;
    for (const gruppe of GROUPS) {
      const answer = await account.verbrauch(`?gruppe=${gruppe}&${window}`);
      expect(comparable(answer)).toEqual(await sumsOfEvents(service, account.mandantId, gruppe));
    }
  }
  const left = await service.sql(
    'SELECT (SELECT count(*) FROM eingang)::int AS waiting, (SELECT count(*) FROM eingang_unzaehlbar)::int AS aside',
  );
  expect(left).toEqual([{ waiting: 0, aside: 0 }]);
});
