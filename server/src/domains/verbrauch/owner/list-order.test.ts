import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { mandantId } from '#kernel/mandant-id.ts';
import { createPool } from '#platform/database/index.ts';
import { createOwnerDatabase, type OwnerDatabase } from '#platform/database/owner-database.ts';
import { type Account, createKey, registerAccount } from '#test/account.ts';
import { addEvents, type Call } from '#test/rollups.ts';
import { startService, type TestService } from '#test/service.ts';
import { addUpSingles, countAll } from '#test/tenants.ts';
import { condenseOpenDays, listOrders } from '../jobs/paare-verdichten.ts';
import { readListed } from '../store/order.ts';
import { beginPart, listPart, lockLists } from './condense.ts';
import { listOrder, listOrderSoFar } from './list-order.ts';

const ZONE = 'Europe/Berlin';
let service: TestService;
let owner: OwnerDatabase;
let account: Account;
let bearer: { authorization: string };

beforeAll(async () => {
  service = await startService();
  service.clock.set('2026-04-08T12:00:00Z');
  const connection = { connection: service.connection, max: 2, statementTimeout: 30_000, name: 'test' };
  owner = createOwnerDatabase(createPool(connection, service.context.log));
});
afterAll(async () => {
  await owner?.close();
  await service?.stop();
});
beforeEach(async () => {
  await service.sql('TRUNCATE verbrauch_tagesstand');
  account = await registerAccount(service);
  bearer = { authorization: `Bearer ${(await createKey(service, account)).secret}` };
});

/** A call that costs so many USD. */
const call = (day: string, endkunde: string, usd: number, time = '12:00'): Call => ({
  ms: Temporal.ZonedDateTime.from(`${day}T${time}[${ZONE}]`).epochMilliseconds,
  agent: 'a',
  projekt: 'p',
  endkunde,
  anbieter: null,
  modell: 'm',
  funktion: null,
  benutzer: null,
  failed: false,
  geschaetzt: false,
  eingabe_token: 1,
  usd: BigInt(usd) * 10n ** 12n,
});
const add = async (...calls: Call[]) => {
  await addEvents(service, account.mandantId, calls);
  // Counting goes on from the numbers that are given.
  await service.sql(
    `INSERT INTO zaehlstaende (mandant_id, merkmale_anzahl)
     SELECT mandant_id, max(merkmal_id) FROM merkmale WHERE mandant_id = $1 GROUP BY 1
     ON CONFLICT (mandant_id) DO UPDATE SET merkmale_anzahl = excluded.merkmale_anzahl`,
    [account.mandantId],
  );
};
/** Counts calls that are kept one by one; an input of a million tokens is 0.15 USD. */
const send = async (day: string, endkunde: string, calls: number) => {
  const zeitpunkt = `${day}T10:30:00Z`;
  const event = { agent: 'a', modell: 'gpt-4o-mini', anbieter: 'openai', endkunde_ref: endkunde, zeitpunkt };
  const ereignisse = Array.from({ length: calls }, () => ({
    ...event,
    eingabe_token: 1_000_000,
    ausgabe_token: 0,
  }));
  const request = {
    method: 'POST',
    url: '/v1/ereignisse',
    headers: bearer,
    payload: { ereignisse },
  } as const;
  expect((await service.app.inject(request)).statusCode).toBe(202);
  await countAll(service);
};
const job = () => ({ owner, log: service.context.log });
/** Makes all lists of days that are over. */
const list = async (many = 1) => {
  await service.sql("UPDATE verbrauch_tagesstand SET geaendert_am = now() - interval '1 hour'");
  await condenseOpenDays(job());
  await listOrders(job(), many);
};

/** What is listed of a window, the days with their number. */
async function listed(von: string, bis: string): Promise<string[]> {
  const [from, to] = [von, bis].map((day) => Temporal.PlainDate.from(day).toZonedDateTime(ZONE));
  const window = { von: from as Temporal.ZonedDateTime, bis: to as Temporal.ZonedDateTime };
  const found = await service.context.db.forMandant(mandantId(account.mandantId), (tx) =>
    readListed(tx, window, 'endkunde'),
  );
  return found?.times.map(({ tag, tage }) => `${tag} ${tage}`) ?? [];
}
interface Answer {
  zeilen: { schluessel: string; aufrufe: number; kosten_usd: string }[];
  rest: { gruppen: number; aufrufe: number; kosten_usd: string } | null;
  weiter: string | null;
}
const ask = async (limit: number, query = ''): Promise<Answer> => {
  const url = `/v1/api/verbrauch?gruppe=endkunde&von=2026-03-20&bis=2026-04-05&limit=${limit}${query}`;
  return (await service.app.inject({ method: 'GET', url, headers: bearer })).json();
};
const order = async (limit = 10) =>
  (await ask(limit)).zeilen.map(({ schluessel, aufrufe }) => [schluessel, aufrufe]);

