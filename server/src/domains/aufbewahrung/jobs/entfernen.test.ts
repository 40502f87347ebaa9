/** What is kept no longer goes, at the door and in the database; every sum stays, and nothing is counted twice. */

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createPriceList } from '#domains/preise/index.ts';
import { createCountingWorker } from '#domains/zaehlung/index.ts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import { type Account, createKey, registerAccount } from '#test/account.ts';
import { nachpreisenJob } from '#test/behind-doors.ts';
import { setBook } from '#test/counted-anew.ts';
import { ownerOf } from '#test/jobs.ts';
import { startService, type TestService } from '#test/service.ts';
import { entfernenJob } from './entfernen.ts';

const RETENTION = 100;
const DAY = 86_400_000;

let service: TestService;
let db: OwnerDatabase;
let account: Account;

beforeAll(async () => {
  service = await startService({ AUFBEWAHRUNG_TAGE: String(RETENTION) });
  db = ownerOf(service);
});
afterAll(async () => {
  await db?.close();
  await service?.stop();
});
beforeEach(async () => {
  await service.sql('UPDATE aufbewahrung SET annahme_ab = NULL, ereignisse_ab = NULL, kennungen_ab = NULL');
  account = await registerAccount(service);
});

const event = (zeitpunkt: string, more: object = {}) => ({
  ...{
    ereignis_id: randomUUID(),
    zeitpunkt,
    agent: 'a',
    projekt: 'p',
    modell: 'gpt-4o-mini',
    anbieter: 'openai',
  },
  ...{ endkunde_ref: 'kunde', eingabe_token: 1_000_003, ausgabe_token: 7 },
  ...more,
});

/** With a key of its own: what is to be accepted is known of each key for a second. */
async function post(ereignisse: object[]) {
  const { secret } = await createKey(service, account);
  return service.app.inject({
    method: 'POST',
    url: '/v1/ereignisse',
    headers: { authorization: `Bearer ${secret}` },
    payload: { ereignisse },
  });
}
async function send(ereignisse: object[]): Promise<void> {
  const answer = await post(ereignisse);
  expect(answer.statusCode, answer.body).toBe(202);
  const { log } = service.context;
  await createCountingWorker({ db, log, prices: createPriceList(), substituteRate: '0.86' }).drain();
}
const remove = () => entfernenJob({ ...service.context, owner: db }).run();
/** The day is over for which what is refused already is still kept. */
const rest = () => service.sql(`UPDATE aufbewahrung SET annahme_seit = now() - interval '25 hours'`);

const months = async () =>
  (
    await service.sql<{ relname: string }>(
      `SELECT relname FROM pg_inherits JOIN pg_class ON oid = inhrelid WHERE inhparent = 'ereignisse'::regclass ORDER BY 1`,
    )
  ).map(({ relname }) => relname);
const kept = async () =>
  (
    await service.sql<{ n: number }>('SELECT count(*)::int AS n FROM ereignisse WHERE mandant_id = $1', [
      account.mandantId,
    ])
  )[0]?.n;
const ids = async () =>
  (
    await service.sql<{ n: number }>(
      'SELECT count(*)::int AS n FROM ereignis_kennungen WHERE mandant_id = $1',
      [account.mandantId],
    )
  )[0]?.n;

const ask = (path: string) => service.app.inject({ url: path, headers: { cookie: account.cookie } });
const QUERIES = ['agent', 'modell', 'endkunde', 'tag', 'projekt'].flatMap((gruppe) => [
  `gruppe=${gruppe}`,
  `gruppe=${gruppe}&agent=a`,
  `gruppe=${gruppe}&endkunde=kunde`,
]);
/** Every sum of the last two years, by one and by two dimensions. */
async function sums(): Promise<unknown[]> {
  const window = `von=${new Date(Date.now() - 730 * DAY).toISOString().slice(0, 10)}`;
  const answers = await Promise.all(QUERIES.map((query) => ask(`/v1/cockpit/verbrauch?${window}&${query}`)));
  return answers.map((answer, index) => {
    expect(answer.statusCode, `${QUERIES[index]}: ${answer.body}`).toBe(200);
    const { zeilen, summe } = answer.json();
    return { query: QUERIES[index], zeilen, summe };
  });
}

