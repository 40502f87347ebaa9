/**
 * Two processes that take requests and two that count, on one database, killed at random under load: every acknowledged event is
 * counted once, every run of the schedule is put in once, every alarm goes out once.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY, expectCountedOnce, randomEvent } from '#test/counted-once.ts';
import { comparable, GROUPS, sumsOfEvents } from '#test/event-sums.ts';
import { crashRounds } from '#test/fuzz.ts';
import { untilJobsAreDone } from '#test/lapsed-claims.ts';
import { type Account, createAccount, request } from '#test/outside-account.ts';
import { type OwnServer, startOwnServer } from '#test/own-server.ts';
import { createRandom, type Random } from '#test/random.ts';
import { type Receiver, startReceiver } from '#test/receiver.ts';
import { createServiceProcess, type ServiceProcess } from '#test/service-process.ts';
import { until } from '#test/until.ts';
import { createWriter, type Writer } from '#test/writer.ts';

const SEED = 20_261_123;
const ROUNDS = crashRounds(5);
const WRITERS = 2;
const LOOP = 6;

let server: OwnServer;
let client: pg.Client;
let receiver: Receiver;
let apis: ServiceProcess[];
let workers: ServiceProcess[];
/** Whom the writers write for. */
let accounts: Account[];
/** Whose runs go in circles. */
let guarded: Account;

/** What senders know: a name in front of both, which leads to one after the other. */
let turn = 0;
const front = {
  address() {
    turn += 1;
    return (apis[turn % apis.length] as ServiceProcess).address();
  },
};
const database: Pick<ServiceProcess, 'sql'> = {
  sql: async <R extends pg.QueryResultRow>(text: string, values?: unknown[]) =>
    (await client.query<R>(text, values)).rows,
};

async function change(account: Account, method: string, path: string, body: object): Promise<void> {
  const answer = await request(`${front.address()}${path}`, {
    method,
    headers: { 'content-type': 'application/json', cookie: account.cookie },
    body: JSON.stringify(body),
  });
  expect(answer.status, answer.text).toBeLessThan(300);
}

beforeAll(async () => {
  [server, receiver] = await Promise.all([startOwnServer(), startReceiver()]);
  const url = await server.database('CREATEROLE BYPASSRLS');
  client = new pg.Client(url);
  await client.connect();
  const env = {
    DATABASE_URL: url,
    ZW_SCHLUESSEL: randomBytes(32).toString('base64'),
    ERLAUBTE_NETZE: '127.0.0.1',
  };
  const create = (ROLLE: string) => createServiceProcess({ ...env, ROLLE });
  apis = [create('api'), create('api')];
  workers = [create('worker'), create('worker')];
  // All at once: one of them migrates.
  await Promise.all([...apis, ...workers].map((each) => each.start()));
  await client.query(NOTE_TIMES);
  accounts = [await createAccount(front), await createAccount(front)];
  guarded = await createAccount(front);
  const rule = {
    typ: 'schleife_exakt',
    stufe: 'anhalten',
    schattenbetrieb: false,
    parameter: { ohne_verlauf: 5 },
  };
  await change(guarded, 'POST', '/v1/cockpit/regeln', rule);
  await change(guarded, 'PUT', '/v1/cockpit/mandant/alarme', { webhook_url: receiver.url('/alarm') });
});
afterAll(async () => {
  await Promise.all([...(apis ?? []), ...(workers ?? [])].map((each) => each.dispose()));
  await client?.end();
  await server?.stop();
  await receiver?.stop();
});

/** A run that goes in circles, of an agent of its own: none rests for another. */
function loop(round: number) {
  const lauf_id = randomUUID();
  return Array.from({ length: LOOP }, (_, index) => ({
    ereignis_id: randomUUID(),
    lauf_id,
    schritt_nr: index + 1,
    zeitpunkt: new Date(Date.now() - 60_000 + index * 1_000).toISOString(),
    agent: `schleife-${round}`,
    anbieter: 'openai',
    modell: 'gpt-4o-mini',
    eingabe_token: 1_000_000,
    prompt_fingerabdruck: '00000000000000ff',
  }));
}

const taken = async (events: object[]): Promise<boolean> =>
  (await guarded.send(events as never).catch(() => null))?.status === 202;

/** Kills one or two of the four, lets the others work for a moment, and starts them again. */
async function strike(random: Random): Promise<void> {
  const victims = new Set([random.pick([...apis, ...workers]), random.pick(workers)].slice(random.below(2)));
  await Promise.all([...victims].map((each) => each.stop('SIGKILL')));
  await new Promise((resolve) => setTimeout(resolve, random.below(600)));
  await Promise.all([...victims].map((each) => each.start()));
}