const WEEK = ['23', '24', '25', '26', '27', '28', '29'].map((day) => `2026-03-${day}`);

test('a week takes the place of its days once all of these are listed', async () => {
  await add(...WEEK.slice(0, 6).map((day) => call(day, 'k', 1)), call('2026-03-30', 'k', 1));
  await list();
  expect(await listed('2026-03-20', '2026-04-05')).toEqual(['2026-03-23 7', '2026-03-30 1']);
  // Only what lies within the window.
  expect(await listed('2026-03-24', '2026-03-31')).toEqual([
    ...WEEK.slice(1, 6).map((day) => `${day} 1`),
    '2026-03-30 1',
  ]);
  await add(call('2026-03-29', 'k', 1));
  expect(await listed('2026-03-20', '2026-03-30')).toEqual(WEEK.slice(0, 6).map((day) => `${day} 1`));
  await list();
  expect(await listed('2026-03-20', '2026-03-30')).toEqual(['2026-03-23 7']);
});

test('nothing is listed of few values, and of a time that lists are scattered over', async () => {
  await add(call('2026-03-23', 'k', 1), call('2026-03-23', 'l', 1));
  await list(3);
  expect(await listed('2026-03-20', '2026-04-05')).toEqual([]);
  await service.sql('UPDATE verbrauch_tagesstand SET rang_gelistet = NULL');
  await list(2);
  expect(await listed('2026-03-20', '2026-04-05')).toEqual(['2026-03-23 7']);
  const days = Array.from({ length: 8 }, (_, index) =>
    Temporal.PlainDate.from('2026-03-02')
      .add({ days: 2 * index })
      .toString(),
  );
  await add(...days.flatMap((day) => [call(day, 'k', 1), call(day, 'l', 1)]));
  await service.sql("UPDATE verbrauch_tagesstand SET gelistet = geaendert WHERE tag < '2026-03-20'");
  for (const tag of days)
    await owner.transaction((client) =>
      listOrder(client, { mandant_id: account.mandantId, zeitzone: ZONE, tag }, 2),
    );
  await service.sql("DELETE FROM verbrauch_rangliste WHERE tage = 7 AND tag < '2026-03-20'");
  expect(await listed('2026-03-02', '2026-03-05')).toEqual(['2026-03-02 1', '2026-03-04 1']);
  expect(await listed('2026-03-01', '2026-03-20')).toEqual([]);
});

test('the dearest come first, page by page, and the rest agrees', async () => {
  await add(
    ...WEEK.map((day, index) => call(day, `k${index}`, index + 1)),
    call('2026-03-23', 'k6', 1),
    call('2026-03-31', 'k2', 9),
  );
  await list();
  const first = await ask(2);
  expect(first.zeilen).toMatchObject([
    { schluessel: 'k2', aufrufe: 2, kosten_usd: '12' },
    { schluessel: 'k6', aufrufe: 2, kosten_usd: '8' },
  ]);
  expect(first.rest).toMatchObject({ gruppen: 5, aufrufe: 5, kosten_usd: '18' });
  const second = await ask(3, `&nach=${encodeURIComponent(first.weiter as string)}`);
  expect(second.zeilen.map(({ schluessel }) => schluessel)).toEqual(['k5', 'k4', 'k3']);
  // In between a call comes for a day that is listed.
  await add(call('2026-03-24', 'k0', 100));
  expect(await order(2)).toEqual([
    ['k0', 2],
    ['k2', 2],
  ]);
});

test('what was read of lists is remembered until they are others, and stays as it was read', async () => {
  await add(call('2026-03-23', 'k', 1), call('2026-03-23', 'l', 2));
  await list();
  await add(call('2026-04-02', 'k', 5));
  const ordered = [
    ['k', 2],
    ['l', 1],
  ];
  expect(await order()).toEqual(ordered);
  await service.sql("UPDATE verbrauch_rangliste SET liste = '' WHERE mandant_id = $1", [account.mandantId]);
  expect(await order()).toEqual(ordered);
  // What lies around the lists is read each time.
  await add(call('2026-04-02', 'l', 9), call('2026-04-02', 'm', 1));
  const changed = [['l', 2], ...ordered.slice(0, 1), ['m', 1]];
  expect(await order()).toEqual(changed);
  expect(await order()).toEqual(changed);
  await add(call('2026-03-23', 'm', 30));
  await list();
  expect(await order()).toEqual([['m', 2], ...changed.slice(0, 2)]);
});

