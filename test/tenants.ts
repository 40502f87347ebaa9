/** Two Mandanten side by side, with something of both in every table. */

import { randomInt, randomUUID } from 'node:crypto';
import { createPriceList } from '#domains/preise/index.ts';
import { createCountingWorker } from '#domains/zaehlung/index.ts';
import { createPool } from '#platform/database/index.ts';
import { createOwnerDatabase } from '#platform/database/owner-database.ts';
import { type Account, addUser, createKey, type Key, openSession, registerAccount } from './account.ts';
import type { TestService } from './service.ts';
import { type People, rowContext, rowsOf } from './tenant-rows/index.ts';

export { domainOf, hashFor } from './tenant-rows/index.ts';

export interface Tenant extends People {
  key: Key;
  run: string;
  agentId: string;
  projektId: string;
  customerId: string;
  /** Another session of the account's user. */
  sessionId: string;
  /** The newest entry of the audit log. */
  entryId: string;
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

/** Counts what waits in the inbox of every Mandant. */
export async function countAll(service: TestService): Promise<void> {
  const { log } = service.context;
  const options = { connection: service.connection, max: 4, statementTimeout: 30_000, name: 'test' };
  const db = createOwnerDatabase(createPool(options, log));
  await createCountingWorker({ db, log, prices: createPriceList(), substituteRate: '1' }).drain();
  await db.close();
}

/** Rows where no operation is needed to make them. */
async function fillTables(service: TestService, tenant: People, name: string): Promise<void> {
  for (const [table, row] of rowsOf(rowContext(service, tenant, name))) {
    const columns = ['mandant_id', ...Object.keys(row)].join(', ');
    await service.sql(
      `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM jsonb_populate_record(NULL::${table}, $1)`,
      [JSON.stringify({ mandant_id: tenant.account.mandantId, ...row })],
    );
  }
}

/** Ids of a Mandant and of what will be put into its tables. */
const peopleOf = (account: Account, colleague: Account): People => ({
  account,
  colleagueId: colleague.benutzerId,
  invitationId: randomUUID(),
  ruleId: randomUUID(),
  lookBackId: randomUUID(),
  findingId: randomUUID(),
  incidentId: randomUUID(),
  interventionId: randomUUID(),
  requestId: randomUUID(),
  alarmId: randomUUID(),
  zustellungId: randomUUID(),
  viewId: randomUUID(),
  repricingId: randomUUID(),
  invoiceId: randomUUID(),
  bookEdition: String(randomInt(1_000, 2 ** 30)),
});

/** What operations and counting have made of a Mandant. */
async function readIds(service: TestService, { benutzerId, mandantId }: Account) {
  const [ids] = await service.sql<
    Record<'agent' | 'project' | 'customer' | 'session' | 'entry', string | null>
  >(
    `SELECT (SELECT agent_id FROM agenten WHERE mandant_id = $2) AS agent,
       (SELECT projekt_id FROM projekte WHERE mandant_id = $2) AS project,
       (SELECT endkunde_id FROM endkunden WHERE mandant_id = $2) AS customer,
       (SELECT sitzung_id FROM sitzungen WHERE benutzer_id = $1 ORDER BY erstellt_am DESC LIMIT 1) AS session,
       (SELECT max(eintrag_id::text) FROM pruefprotokoll WHERE mandant_id = $2) AS entry`,
    [benutzerId, mandantId],
  );
  return {
    agentId: ids?.agent ?? '',
    projektId: ids?.project ?? '',
    customerId: ids?.customer ?? '',
    sessionId: ids?.session ?? '',
    entryId: ids?.entry ?? '',
  };
}

/** A Mandant with something counted. */
async function createTenant(service: TestService, name: string): Promise<Tenant> {
  const account = await registerAccount(service, name);
  const key = await createKey(service, account);
  const run = randomUUID();
  await send(service, key, name, run);
  await countAll(service);
  const people = peopleOf(account, await addUser(service, account, 'betrachter'));
  await fillTables(service, people, name);
  await openSession(service, account);
  return { ...people, key, run, ...(await readIds(service, account)) };
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

/** `wir` and `die`: their agents have these names; their end customers, models, addresses and so on hold them. */
export async function createTenants(service: TestService): Promise<{ ours: Tenant; theirs: Tenant }> {
  const ours = await createTenant(service, 'wir');
  const theirs = await createTenant(service, 'die');
  await leaveBatches(service, ours, 'wir');
  await leaveBatches(service, theirs, 'die');
  return { ours, theirs };
}
