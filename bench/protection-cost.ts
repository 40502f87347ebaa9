/**
 * What protection costs ingest: CPU of a call in short windows in turn, of an account without active rules and of one with the set that every
 * Mandant begins with. Both are on the same service and send the same: agents at work within their limits. A ratio for each pair of windows
 * that follow one another, since what else happens to the machine happens to both of them.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { createAgentsAtWork } from './at-work.ts';
import type { Batch } from './events.ts';
import { flood } from './flood.ts';
import { median, quantile, round } from './ingest.ts';
import { type BenchAccount, type BenchService, makeAccount, startBenchService } from './service.ts';

const CONNECTIONS = 8;
/** Calls a second, a fifth of what can be counted, and of a window. */
const PER_SECOND = 2_000;
const WINDOW = 3_000;
/** Until runs of an account are under way, and until those that began before what rules remember have come to their end. */
const WARM_UP = 60_000;
/** Milliseconds after which rules that compare runs know what came before. */
const KNOWN_MS = 95_000;
/** Limits of money that hold what such agents spend: those that are proposed are for smaller accounts. */
const LIMIT = 1_000_000;
/** Until the service has taken notice of other rules. */
const SETTLE_MS = 3_000;
const MOST_WAITING = 6_000;

interface Sending extends BenchAccount {
  next: () => Batch;
  sent: number;
}

const LEFT = `SELECT coalesce((SELECT ereignisse_gesamt FROM zaehlstaende WHERE mandant_id = $1), 0)::float8 AS counted,
  (SELECT count(*) FROM zaehlmarken WHERE mandant_id = $1)::int AS marks`;

/** Waits until all that was sent is counted and looked at. */
async function waitUntilLookedAt(client: pg.Client, { mandant, sent }: Sending): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ counted: number; marks: number }>(LEFT, [mandant]);
    if (rows[0] && rows[0].counted >= sent && rows[0].marks === 0) return;
    await delay(50);
  }
}

/** Sends `calls` of an account at a pace, and waits until they are counted and looked at. */
async function send(
  service: BenchService,
  client: pg.Client,
  account: Sending,
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

async function warmUp(service: BenchService, client: pg.Client, accounts: Sending[]): Promise<void> {
  for (const account of accounts)
    for (let sent = 0; sent < WARM_UP; sent += MOST_WAITING)
      await send(service, client, account, MOST_WAITING, Number.POSITIVE_INFINITY);
}

/** The CPU of a call in microseconds, of the service and its connections to the database. */
async function measureWindow(service: BenchService, client: pg.Client, account: Sending): Promise<number> {
  const [before, spent] = [account.sent, await service.cpuOfWork()];
  await send(service, client, account, WINDOW, PER_SECOND);
  return (((await service.cpuOfWork()) - spent) * 1e6) / (account.sent - before);
}

/** An account with rules, and one without. */
async function makeAccounts(service: BenchService, client: pg.Client): Promise<[Sending, Sending]> {
  const toSending = (account: BenchAccount): Sending => ({ ...account, next: createAgentsAtWork(), sent: 0 });
  const bare = await makeAccount(service.address, 'ohne-regeln@example.org');
  await delay(SETTLE_MS);
  await client.query(
    `UPDATE regeln SET schwelle = $1 WHERE typ IN ('lauf_deckel', 'kosten_grenze') AND einheit = 'eur'`,
    [LIMIT],
  );
  const { rowCount } = await client.query('UPDATE regeln SET aktiv = false WHERE mandant_id = $1', [
    bare.mandant,
  ]);
  if (!rowCount) throw new Error('an account has no rules yet');
  await delay(SETTLE_MS);
  return [toSending(service), toSending(bare)];
}

/** Pairs of windows, every other one the other way round. */
export async function measureProtectionCost(pairs: number) {
  const service = await startBenchService();
  try {
    const client = await service.connect();
    const [guarded, bare] = await makeAccounts(service, client);
    await warmUp(service, client, [bare, guarded]);
    await delay(KNOWN_MS);
    await warmUp(service, client, [bare, guarded]);
    const cpu = { without: [] as number[], with: [] as number[] };
    for (let pair = 0; pair < pairs; pair += 1) {
      const turns = pair % 2 === 0 ? (['without', 'with'] as const) : (['with', 'without'] as const);
      for (const turn of turns)
        cpu[turn].push(await measureWindow(service, client, turn === 'with' ? guarded : bare));
    }
    const { rows } = await client.query<{ befunde: number }>('SELECT count(*)::int AS befunde FROM befunde');
    await client.end();
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
      ...rows[0],
      rss_mib: service.rss(),
    };
  } finally {
    await service.stop();
  }
}
