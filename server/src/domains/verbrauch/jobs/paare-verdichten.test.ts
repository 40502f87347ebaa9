import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createPool } from '#platform/database/index.ts';
import { createOwnerDatabase, type OwnerDatabase } from '#platform/database/owner-database.ts';
import { type Account, createKey, registerAccount } from '#test/account.ts';
import { addEvents, type Call } from '#test/rollups.ts';
import { startService, type TestService } from '#test/service.ts';
import { countAll } from '#test/tenants.ts';
import { condenseOpenDays, paareVerdichtenJob } from './paare-verdichten.ts';

let service: TestService;
let owner: OwnerDatabase;
let account: Account;
let bearer: { authorization: string };

beforeAll(async () => {
  service = await startService();
  const connection = { connection: service.connection, max: 2, statementTimeout: 30_000, name: 'test' };
  owner = createOwnerDatabase(createPool(connection, service.context.log));
});
afterAll(async () => {
  await owner?.close();
  await service?.stop();
});
beforeEach(async () => {
  await service.sql('TRUNCATE verbrauch_tagesstand, verbrauch_paar');
  account = await registerAccount(service);
  bearer = { authorization: `Bearer ${(await createKey(service, account)).secret}` };
});

const call = (day: string, agent: string, modell: string): Call => ({
  ms: Date.parse(`${day}T12:00:00Z`),
  agent,
  projekt: 'p',
  endkunde: null,
  anbieter: null,
  modell,
  funktion: null,
  benutzer: null,
  failed: false,
  geschaetzt: false,
  eingabe_token: 1,
  usd: 10n ** 12n,
});
const add = (...calls: Call[]) => addEvents(service, account.mandantId, calls);
const isOpen = async () =>
  (
    await service.sql<{ tag: string }>(
      'SELECT tag FROM verbrauch_tagesstand WHERE verdichtet IS DISTINCT FROM geaendert ORDER BY tag',
    )
  ).map(({ tag }) => tag);
const read = async (query: string) => {
  const url = `/v1/api/verbrauch?von=2026-01-01&bis=2027-01-01&${query}`;
  const { zeilen } = (await service.app.inject({ method: 'GET', url, headers: bearer })).json();
  return zeilen.map((row: { schluessel: string; aufrufe: number }) => [row.schluessel, row.aufrufe]);
};

test('makes the pairs of days that are over, and leaves today open', async () => {
  const today = Temporal.Now.zonedDateTimeISO('Europe/Berlin').toPlainDate().toString();
  await add(call('2026-03-29', 'a', 'm'), call('2026-03-29', 'a', 'n'), call('2026-03-30', 'b', 'm'));
  await add(call(today, 'a', 'm'));
  await expect(paareVerdichtenJob({ owner, log: service.context.log }).run()).resolves.toEqual({ tage: 2 });
  expect(await isOpen()).toEqual([today]);
  // From pairs alone: the events of the condensed days are away.
  await service.sql("DELETE FROM ereignisse WHERE mandant_id = $1 AND zeitpunkt < '2026-04-01'", [
    account.mandantId,
  ]);
  expect(await read('gruppe=modell&agent=b')).toEqual([['m', 1]]);
  expect(await read('gruppe=agent&modell=n')).toEqual([['a', 1]]);
});

test('a figure that no pair of a value has takes no room, and reads as 0', async () => {
  await add(call('2026-03-29', 'a', 'm'), { ...call('2026-03-29', 'a', 'n'), failed: true });
  await add(call('2026-03-29', 'b', 'm'));
  await condenseOpenDays({ owner, log: service.context.log });
  const stored = await service.sql(
    `SELECT m.text AS agent, fehler, denk_token, geschaetzt_eur IS NULL AS without FROM verbrauch_paar p
     JOIN merkmale m USING (mandant_id, merkmal_id) JOIN merkmale n ON n.merkmal_id = p.andere[1] AND n.mandant_id = p.mandant_id
     WHERE n.text IN ('m', 'n') AND m.text IN ('a', 'b') ORDER BY 1`,
  );
  expect(stored).toEqual([
    { agent: 'a', fehler: expect.arrayContaining(['0', '1']), denk_token: null, without: false },
    { agent: 'b', fehler: null, denk_token: null, without: false },
  ]);
  for (const agent of ['a', 'b']) {
    const url = `/v1/api/verbrauch?von=2026-01-01&bis=2027-01-01&gruppe=modell&agent=${agent}`;
    const { zeilen } = (await service.app.inject({ method: 'GET', url, headers: bearer })).json();
    const none = { denk_token: 0, cache_lese_token: 0, geschaetzt: 0, teilbepreist: 0 };
    expect(zeilen).toEqual(
      [...(agent === 'a' ? ['m', 'n'] : ['m'])].map((schluessel) =>
        expect.objectContaining({ schluessel, ...none, fehler: schluessel === 'n' ? 1 : 0 }),
      ),
    );
  }
});

test('makes them anew when the day has changed, with what came later', async () => {
  await add(call('2026-03-29', 'a', 'm'));
  await condenseOpenDays({ owner, log: service.context.log });
  expect(await condenseOpenDays({ owner, log: service.context.log })).toBe(0);
  await add(call('2026-03-29', 'a', 'm'), call('2026-03-29', 'a', 'n'));
  expect(await isOpen()).toEqual(['2026-03-29']);
  expect(await read('gruppe=modell&agent=a')).toEqual([
    ['m', 2],
    ['n', 1],
  ]);
  expect(await condenseOpenDays({ owner, log: service.context.log })).toBe(1);
  expect(await isOpen()).toEqual([]);
  expect(await read('gruppe=modell&agent=a')).toEqual([
    ['m', 2],
    ['n', 1],
  ]);
});

test('a day that changes while it is condensed stays open, so that its events are read', async () => {
  await add(call('2026-03-29', 'a', 'm'));
  const interrupted: OwnerDatabase = {
    ...owner,
    transaction: (work) =>
      owner.transaction(async (client) => {
        const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
        const slow = {
          query: async (text: string, values?: unknown[]) => {
            const result = await query(text, values);
            if (text.startsWith('INSERT INTO calls_of_day')) await add(call('2026-03-29', 'a', 'n'));
            return result;
          },
        };
        return work(slow as unknown as typeof client);
      }),
  };
  await condenseOpenDays({ owner: interrupted, log: service.context.log });
  expect(await isOpen()).toEqual(['2026-03-29']);
  expect(await read('gruppe=modell&agent=a')).toEqual([
    ['m', 1],
    ['n', 1],
  ]);
});

test('a day that changes all the time is condensed after a quarter of an hour, and then a quarter of an hour later', async () => {
  const opened = (ago: string) =>
    service.sql(`UPDATE verbrauch_tagesstand SET offen_seit = now() - $1::interval`, [ago]);
  const send = async () => {
    const ereignisse = [{ agent: 'a', modell: 'm', zeitpunkt: '2026-03-29T12:00:00Z' }];
    const request = {
      method: 'POST',
      url: '/v1/ereignisse',
      headers: bearer,
      payload: { ereignisse },
    } as const;
    expect((await service.app.inject(request)).statusCode).toBe(202);
    await countAll(service);
  };
  const condense = () => condenseOpenDays({ owner, log: service.context.log });
  await send();
  expect(await condense()).toBe(0);
  for (let times = 0; times < 2; times += 1) {
    await opened('14 minutes');
    await send();
    expect(await condense()).toBe(0);
    await opened('16 minutes');
    await send();
    expect(await condense()).toBe(1);
    await send();
    expect(await condense()).toBe(0);
  }
});
