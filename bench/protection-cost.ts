/**
 * What protection costs ingest: CPU of a call in short windows in turn, of an account without active rules and of one with the set that every
 * Mandant begins with. Both are on the same service and send the same: agents at work within their limits. A ratio for each pair of windows
 * that follow one another, since what else happens to the machine happens to both of them.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { createAgentsAtWork } from './at-work.ts';
import { measureInTurns, type SendingAccount, sendUntilCounted } from './in-turns.ts';
import { type BenchAccount, type BenchService, makeAccount, startBenchService } from './service.ts';

/** Until runs of an account are under way, and until those that began before what rules remember have come to their end. */
const WARM_UP = 60_000;
/** Milliseconds after which rules that compare runs know what came before. */
const KNOWN_MS = 95_000;
/** Limits of money that hold what such agents spend: those that are proposed are for smaller accounts. */
const LIMIT = 1_000_000;
/** Until the service has taken notice of other rules. */
const SETTLE_MS = 3_000;
const MOST_WAITING = 6_000;

async function warmUp(service: BenchService, client: pg.Client, accounts: SendingAccount[]): Promise<void> {
  for (const account of accounts)
    for (let sent = 0; sent < WARM_UP; sent += MOST_WAITING)
      await sendUntilCounted(service, client, account, MOST_WAITING, Number.POSITIVE_INFINITY);
}

/** An account with rules, and one without. */
async function makeAccounts(
  service: BenchService,
  client: pg.Client,
): Promise<[SendingAccount, SendingAccount]> {
  const toSendingAccount = (account: BenchAccount): SendingAccount => ({
    ...account,
    next: createAgentsAtWork(),
    sent: 0,
  });
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
  return [toSendingAccount(service), toSendingAccount(bare)];
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
    const measured = await measureInTurns(service, client, { with: guarded, without: bare }, pairs);
    const { rows } = await client.query<{ befunde: number }>('SELECT count(*)::int AS befunde FROM befunde');
    await client.end();
    return {
      ...measured,
      ...rows[0],
      rss_mib: service.rss(),
    };
  } finally {
    await service.stop();
  }
}
