/** CPU of a call of two accounts on the same service in short windows in turn: what else happens to the machine happens to both of them. */
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Batch } from './events.ts';
import { flood } from './flood.ts';
import { median, quantile, round } from './ingest.ts';
import type { BenchAccount, BenchService } from './service.ts';

const CONNECTIONS = 8;
/** Calls a second, a fifth of what can be counted, and of a window. */
const PER_SECOND = 2_000;
const WINDOW = 3_000;

/** An account that sends calls, and how many it has sent. */
export interface SendingAccount extends BenchAccount {
  next: () => Batch;
  sent: number;
}

const LEFT = `SELECT coalesce((SELECT ereignisse_gesamt FROM zaehlstaende WHERE mandant_id = $1), 0)::float8 AS counted,
  (SELECT count(*) FROM zaehlmarken WHERE mandant_id = $1)::int AS marks`;

/** Waits until all that was sent is counted and looked at. */
async function waitUntilLookedAt(client: pg.Client, { mandant, sent }: SendingAccount): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ counted: number; marks: number }>(LEFT, [mandant]);
    if (rows[0] && rows[0].counted >= sent && rows[0].marks === 0) return;
    await delay(50);
  }
}

/** Sends `calls` of an account at a pace, and waits until they are counted and looked at. */
export async function sendUntilCounted(
  service: BenchService,
  client: pg.Client,
  account: SendingAccount,
  calls: number,
  perSecond: number,
): Promise<void> {
  const start = performance.now();
  let begun = 0;
  await flood(service, {
    connections: CONNECTIONS,
    isOver: () => begun >= calls,
    maySend: () => begun < calls && begun / perSecond <= (performance.now() - start) / 1_000,
    next: () => {
      const batch = account.next();
      begun += batch.events;
      return batch;
    },
    onAccepted: (events) => {
      account.sent += events;
    },
    key: () => account.key,
  });
  await waitUntilLookedAt(client, account);
}

/** The CPU of a call in microseconds, of the service and its connections to the database. */
async function measureWindow(
  service: BenchService,
  client: pg.Client,
  account: SendingAccount,
): Promise<number> {
  const [before, spent] = [account.sent, await service.cpuOfWork()];
  await sendUntilCounted(service, client, account, WINDOW, PER_SECOND);
  return (((await service.cpuOfWork()) - spent) * 1e6) / (account.sent - before);
}

/** Pairs of windows, every other one the other way round, and a ratio for each of them. */
export async function measureInTurns(
  service: BenchService,
  client: pg.Client,
  accounts: Record<'with' | 'without', SendingAccount>,
  pairs: number,
) {
  const cpu = { without: [] as number[], with: [] as number[] };
  for (let pair = 0; pair < pairs; pair += 1) {
    const turns = pair % 2 === 0 ? (['without', 'with'] as const) : (['with', 'without'] as const);
    for (const turn of turns) cpu[turn].push(await measureWindow(service, client, accounts[turn]));
  }
  const ratios = cpu.with.map((value, pair) => value / (cpu.without[pair] as number));
  // The median lies within these with 95 %: order statistics around the middle one.
  const places = Math.sqrt(pairs) / pairs;
  return {
    pairs,
    calls_of_a_window: WINDOW,
    cpu_us_per_call: { without: round(median(cpu.without)), with: round(median(cpu.with)) },
    /** Of the pairs: the middle one, and between which half of them lie. */
    ratio: round(median(ratios)),
    half_between: [quantile(ratios, 0.25), quantile(ratios, 0.75)],
    certain_between: [quantile(ratios, 0.5 - places), quantile(ratios, 0.5 + places)],
  };
}
