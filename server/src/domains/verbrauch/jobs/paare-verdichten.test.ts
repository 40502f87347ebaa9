import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createPool } from '#platform/database/index.ts';
import { createOwnerDatabase, type OwnerDatabase } from '#platform/database/owner-database.ts';
import { type Account, createKey, registerAccount } from '#test/account.ts';
import { addEvents, type Call } from '#test/rollups.ts';
import { startService, type TestService } from '#test/service.ts';
import { countAll } from '#test/tenants.ts';
import { beginPart, listDay, listPart, lockLists } from '../owner/condense.ts';
import { condenseOpenDays, listBusyDays, paareVerdichtenJob } from './paare-verdichten.ts';

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
  await service.sql('TRUNCATE verbrauch_tagesstand, verbrauch_liste');
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
      'SELECT tag FROM verbrauch_tagesstand WHERE gelistet IS DISTINCT FROM geaendert ORDER BY tag',
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
  await expect(paareVerdichtenJob({ owner, log: service.context.log }).run()).resolves.toEqual({
    tage: 2,
    teile: 0,
    ranglisten: 2,
  });
  expect(await isOpen()).toEqual([today]);
  // From pairs alone: the events of the condensed days are away.
  await service.sql("DELETE FROM ereignisse WHERE mandant_id = $1 AND zeitpunkt < '2026-04-01'", [
    account.mandantId,
  ]);
  expect(await read('gruppe=modell&agent=b')).toEqual([['m', 1]]);
  expect(await read('gruppe=agent&modell=n')).toEqual([['a', 1]]);
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
            if (String(text).startsWith('CLOSE')) await add(call('2026-03-29', 'a', 'n'));
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

test('nothing is written of a Mandant that is removed, or whose lists others are at', async () => {
  const lists = () => service.sql('SELECT FROM verbrauch_liste WHERE mandant_id = $1', [account.mandantId]);
  await add(call('2026-03-29', 'a', 'm'));
  const day = { mandant_id: account.mandantId, zeitzone: 'Europe/Berlin', tag: '2026-03-29' };
  await owner.transaction(async (client) => {
    expect(await lockLists(client, account.mandantId)).toBe(true);
    await condenseOpenDays({ owner, log: service.context.log });
  });
  expect(await lists()).toEqual([]);
  expect(await isOpen()).toEqual(['2026-03-29']);
  const gone = { ...day, mandant_id: '01900000-0000-7000-8000-000000000000' };
  await service.sql('UPDATE verbrauch_tagesstand SET mandant_id = $2 WHERE mandant_id = $1', [
    account.mandantId,
    gone.mandant_id,
  ]);
  await owner.transaction((client) => listDay(client, gone));
  expect(await isOpen()).toEqual(['2026-03-29']);
});

test('lists that others have made are not replaced by what is left of the calls', async () => {
  await add(call('2026-03-29', 'a', 'm'), call('2026-03-30', 'a', 'm'));
  await condenseOpenDays({ owner, log: service.context.log });
  await service.sql('DELETE FROM ereignisse WHERE mandant_id = $1', [account.mandantId]);
  const day = { mandant_id: account.mandantId, zeitzone: 'Europe/Berlin', tag: '2026-03-29' };
  await owner.transaction((client) => listDay(client, day));
  expect(await read('gruppe=modell&agent=a')).toEqual([['m', 2]]);
});