test('a change while the lists are made leaves them unused', async () => {
  await add(call('2026-03-23', 'k', 1), call('2026-03-23', 'l', 2));
  await condenseOpenDays(job());
  const interrupted: OwnerDatabase = {
    ...owner,
    transaction: (work) =>
      owner.transaction(async (client) => {
        const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
        const slow = async (text: string, values?: unknown[]) => {
          const result = await query(text, values);
          if (String(text).startsWith('SELECT sum(geaendert)') && values?.[2] === 1)
            await add(call('2026-03-23', 'k', 5));
          return result;
        };
        return work({ ...client, query: slow } as unknown as typeof client);
      }),
  };
  await listOrders({ ...job(), owner: interrupted }, 1);
  expect(await listed('2026-03-20', '2026-04-05')).toEqual([]);
  expect(await order(1)).toEqual([['k', 2]]);
});

test('calls that are kept one by one are in the lists once, before and after they are added up', async () => {
  await send('2026-03-23', 'k', 3);
  await addUpSingles(service);
  await send('2026-03-23', 'l', 2);
  await add(call('2026-04-01', 'm', 1));
  await send('2026-04-01', 'n', 1);
  await list();
  expect(await listed('2026-03-20', '2026-04-05')).toEqual(['2026-03-23 7', '2026-04-01 1']);
  // Counted twice, they would put l before k.
  const ordered = [
    ['m', 1],
    ['k', 3],
    ['l', 2],
    ['n', 1],
  ];
  expect(await order()).toEqual(ordered);
  await addUpSingles(service);
  expect(await order()).toEqual(ordered);
});

test('nothing is written while others are at the lists of the Mandant', async () => {
  await add(call('2026-03-23', 'k', 1));
  await condenseOpenDays(job());
  await owner.transaction(async (client) => {
    expect(await lockLists(client, account.mandantId)).toBe(true);
    await listOrders(job(), 1);
  });
  expect(await listed('2026-03-20', '2026-04-05')).toEqual([]);
  await listOrders(job(), 1);
  expect(await listed('2026-03-20', '2026-04-05')).toEqual(['2026-03-23 7']);
});

describe('a day that is not over', () => {
  const day = '2026-03-31';
  const bound = Temporal.ZonedDateTime.from(`${day}T12:00[${ZONE}]`).toInstant().toString();
  const listParts = async () => {
    const own = { mandant_id: account.mandantId, zeitzone: ZONE, tag: day };
    await owner.transaction((client) => beginPart(client, own, bound));
    await owner.transaction((client) => listPart(client, own));
    await owner.transaction((client) => listOrderSoFar(client, own, 1));
  };

  test('is listed up to where its parts go, as long as nothing before changes', async () => {
    await add(call(day, 'k', 3, '08:00'), call(day, 'l', 2, '08:00'), call(day, 'l', 2, '13:00'));
    await listParts();
    expect(await listed('2026-03-20', '2026-04-05')).toEqual([`${day} 0`]);
    expect(await order()).toEqual([
      ['l', 2],
      ['k', 1],
    ]);
    await service.sql('UPDATE verbrauch_tagesstand SET geaendert = geaendert + 1');
    expect(await listed('2026-03-20', '2026-04-05')).toEqual([]);
  });

  test('calls that are kept one by one are in its list once, before and behind the bound', async () => {
    await add(call(day, 'm', 1, '08:00'));
    // 12:30 in Berlin, then an hour before.
    await send(day, 'n', 4);
    const before = Temporal.Instant.from(bound).subtract({ hours: 1 }).toString();
    await service.sql('UPDATE verbrauch_einzeln SET stunde = $2 WHERE mandant_id = $1', [
      account.mandantId,
      before,
    ]);
    await send(day, 'l', 3);
    await listParts();
    expect(await listed('2026-03-20', '2026-04-05')).toEqual([`${day} 0`]);
    await send(day, 'l', 2);
    expect(await listed('2026-03-20', '2026-04-05')).toEqual([`${day} 0`]);
    const ordered = [
      ['m', 1],
      ['l', 5],
      ['n', 4],
    ];
    expect(await order()).toEqual(ordered);
    await addUpSingles(service);
    expect(await order()).toEqual(ordered);
  });

  test('is listed as a whole once it is over', async () => {
    await add(call(day, 'k', 3, '08:00'));
    await listParts();
    await list();
    expect(await listed('2026-03-20', '2026-04-05')).toEqual([`${day} 1`]);
    expect(
      await service.sql('SELECT FROM verbrauch_rangliste WHERE tage = 0 AND mandant_id = $1', [
        account.mandantId,
      ]),
    ).toEqual([]);
  });
});