const ago = (days: number, hours = 0) => new Date(Date.now() - days * DAY - hours * 3_600_000).toISOString();
/** The day of the Mandant in which an instant lies. */
const local = (instant: string) =>
  Temporal.Instant.from(instant).toZonedDateTimeISO('Europe/Berlin').toPlainDate().toString();
/** Instants of the months that go, of the one between, and of the last weeks; days that cross a month, too. */
const history = () => [
  ...[600, 599, 430, 300, 299.1, 200, 199].map((days) => event(ago(days))),
  ...[170, 150, 140, 90, 40, 3, 1].map((days) => event(ago(days), { agent: 'b', modell: 'gibt-es-nicht' })),
];

async function counted() {
  const events = history();
  await send(events);
  return events;
}

test('months that are over go, their sums stay, and what is older is refused from then on', async () => {
  const events = await counted();
  const before = await sums();
  const all = await months();
  expect(await remove()).toEqual({ monate: 0, ereignisse: 0, kennungen: 0 });
  // Refused at once, kept for a day more.
  const refused = await post([event(ago(1)), event(ago(300))]);
  expect(refused.statusCode).toBe(422);
  expect(refused.json().detail).toMatchObject([{ loc: ['body', 'ereignisse', 1, 'zeitpunkt'] }]);
  expect(refused.body).toContain('aufbewahrt');
  expect(await kept()).toBe(events.length);
  await rest();
  const done = (await remove()) as { monate: number; ereignisse: number };
  expect(done.monate).toBe(all.length - (await months()).length);
  expect(done.monate).toBeGreaterThan(4);
  // Two were older than the first month of its own.
  expect(done.ereignisse).toBeGreaterThanOrEqual(2);
  const [row] = await service.sql<{ ab: string; waiting: number }>(
    `SELECT ereignisse_ab AS ab, (SELECT count(*) FROM eingang)::int AS waiting FROM aufbewahrung`,
  );
  const left = events.filter(({ zeitpunkt }) => Date.parse(zeitpunkt) >= Date.parse(row?.ab ?? ''));
  expect(left.length).toBeLessThan(events.length - 5);
  expect([await kept(), row?.waiting]).toEqual([left.length, 0]);
  expect(await sums()).toEqual(before);
  expect(await remove()).toEqual({ monate: 0, ereignisse: 0, kennungen: 0 });
  // A new call of a kept day is added.
  await send([event(ago(90, 1), { agent: 'b' })]);
  const after = await sums();
  const total = (answers: unknown[]) => (answers[0] as { summe: { aufrufe: number } }).summe.aufrufe;
  expect(total(after)).toBe(total(before) + 1);
});

test('what needs the events holds up that they go', async () => {
  await counted();
  await remove();
  await rest();
  const holds = async (change: string, undo: string) => {
    await service.sql(change, [account.mandantId]);
    expect(await remove()).toEqual({ monate: 0, ereignisse: 0, kennungen: 0 });
    await service.sql(undo, [account.mandantId]);
  };
  const { length } = await months();
  await holds(
    `INSERT INTO eingang_unzaehlbar (mandant_id, eingang_id, schluessel_id, empfangen_am, anzahl, umfang, daten, grund)
     VALUES ($1, gen_random_uuid(), gen_random_uuid(), now() - interval '3 days', 1, 1, '', 'kaputt')`,
    'DELETE FROM eingang_unzaehlbar WHERE mandant_id = $1',
  );
  await holds(
    `INSERT INTO neubepreisungen (mandant_id, neubepreisung_id, status, von, bis, zeitzone, fassung, angelegt_am)
     VALUES ($1, gen_random_uuid(), 'laeuft', '2020-01-01', '2027-01-01', 'UTC', 0, now())`,
    `DELETE FROM neubepreisungen WHERE mandant_id = $1`,
  );
  expect(await kept()).toBe(history().length);
  expect((await months()).length).toBe(length);
  await remove();
  expect(await kept()).toBeLessThan(history().length);
});

test('goes on where it was cut off', async () => {
  await counted();
  await remove();
  await rest();
  const [row] = await service.sql<{ ab: string }>(
    `UPDATE aufbewahrung SET ereignisse_ab = annahme_ab - interval '1 month' RETURNING ereignisse_ab AS ab`,
  );
  await remove();
  const left = history().filter(({ zeitpunkt }) => Date.parse(zeitpunkt) >= Date.parse(row?.ab ?? ''));
  expect(await kept()).toBe(left.length);
});