/** A loop is under way and batches have got through since the last time when it strikes. */
async function playRound(round: number, writers: Writer[], random: Random): Promise<void> {
  const acknowledged = () => writers.reduce((sum, writer) => sum + writer.acknowledged().length, 0);
  const goal = acknowledged() + 2 + random.below(25);
  const events = loop(round);
  await until(`the loop of round ${round} to begin`, () => taken(events.slice(0, 3)));
  const rest = until(`the loop of round ${round} to be taken`, () => taken(events.slice(3)));
  await until(`batches to get through in round ${round}`, () => acknowledged() >= goal);
  await strike(random);
  await rest;
}

/** Notes each time that the schedule takes, and whether a run of the job was there when it was taken. */
const NOTE_TIMES = `
  CREATE TABLE notierte_zeiten (job text, zeit timestamptz, hat_lauf boolean);
  CREATE FUNCTION zeit_notieren() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO notierte_zeiten SELECT NEW.job, NEW.zuletzt,
      EXISTS (SELECT FROM auftraege a WHERE a.job = NEW.job AND geplant AND aufgegeben_am IS NULL);
    RETURN NULL;
  END $$;
  CREATE TRIGGER notieren AFTER UPDATE ON zeitplan FOR EACH ROW EXECUTE FUNCTION zeit_notieren()`;

/** Waits for two minutes of the schedule, should all rounds have fit between them. */
async function expectScheduledOnce(): Promise<void> {
  const everyMinute = `SELECT extract(epoch FROM zeit - lag(zeit) OVER (ORDER BY zeit))::int AS seit FROM notierte_zeiten
    WHERE job = 'zwilling.tage_lesen'`;
  await until(
    'two minutes of the schedule',
    async () => (await database.sql(everyMinute)).length > 1,
    150_000,
  );
  const steps = await database.sql<{ seit: number | null }>(everyMinute);
  expect(steps.map(({ seit }) => seit)).toEqual([null, ...steps.slice(1).map(() => 60)]);
  expect(
    await database.sql(`SELECT job, zeit, count(*)::int, bool_and(hat_lauf) FROM notierte_zeiten
      GROUP BY job, zeit HAVING count(*) > 1 OR NOT bool_and(hat_lauf)`),
  ).toEqual([]);
  const lost = await database.sql('SELECT job, fehler FROM auftraege WHERE aufgegeben_am IS NOT NULL');
  expect(lost).toEqual([]);
}

async function expectToldOnce(): Promise<void> {
  const found = `SELECT count(*)::int AS anzahl, count(DISTINCT objekt)::int AS laeufe FROM befunde
    WHERE typ = 'schleife_exakt' AND status = 'offen' AND NOT schatten`;
  await until(
    'every loop to be found',
    async () => (await database.sql<{ anzahl: number }>(found))[0]?.anzahl === ROUNDS,
  );
  await untilJobsAreDone(database, guarded.mandantId);
  expect(await database.sql(found)).toEqual([{ anzahl: ROUNDS, laeufe: ROUNDS }]);
  const orders = await database.sql(
    `SELECT count(*)::int AS anzahl, count(DISTINCT e.objekt)::int AS laeufe FROM eingriffe e JOIN befunde b USING (mandant_id, befund_id)
      WHERE b.typ = 'schleife_exakt' AND NOT e.schatten`,
  );
  expect(orders).toEqual([{ anzahl: ROUNDS, laeufe: ROUNDS }]);
  // Sent again after a kill an alarm has the id it had.
  const told = Map.groupBy(
    receiver.received.filter(({ body }) => body.includes('Schleife')),
    ({ headers }) => String(headers['webhook-id']),
  );
  expect(told.size).toBe(ROUNDS);
  expect(new Set([...told.values()].map(([first]) => JSON.parse(first?.body ?? '{}').text)).size).toBe(
    ROUNDS,
  );
}

test('nothing acknowledged is lost, nothing is done twice', {
  // A second attempt would meet what the first one left.
  timeout: 600_000,
  retry: 0,
}, async () => {
  const random = createRandom(SEED);
  const writers = Array.from({ length: WRITERS }, (_, index) =>
    createWriter(accounts[index] as Account, createRandom(SEED + index + 1), randomEvent),
  );
  for (let round = 1; round <= ROUNDS; round += 1) await playRound(round, writers, random);
  await Promise.all(writers.map((writer) => writer.finish()));
  expect(writers.flatMap((writer) => writer.refused())).toEqual([]);
  for (const account of [...accounts, guarded]) await account.untilNothingWaits();
  await expectToldOnce();
  await expectScheduledOnce();
  for (const [index, account] of accounts.entries()) {
    const own = [writers[index] as Writer];
    const window = `von=${new Date(Date.now() - 25 * DAY).toISOString()}&bis=${new Date(Date.now() + DAY).toISOString()}`;
    await expectCountedOnce(database, account, own);
    for (const gruppe of GROUPS)
      expect(comparable(await account.verbrauch(`?gruppe=${gruppe}&${window}`))).toEqual(
        await sumsOfEvents(database, account.mandantId, gruppe),
      );
  }
  expect(await database.sql('SELECT FROM eingang UNION ALL SELECT FROM eingang_unzaehlbar')).toEqual([]);
});
