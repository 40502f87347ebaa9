/**
 * A worker of a cluster that is down hurts only its own Mandanten, and nothing acknowledged is lost or counted twice, whichever node
 * is killed. Runs with `CITUS_URL` alone, as the user who may kill its servers, which must be on this machine.
 */

import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createPriceList } from '#domains/preise/index.ts';
import { createCountingWorker } from '#domains/zaehlung/index.ts';
import { createPool } from '#platform/database/index.ts';
import { createOwnerDatabase, type OwnerDatabase } from '#platform/database/owner-database.ts';
import { createLog } from '#platform/log.ts';
import { createKey, registerAccount } from '#test/account.ts';
import type { CountingWorker } from '#test/behind-doors.ts';
import { type Node, runOn } from '#test/cluster.ts';
import { asSystem, onCluster } from '#test/database.ts';
import { signal } from '#test/processes.ts';
import { startService, type TestService } from '#test/service.ts';
import { until } from '#test/until.ts';

const KILLS = 20;
/** Every fourth time it is the coordinator. */
const COORDINATOR_EVERY = 4;
const MANDANTEN = 8;
const EVENTS = 20;
const PAUSE_MS = 200;
/** Until everything was planned and prepared once, and as long again for the lag while nothing is down. */
const WARM_UP_MS = 8_000;
const DOWN_MS = 4_000;
const MINUTE = 60_000;

interface Sender {
  mandant: string;
  /** The worker that has it. */
  place: string;
  secret: string;
  sent: Set<string>;
  acknowledged: Set<string>;
  refused: number;
}

let service: TestService;
let db: OwnerDatabase;
let worker: CountingWorker;
let senders: Sender[];

const PLACE = `SELECT n.nodename || ':' || n.nodeport AS place FROM pg_dist_placement p JOIN pg_dist_node n USING (groupid)
  WHERE p.shardid = get_shard_id_for_distribution_column('eingang', $1::uuid)`;
const nameOf = ({ host, port }: Node) => `${host}:${port}`;

async function createSender(): Promise<Sender> {
  const account = await registerAccount(service);
  const { secret } = await createKey(service, account);
  const [row] = await service.sql<{ place: string }>(PLACE, [account.mandantId]);
  const counts = { sent: new Set<string>(), acknowledged: new Set<string>(), refused: 0 };
  return { mandant: account.mandantId, place: row?.place ?? '', secret, ...counts };
}

/** Sends batch after batch, each once, half of them with a key, until told to stop. */
async function keepSending(sender: Sender, stopped: AbortSignal): Promise<void> {
  for (let nth = 0; !stopped.aborted; nth += 1) {
    const ids = Array.from({ length: EVENTS }, () => randomUUID());
    for (const id of ids) sender.sent.add(id);
    const answer = await service.app.inject({
      method: 'POST',
      url: '/v1/ereignisse',
      headers: {
        authorization: `Bearer ${sender.secret}`,
        ...(nth % 2 ? { 'idempotency-key': randomUUID() } : {}),
      },
      payload: {
        ereignisse: ids.map((ereignis_id) => ({
          ereignis_id,
          lauf_id: ids[0],
          agent: 'a',
          eingabe_token: 1,
        })),
      },
    });
    if (answer.statusCode === 202) for (const id of ids) sender.acknowledged.add(id);
    else sender.refused += 1;
    await delay(PAUSE_MS);
  }
}

interface Server {
  name: string;
  node: Node;
  directory: string;
}

async function findServer(node: Node): Promise<Server> {
  const [row] = await runOn<{ directory: string }>(node, 'zaehlwerk_system', 'postgres', [
    `SELECT current_setting('data_directory') AS directory`,
  ]);
  return { name: nameOf(node), node, directory: row?.directory ?? '' };
}