test('ids are forgotten with their events, and none is counted twice for it', async () => {
  const events = await counted();
  const [recent] = events.slice(-1) as [object];
  const [old] = events as [object];
  await remove();
  await rest();
  await service.sql(`UPDATE ereignis_kennungen SET gezaehlt_am = current_date - 300 WHERE mandant_id = $1`, [
    account.mandantId,
  ]);
  expect(await remove()).toMatchObject({ kennungen: events.length });
  expect(await ids()).toBe(0);
  const before = await sums();
  // Its event stands.
  await send([recent]);
  expect((await post([old])).statusCode).toBe(422);
  expect(await sums()).toEqual(before);
  // Within the window it is known, whatever time it names.
  const fresh = event(ago(0));
  await send([fresh]);
  const once = await sums();
  await send([{ ...fresh, zeitpunkt: ago(50) }]);
  expect(await sums()).toEqual(once);
});

test('of days that are gone all questions are answered, and nothing is priced anew', async () => {
  await counted();
  await remove();
  await rest();
  await remove();
  const day = local(ago(300));
  const hours = await ask(
    `/v1/cockpit/verbrauch?von=${ago(300, 2)}&bis=${ago(300, -2)}&gruppe=modell&agent=a&endkunde=kunde`,
  );
  expect(hours.statusCode, hours.body).toBe(200);
  expect(hours.json().summe).toMatchObject({ aufrufe: 1 });
  const reprice = (von: string) =>
    service.app.inject({
      method: 'POST',
      url: '/v1/cockpit/preise/neubepreisungen',
      headers: { cookie: account.cookie },
      payload: { von },
    });
  const refused = await reprice(day);
  expect(refused.statusCode, refused.body).toBe(422);
  expect(refused.json().detail).toMatchObject([{ loc: ['body', 'von'] }]);
  expect((await reprice(ago(20).slice(0, 10))).statusCode).toBe(201);
});

test('without a limit nothing goes, and what is gone stays refused', async () => {
  await counted();
  await remove();
  await rest();
  await remove();
  const { length } = await months();
  const forEver = { ...service.context.config, retention: null };
  await entfernenJob({ ...service.context, config: forEver, owner: db }).run();
  expect((await months()).length).toBe(length);
  expect((await post([event(ago(300))])).statusCode).toBe(422);
  expect((await post([event(ago(100))])).statusCode).toBe(202);
});

test('a price that comes late reaches the days that are kept, and two dimensions together stay what one is', async () => {
  await counted();
  await remove();
  await rest();
  await remove();
  await setBook(service, account, {
    preise: [{ modell: 'gibt-es-nicht', saetze: { eingabe: '2', ausgabe: '0' } }],
  });
  await nachpreisenJob({ owner: db, log: service.context.log }, createPriceList()).run();
  const answers = (await sums()) as {
    query: string;
    zeilen: { schluessel: string; kosten_usd: string | null }[];
  }[];
  const costs = (query: string) =>
    Object.fromEntries(
      answers
        .find((answer) => answer.query === query)
        ?.zeilen.map(({ schluessel, kosten_usd }) => [schluessel, kosten_usd]) ?? [],
    );
  const byDay = costs('gruppe=tag');
  expect(byDay[local(ago(90))]).not.toBeNull();
  expect(byDay[local(ago(140))]).toBeNull();
  // All calls are of this end customer.
  expect(costs('gruppe=tag&endkunde=kunde')).toEqual(byDay);
  expect(costs('gruppe=modell&endkunde=kunde')).toEqual(costs('gruppe=modell'));
});

test('a clock that is ahead refuses no event of today, nor has it any removed', async () => {
  await service.sql(`UPDATE uhrstand SET vergangen_bis = now() - interval '400 days'`);
  await remove();
  expect((await post([event(ago(150))])).statusCode).toBe(202);
  await service.sql('UPDATE uhrstand SET vergangen_bis = NULL');
  await remove();
  expect((await post([event(ago(150))])).statusCode).toBe(202);
  await service.sql(`UPDATE uhrstand SET vergangen_bis = 'infinity'`);
  await remove();
  expect((await post([event(ago(150))])).statusCode).toBe(422);
});