describe('a busy day that is not over', () => {
  /** A zone in which it is about noon, so that hours of today are over. */
  const noon = (() => {
    const ahead = 12 - new Date().getUTCHours();
    // These names count westwards.
    return ahead === 0 ? 'Etc/GMT' : `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`;
  })();
  const now = Temporal.Now.zonedDateTimeISO(noon);
  const tag = now.toPlainDate().toString();
  const at = (time: string) => now.withPlainTime(time).epochMilliseconds;
  const recently = now.epochMilliseconds - 1_000;

  const send = async (agent: string, modell: string, ms: number) => {
    const ereignisse = [{ agent, modell, zeitpunkt: new Date(ms).toISOString() }];
    const payload = { ereignisse };
    const answer = await service.app.inject({
      method: 'POST',
      url: '/v1/ereignisse',
      headers: bearer,
      payload,
    });
    expect(answer.statusCode).toBe(202);
    await countAll(service);
  };
  const listBusy = (many = 2) =>
    listBusyDays({ owner, log: service.context.log }, { now: now.toInstant(), many });
  const ask = async (query = 'gruppe=modell&agent=a') => {
    const url = `/v1/api/verbrauch?von=${tag}&${query}`;
    const { zeilen } = (await service.app.inject({ method: 'GET', url, headers: bearer })).json();
    return zeilen.map((row: { schluessel: string; aufrufe: number }) => [row.schluessel, row.aufrufe]);
  };
  /** What was called early is known from parts alone from now on. */
  const forgetEarlyEvents = () =>
    service.sql('DELETE FROM ereignisse WHERE mandant_id = $1 AND zeitpunkt < $2', [
      account.mandantId,
      new Date(at('11:00')).toISOString(),
    ]);
  const agePart = () =>
    service.sql("UPDATE verbrauch_tagesstand SET teile_am = now() - interval '11 minutes'");

  beforeEach(async () => {
    await service.sql('UPDATE mandanten SET zeitzone = $2 WHERE mandant_id = $1', [account.mandantId, noon]);
    const early = { ...call(tag, 'a', 'm'), ms: at('08:10') };
    const late = { ...call(tag, 'a', 'n'), ms: recently };
    await addEvents(service, account.mandantId, [early, early, { ...early, modell: 'n' }, late], noon);
    // Counting goes on from the numbers that are given.
    await service.sql(
      `INSERT INTO zaehlstaende (mandant_id, merkmale_anzahl)
       SELECT mandant_id, max(merkmal_id) FROM merkmale WHERE mandant_id = $1 GROUP BY 1`,
      [account.mandantId],
    );
  });

  test('has parts once there is enough, and the rest of it is read from its events', async () => {
    expect(await listBusy(4)).toBe(0);
    expect(await listBusy(3)).toBe(1);
    await forgetEarlyEvents();
    expect(await ask()).toEqual([
      ['m', 2],
      ['n', 2],
    ]);
    await send('a', 'o', recently);
    expect(await ask()).toEqual([
      ['m', 2],
      ['n', 2],
      ['o', 1],
    ]);
    // Too few for another part, and too soon.
    expect(await listBusy(1)).toBe(0);
    await agePart();
    expect(await listBusy(1)).toBe(0);
  });

  test('whose window ends before what the parts hold is read from its events', async () => {
    await listBusy();
    const bis = new Date(at('09:00')).toISOString();
    expect(await ask(`gruppe=modell&agent=a&bis=${bis}`)).toEqual([
      ['m', 2],
      ['n', 1],
    ]);
    await forgetEarlyEvents();
    expect(await ask(`gruppe=modell&agent=a&bis=${bis}`)).toEqual([]);
  });

  test('that changed before what the parts hold has none, until they are made anew', async () => {
    await listBusy();
    await send('a', 'm', at('08:20'));
    expect(await ask()).toEqual([
      ['m', 3],
      ['n', 2],
    ]);
    expect(await listBusy()).toBe(0);
    await agePart();
    expect(await listBusy()).toBe(1);
    await forgetEarlyEvents();
    expect(await ask()).toEqual([
      ['m', 3],
      ['n', 2],
    ]);
  });

  test('that the former release has counted to has none: it does not say when the calls were', async () => {
    await listBusy();
    await service.sql('UPDATE verbrauch_tagesstand SET geaendert = geaendert + 1 WHERE mandant_id = $1', [
      account.mandantId,
    ]);
    await forgetEarlyEvents();
    expect(await ask()).toEqual([['n', 1]]);
  });

  test('a call that comes between the setting of the bound and the reading is noticed', async () => {
    const interrupted: OwnerDatabase = {
      ...owner,
      transaction: async (work) => {
        const result = await owner.transaction(work);
        await send('a', 'm', at('08:30'));
        return result;
      },
    };
    await listBusyDays({ owner: interrupted, log: service.context.log }, { now: now.toInstant(), many: 2 });
    // Behind the bound, the parts and the lists of the order.
    expect(await ask()).toEqual([
      ['m', 5],
      ['n', 2],
    ]);
  });

  test('a bound that somebody else sets meanwhile says nothing of the parts, and none goes back', async () => {
    const day = { mandant_id: account.mandantId, zeitzone: noon, tag };
    const bound = (time: string) => new Date(at(time)).toISOString();
    await owner.transaction((client) => beginPart(client, day, bound('08:00')));
    const reading: OwnerDatabase['transaction'] = (work) =>
      owner.transaction(async (client) => {
        const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
        const slow = async (text: string, values?: unknown[]) => {
          if (text === 'CLOSE seiten')
            await owner.transaction((other) => beginPart(other, day, bound('09:00')));
          return query(text, values);
        };
        return work({ ...client, query: slow } as unknown as typeof client);
      });
    await reading((client) => listPart(client, day));
    expect(await ask()).toEqual([
      ['m', 2],
      ['n', 2],
    ]);
    await owner.transaction((client) => beginPart(client, day, bound('07:00')));
    const [state] = await service.sql<{ davor: boolean; bis: boolean }>(
      `SELECT davor = $2::timestamptz AS davor, teile_bis = $3::timestamptz AS bis FROM verbrauch_tagesstand WHERE mandant_id = $1`,
      [account.mandantId, bound('09:00'), bound('08:00')],
    );
    expect(state).toEqual({ davor: true, bis: true });
  });

  test('is listed as a whole out of its parts and what came after them', async () => {
    await listBusy();
    await forgetEarlyEvents();
    await send('b', 'm', recently);
    await owner.transaction((client) =>
      listDay(client, { mandant_id: account.mandantId, zeitzone: noon, tag }),
    );
    await service.sql('DELETE FROM ereignisse WHERE mandant_id = $1', [account.mandantId]);
    const end = now.toPlainDate().add({ days: 1 }).toString();
    expect(await ask(`gruppe=agent&modell=m&bis=${end}`)).toEqual([
      ['a', 2],
      ['b', 1],
    ]);
    const parts = await service.sql('SELECT FROM verbrauch_liste WHERE mandant_id = $1 AND teil > 0', [
      account.mandantId,
    ]);
    expect(parts).toEqual([]);
  });
});
