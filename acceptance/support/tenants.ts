/** Two Mandanten side by side, with something of both in every table. */
import { randomUUID } from 'node:crypto';
import { createPriceList } from '#domains/preise/index.ts';
import { createCountingWorker } from '#domains/zaehlung/index.ts';
import { createPool } from '#platform/database/index.ts';
import { createOwnerDatabase } from '#platform/database/owner-database.ts';
import { type Account, createKey, type Key, registerAccount } from '../../server/test/account.ts';
import type { TestService } from '../../server/test/service.ts';

export interface Tenant {
  account: Account;
  key: Key;
  run: string;
  agentId: string;
}

async function send(service: TestService, key: Key, name: string, run: string): Promise<void> {
  const answer = await service.app.inject({
    method: 'POST',
    url: '/v1/ereignisse',
    headers: { authorization: `Bearer ${key.secret}`, 'idempotency-key': run },
    payload: {
      ereignisse: [{ agent: name, lauf_id: run, endkunde_ref: `kunde-${name}`, modell: `modell-${name}` }],
    },
  });
  if (answer.statusCode !== 202) throw new Error(answer.body);
}

async function countAll(service: TestService): Promise<void> {
  const { log } = service.context;
  const options = { connection: service.connection, max: 4, statementTimeout: 30_000, name: 'test' };
  const db = createOwnerDatabase(createPool(options, log));
  await createCountingWorker({ db, log, prices: createPriceList(), substituteRate: '1' }).drain();
  await db.close();
}

/** A Mandant with something counted. */
async function createTenant(service: TestService, name: string): Promise<Tenant> {
  const account = await registerAccount(service, name);
  const key = await createKey(service, account);
  const run = randomUUID();
  await send(service, key, name, run);
  await countAll(service);
  const [agent] = await service.sql<{ agent_id: string }>(
    'SELECT agent_id FROM agenten WHERE mandant_id = $1',
    [account.mandantId],
  );
  return { account, key, run, agentId: agent?.agent_id ?? '' };
}

/** One batch stays in the inbox, another is kept as one that cannot be counted. */
async function leaveBatches(service: TestService, { account, key }: Tenant, name: string): Promise<void> {
  await send(service, key, name, randomUUID());
  await service.sql(
    `INSERT INTO eingang_unzaehlbar (mandant_id, eingang_id, empfangen_am, schluessel_id, anzahl, umfang, daten, grund)
     SELECT mandant_id, gen_random_uuid(), now(), schluessel_id, 1, 1, '', 'test' FROM schluessel WHERE mandant_id = $1`,
    [account.mandantId],
  );
}

/** `wir` and `die`: their agents have these names, their end customers and models begin with `kunde-` and `modell-`. */
export async function createTenants(service: TestService): Promise<{ ours: Tenant; theirs: Tenant }> {
  const ours = await createTenant(service, 'wir');
  const theirs = await createTenant(service, 'die');
  await leaveBatches(service, ours, 'wir');
  await leaveBatches(service, theirs, 'die');
  return { ours, theirs };
}
