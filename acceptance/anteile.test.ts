/** One account that takes all it can get of whatever there is little of, and another one that gets through all the same. */

import type { AddressInfo } from 'node:net';
import { availableParallelism } from 'node:os';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { MandantTx } from '#platform/database/index.ts';
import { type Account, logIn, registerAccount } from '#test/account.ts';
import { isWhole } from '#test/depth.ts';
import { sendPlainCalls } from '#test/plain-calls.ts';
import { startService, type TestService } from '#test/service.ts';
import { countAll } from '#test/tenants.ts';
import { until } from '#test/until.ts';

const LOCK = 815;
/** Longer than all that is done beside a statement that does not end. */
const TIMEOUT = isWhole ? '10s' : '3s';
const ENDLESS = new URL('../test/document-aside.ts', import.meta.url);
const STATEMENT = '/v1/cockpit/endkunden/K-1/abrechnung';

let service: TestService;
let address: string;
let loud: Account;
let quiet: Account;

beforeAll(async () => {
  service = await startService();
  await service.app.listen({ port: 0, host: '127.0.0.1' });
  address = `http://127.0.0.1:${(service.app.server.address() as AddressInfo).port}`;
  service.clock.set('2026-11-05T10:30:00Z');
});
afterAll(() => service?.stop());
beforeEach(async () => {
  [loud, quiet] = [await registerAccount(service), await registerAccount(service)];
  for (const account of [loud, quiet]) await sendPlainCalls(service, account, [{ endkunde_ref: 'K-1' }]);
  await countAll(service);
});

const get = async ({ cookie }: Account, path: string, signal: AbortSignal | null = null) => {
  const answer = await fetch(address + path, { headers: { cookie }, signal });
  await answer.arrayBuffer();
  return answer.status;
};
const pdf = (account: Account, signal?: AbortSignal) =>
  get(account, `${STATEMENT}.pdf?monat=2026-10`, signal);

/** What the other account does all day, and what has no account. */
async function expectThrough(account: Account): Promise<void> {
  await sendPlainCalls(service, account, [{ endkunde_ref: 'K-2' }]);
  expect((await logIn(service, account.email)).statusCode).toBe(200);
  expect(await get(account, '/v1/cockpit/uebersicht?zeitraum=30tage')).toBe(200);
  expect(await get(account, `${STATEMENT}?monat=2026-10`)).toBe(200);
  expect(await get(account, '/v1/gesund')).toBe(200);
  expect(await pdf(account)).toBe(200);
}

/** Does something while what the account asks the database does not end. */
async function whileStatementsAreSlow<T>(account: Account, work: () => Promise<T>): Promise<T> {
  const { db } = service.context;
  const { forMandant } = db;
  const hold = async (tx: MandantTx) => {
    await sql`SELECT set_config('statement_timeout', ${TIMEOUT}, true)`.execute(tx);
    await sql`SELECT pg_advisory_xact_lock_shared(${LOCK})`.execute(tx);
  };
  const { promise, resolve } = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  const holding = service.operators.transaction(async (client) => {
    await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    locked.resolve();
    await promise;
  });
  await locked.promise;
  db.forMandant = (mandant, asked) =>
    forMandant(mandant, async (tx) => {
      if (mandant === account.mandantId) await hold(tx);
      return asked(tx);
    });
  return work().finally(async () => {
    db.forMandant = forMandant;
    resolve();
    await holding;
  });
}

const atWork = async () => {
  const [row] = await service.sql<{ n: number }>(
    `SELECT count(*)::int AS n FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock' AND wait_event = 'advisory'`,
  );
  return row?.n ?? 0;
};

/** Half of what is made at a time: a report for each processor. */
const REPORTS = Math.floor(Math.max(2, availableParallelism()) / 2);

test('slow statements of one hold up nothing of another, and end with who has hung up', async () => {
  const callers = new AbortController();
  await whileStatementsAreSlow(loud, async () => {
    const flood = Array.from({ length: 32 }, () =>
      get(loud, `${STATEMENT}?monat=2026-10`, callers.signal).catch(() => null),
    );
    await until('all that it may have to be at work', async () => (await atWork()) === REPORTS);
    await expectThrough(quiet);
    expect(await atWork()).toBeLessThanOrEqual(REPORTS);
    callers.abort();
    await Promise.all(flood);
    await until('nothing to be at work for who is gone', async () => (await atWork()) === 0);
  });
  await expectThrough(loud);
});

/** As many as may wait (`http/reports`), and some more. */
const TOO_MANY = 210;

test('a Mandant that has used its share gets that for an answer, and the database is not said to be away', async () => {
  const callers = new AbortController();
  const told = new Set<string>();
  const ask = async () => {
    const answer = await fetch(`${address}${STATEMENT}`, {
      headers: { cookie: loud.cookie },
      signal: callers.signal,
    });
    const { code } = (await answer.json()) as { code: string };
    told.add(`${answer.status},${code},${answer.headers.get('retry-after')}`);
  };
  await whileStatementsAreSlow(loud, async () => {
    const flood = Array.from({ length: isWhole ? 4 * REPORTS + 2 : TOO_MANY }, () =>
      ask().catch((error: Error) => expect(error.name).toBe('AbortError')),
    );
    // The database ends each. Of many the youngest are refused at once; of few those are that have waited for half a minute.
    await until('both answers', () => told.size > 1);
    callers.abort();
    await Promise.all(flood);
  });
  expect([...told].sort()).toEqual(['429,anteil_verbraucht,2', '503,abfrage_zu_lang,30']);
});

test('documents without end of one hold up nobody else’s, and end with who has hung up', async () => {
  const { documents } = service.context;
  const { make } = documents;
  let [begun, ended] = [0, 0];
  documents.make = (mandant, module, model, options) => {
    if (mandant !== loud.mandantId) return make(mandant, module, model, options);
    begun += 1;
    // One that waits keeps its place as one that works does.
    return make(mandant, ENDLESS, { as: isWhole ? 'endless' : 'idle' }, options).finally(() => {
      ended += 1;
    });
  };
  try {
    const callers = new AbortController();
    const flood = Array.from({ length: 22 }, () => pdf(loud, callers.signal).catch(() => 0));
    await until('one to be under way', () => begun > 0);
    await expectThrough(quiet);
    // Each takes until its time is over.
    expect(ended).toBeLessThan(begun);
    callers.abort();
    await Promise.all(flood);
    await until('all places to be given back', () => ended === begun);
  } finally {
    documents.make = make;
  }
  await expectThrough(loud);
});

test('archives: two that take long are no reason to refuse a third', async () => {
  const third = await registerAccount(service);
  const { writing } = service.context.spools;
  const { promise, resolve } = Promise.withResolvers<void>();
  const others = [loud, quiet].map(({ mandantId }) => writing.inTurn(mandantId as never, () => promise));
  expect(await get(third, '/v1/cockpit/export/abrechnungen.zip?monat=2026-10')).toBe(200);
  expect(await get(third, '/v1/cockpit/export.zip')).toBe(200);
  resolve();
  await Promise.all(others);
});