const kill = ({ directory }: Server) =>
  signal(Number(readFileSync(join(directory, 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL');

/** Starts it as it was started before, and waits until it answers: the rest of the killed one must end first. */
async function restart({ node, directory }: Server): Promise<void> {
  const [program = '', ...args] = [
    ...readFileSync(join(directory, 'postmaster.opts'), 'utf8').matchAll(/"([^"]*)"|(\S+)/g),
  ].map(([, quoted, plain]) => quoted ?? plain ?? '');
  const { uid, gid } = statSync(directory);
  await until(
    `${nameOf(node)} to be back`,
    async () => {
      const answers = await runOn(node, 'zaehlwerk_system', 'postgres', ['SELECT 1']).catch(() => null);
      if (answers) return true;
      spawn(program, args, { uid, gid, cwd: directory, detached: true, stdio: 'ignore' }).unref();
      await delay(500);
      return false;
    },
    3 * MINUTE,
  );
}

async function setRecovery(value: string): Promise<void> {
  const [coordinator] = inject('postgres') as [Node, ...Node[]];
  await asSystem(coordinator, `ALTER SYSTEM SET citus.recover_2pc_interval ${value}`);
  await asSystem(coordinator, 'SELECT pg_reload_conf()');
}

const OLDEST = `SELECT extract(epoch FROM clock_timestamp() - min(empfangen_am))::float8 * 1000 AS lag FROM eingang
  WHERE mandant_id = $1`;

/** The longest that anything of these has waited in the inbox, in milliseconds, while `during` lasts. */
async function longestLag(of: Sender[], during: Promise<unknown>): Promise<number> {
  let over = false;
  let longest = 0;
  void during.finally(() => {
    over = true;
  });
  while (!over) {
    for (const { mandant } of of) {
      const [row] = await service.sql<{ lag: number | null }>(OLDEST, [mandant]);
      longest = Math.max(longest, row?.lag ?? 0);
    }
    await delay(100);
  }
  return longest;
}

/** Waits until whatever of these has come by now is counted, while more comes. */
async function untilCounted(of: Sender[], what: string): Promise<void> {
  const [row] = await service.sql<{ now: string }>('SELECT clock_timestamp()::text AS now');
  const waiting = (mandant: string) =>
    service.sql('SELECT FROM eingang WHERE mandant_id = $1 AND empfangen_am <= $2::timestamptz LIMIT 1', [
      mandant,
      row?.now,
    ]);
  for (const { mandant } of of)
    await until(what, async () => (await waiting(mandant).catch(() => [null])).length === 0, 3 * MINUTE);
}

const FOUND = `SELECT (SELECT count(*) FROM ereignisse WHERE mandant_id = $1)::int AS events,
  (SELECT count(*) FROM ereignis_kennungen WHERE mandant_id = $1)::int AS ids,
  (SELECT sum(aufrufe) FROM verbrauch_tagesstand WHERE mandant_id = $1)::int AS days,
  (SELECT sum(aufrufe) FROM verbrauch_laufend_stunde v WHERE mandant_id = $1 AND dimension = 0)::int AS hours,
  (SELECT sum(aufrufe) FROM laeufe WHERE mandant_id = $1)::int AS runs,
  (SELECT ereignisse_gesamt FROM zaehlstaende WHERE mandant_id = $1)::int AS counter,
  (SELECT count(*) FROM eingang_unzaehlbar WHERE mandant_id = $1)::int AS aside`;

/** Everything acknowledged is counted once, and nothing that was never sent. */
async function check({ mandant, sent, acknowledged }: Sender): Promise<void> {
  const [found] = await service.sql<Record<string, number>>(FOUND, [mandant]);
  const rows = await service.sql<{ id: string }>(
    'SELECT ereignis_id AS id FROM ereignisse WHERE mandant_id = $1',
    [mandant],
  );
  const counted = new Set(rows.map(({ id }) => id));
  expect([...acknowledged].filter((id) => !counted.has(id))).toEqual([]);
  expect([...counted].filter((id) => !sent.has(id))).toEqual([]);
  const events = counted.size;
  expect(found).toEqual({
    events,
    ids: events,
    days: events,
    hours: events,
    runs: events,
    counter: events,
    aside: 0,
  });
}

const sum = (of: Sender[], read: (sender: Sender) => number) => of.reduce((all, each) => all + read(each), 0);

/** Kills a node for a while; what the senders whose rows lie elsewhere have got done meanwhile. */
async function killAmong(server: Server, others: Sender[]) {
  const before = sum(others, ({ acknowledged }) => acknowledged.size);
  const refusedBefore = sum(others, ({ refused }) => refused);
  kill(server);
  const lag = await longestLag(others, delay(DOWN_MS));
  await untilCounted(others, 'what others have sent meanwhile to be counted');
  const taken = sum(others, ({ acknowledged }) => acknowledged.size) - before;
  return { lag, taken, refused: sum(others, ({ refused }) => refused) - refusedBefore };
}

/** Which node is killed in a round: the workers in turn, at times the coordinator, without whom nobody gets on. */
function victimOf(round: number, [coordinator, ...workers]: Server[]) {
  const isCoordinator = round % COORDINATOR_EVERY === 0;
  const server = (isCoordinator ? coordinator : workers[round % workers.length]) as Server;
  const others = isCoordinator ? [] : senders.filter(({ place }) => place !== server.name);
  return { server, isCoordinator, others };
}

async function untilInboxEmpty(): Promise<void> {
  const left = () => service.sql('SELECT FROM eingang LIMIT 1').catch(() => [null]);
  await until('the inbox to be empty', async () => (await left()).length === 0, 3 * MINUTE);
}

describe.skipIf(!onCluster())('a cluster', { timeout: 15 * MINUTE }, () => {
  beforeAll(async () => {
    service = await startService();
    const log = createLog(process.env.LOG_LEVEL === 'warn' ? 'warn' : 'fatal');
    const options = { connection: service.connection, max: 6, statementTimeout: 30_000, name: 'counting' };
    db = createOwnerDatabase(createPool(options, log));
    worker = createCountingWorker({ db, log, prices: createPriceList(), substituteRate: '0.86' });
    senders = await Promise.all(Array.from({ length: MANDANTEN }, createSender));
    // What a killed worker had prepared is committed or undone that soon after its return; a minute unless one says so.
    await setRecovery("= '2s'");
    // What was written before this is not read again by a process that is killed.
    for (const node of inject('postgres')) await asSystem(node, 'CHECKPOINT');
  }, 5 * MINUTE);
  afterAll(async () => {
    await setRecovery('TO DEFAULT');
    await db?.close();
    await service?.stop();
  }, 2 * MINUTE);

  test(`whose nodes are killed ${KILLS} times counts everything acknowledged once`, async () => {
    const servers = await Promise.all(inject('postgres').map(findServer));
    const stopping = new AbortController();
    worker.start();
    const sending = Promise.all(senders.map((sender) => keepSending(sender, stopping.signal)));
    await delay(WARM_UP_MS);
    const calm = await longestLag(senders, delay(WARM_UP_MS));
    console.log(`longest lag while nothing is down ${Math.round(calm)} ms`);
    const lags: number[] = [];
    for (let round = 1; round <= KILLS; round += 1) {
      const { server, isCoordinator, others } = victimOf(round, servers);
      const { lag, taken, refused } = await killAmong(server, others);
      console.log(
        `${round}. ${isCoordinator ? 'coordinator' : `worker ${server.name}`} down ${DOWN_MS / 1000} s: of the others ${taken} events taken, ${refused} batches refused, longest lag ${Math.round(lag)} ms`,
      );
      if (!isCoordinator) {
        lags.push(lag);
        expect(taken).toBeGreaterThan(0);
      }
      await restart(server);
      await untilCounted(senders, 'everybody to have caught up');
    }
    stopping.abort();
    await sending;
    await untilInboxEmpty();
    await worker.stop();
    for (const sender of senders) await check(sender);
    console.log(
      `${sum(senders, ({ acknowledged }) => acknowledged.size)} events acknowledged, all counted once; longest lag of the others ${Math.round(Math.max(...lags))} ms`,
    );
  });
});
