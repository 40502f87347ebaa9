/** What counting leaves for others: marks in order, acted on exactly once, and never in the way of counting. */

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { recordLastCalls } from '#domains/katalog/index.ts';
import { RunMemory, readRunsAnew } from '#domains/laeufe/index.ts';
import { createPriceList } from '#domains/preise/index.ts';
import { createPool } from '#platform/database/index.ts';
import { createOwnerDatabase, type OwnerDatabase } from '#platform/database/owner-database.ts';
import { createKey, registerAccount } from '#test/account.ts';
import { startService, type TestService } from '#test/service.ts';
import { createCountingWorker, createMarkConsumer } from './index.ts';
import type { Mark, MarkHandler } from './marks.ts';

/** Bytes that a memory of runs has. */
const ROOM = 2 ** 20;

let service: TestService;
let db: OwnerDatabase;
beforeAll(async () => {
  service = await startService();
  const options = { connection: service.connection, max: 8, statementTimeout: 30_000, name: 'test' };
  db = createOwnerDatabase(createPool(options, service.context.log));
});
afterAll(async () => {
  await db?.close();
  await service?.stop();
});

interface Sender {
  mandantId: string;
  schluesselId: string;
  /** Sends and counts, by a process that remembers runs here. */
  count(ereignisse: object[], runs?: RunMemory): Promise<void>;
}

async function createSender(): Promise<Sender> {
  const account = await registerAccount(service);
  const { secret, schluesselId } = await createKey(service, account);
  return {
    mandantId: account.mandantId,
    schluesselId,
    async count(ereignisse, runs = new RunMemory(ROOM)) {
      const answer = await service.app.inject({
        method: 'POST',
        url: '/v1/ereignisse',
        headers: { authorization: `Bearer ${secret}` },
        payload: { ereignisse },
      });
      expect(answer.statusCode).toBe(202);
      const { log } = service.context;
      await createCountingWorker({
        db,
        log,
        prices: createPriceList(),
        substituteRate: '0.86',
        runs,
      }).drain();
    },
  };
}

const consumer = (...handlers: MarkHandler[]) =>
  createMarkConsumer({ db, log: service.context.log, handlers });

/** Notes what it is given. */
function createNotes() {
  const notes: { mandant: string; mark: Mark }[] = [];
  const handle: MarkHandler = async (_, marks) => {
    for (const mark of marks) notes.push({ mandant: mark.mandant, mark });
  };
  return { handle, of: ({ mandantId }: Sender) => notes.filter(({ mandant }) => mandant === mandantId) };
}

let sender: Sender;
beforeEach(async () => {
  sender = await createSender();
  await consumer().drain();
});

describe('a mark', () => {
  test('names what its transaction changed: values, runs, days, keys, agents with their last calls', async () => {
    const lauf = randomUUID();
    const runs = new RunMemory(ROOM);
    const call = { agent: 'a', modell: 'm', endkunde_ref: 'k', lauf_id: lauf };
    const calls = [
      { ...call, zeitpunkt: '2026-10-24T22:30:00Z' },
      { ...call, zeitpunkt: '2026-10-24T21:30:00.123456Z' },
    ];
    await sender.count(calls, runs);
    const notes = createNotes();
    await consumer(notes.handle).drain();
    const [{ mark } = { mark: null }] = notes.of(sender);
    expect(mark).toMatchObject({
      nummer: 1,
      schluessel: [sender.schluesselId],
      agenten: ['a'],
      aufrufe_am: ['2026-10-24 22:30:00+00'],
      kosten: [0],
      laeufe: [lauf],
      gedaechtnis: runs.id,
    });
    expect(mark?.tage.toSorted()).toEqual(['2026-10-24', '2026-10-25']);
    const named = await service.sql<{ text: string }>(
      'SELECT text FROM merkmale WHERE mandant_id = $1 AND merkmal_id = ANY($2::int[]) ORDER BY dimension',
      [sender.mandantId, mark?.merkmale],
    );
    expect(named.map(({ text }) => text)).toEqual(['a', 'standard', 'k', '', 'm', '', '']);
  });

  test('is left by what was counted, not by what was repeated', async () => {
    const event = { ereignis_id: randomUUID(), agent: 'a' };
    await sender.count([event]);
    await sender.count([event]);
    await sender.count([event, { agent: 'b' }]);
    const notes = createNotes();
    await consumer(notes.handle).drain();
    expect(notes.of(sender).map(({ mark }) => [mark.nummer, mark.agenten])).toEqual([
      [1, ['a']],
      [2, ['b']],
    ]);
  });

  test('is given once, in order, though several take them at the same time', async () => {
    for (let index = 0; index < 12; index += 1) await sender.count([{ agent: `a${index}` }]);
    const notes = createNotes();
    await Promise.all(Array.from({ length: 4 }, () => consumer(notes.handle).drain()));
    await consumer(notes.handle).drain();
    expect(notes.of(sender).map(({ mark }) => mark.nummer)).toEqual(
      Array.from({ length: 12 }, (_, n) => n + 1),
    );
  });
});

describe('a fault of those who act on marks', () => {
  test('leaves them there, undoes what was done about them, and holds up no other Mandant', async () => {
    const other = await createSender();
    await sender.count([{ agent: 'a' }]);
    await other.count([{ agent: 'b' }]);
    const notes = createNotes();
    const fails: MarkHandler = async (client, marks) => {
      const mandanten = marks.map(({ mandant }) => mandant);
      await client.query(`UPDATE agenten SET name = 'angefasst' WHERE mandant_id = ANY($1::uuid[])`, [
        mandanten,
      ]);
      if (mandanten.includes(sender.mandantId)) throw new Error('injected');
    };
    await expect(consumer(fails, notes.handle).drain()).rejects.toThrow('injected');
    expect(notes.of(sender)).toHaveLength(0);
    expect(notes.of(other)).toHaveLength(1);
    const names = await service.sql<{ name: string }>('SELECT name FROM agenten WHERE mandant_id = $1', [
      sender.mandantId,
    ]);
    expect(names).toEqual([{ name: 'a' }]);

    await consumer(notes.handle).drain();
    expect(notes.of(sender)).toHaveLength(1);
  });

  test('holds up no counting', async () => {
    const fails: MarkHandler = async () => {
      throw new Error('injected');
    };
    await sender.count([{ agent: 'a' }]);
    await expect(consumer(fails).drain()).rejects.toThrow('injected');
    await sender.count([{ agent: 'a' }]);
    const [row] = await service.sql(
      `SELECT (SELECT ereignisse_gesamt FROM zaehlstaende WHERE mandant_id = $1) AS gezaehlt,
        (SELECT count(*)::int FROM eingang_unzaehlbar WHERE mandant_id = $1) AS aside`,
      [sender.mandantId],
    );
    expect(row).toEqual({ gezaehlt: 2, aside: 0 });
  });
});

test('the last call of an agent is recorded, and never goes back', async () => {
  const lastCall = async () => {
    await consumer(recordLastCalls).drain();
    const [row] = await service.sql<{ letzter_aufruf_am: string }>(
      'SELECT letzter_aufruf_am FROM agenten WHERE mandant_id = $1',
      [sender.mandantId],
    );
    return row?.letzter_aufruf_am;
  };
  await sender.count([{ agent: 'a', zeitpunkt: '2026-11-20T10:00:00Z' }]);
  expect(await lastCall()).toBe('2026-11-20T10:00:00Z');
  await sender.count([{ agent: 'a', zeitpunkt: '2026-11-20T09:00:00Z' }]);
  expect(await lastCall()).toBe('2026-11-20T10:00:00Z');
  await sender.count([{ agent: 'a', zeitpunkt: '2026-11-20T11:00:00Z' }]);
  expect(await lastCall()).toBe('2026-11-20T11:00:00Z');
});

describe('what is remembered of a run', () => {
  const call = (lauf_id: string, schritt_nr: number, more = {}) => ({
    lauf_id,
    schritt_nr,
    agent: 'a',
    anbieter: 'openai',
    modell: 'gpt-4o-mini',
    eingabe_token: 100 * schritt_nr,
    ausgabe_token: 1,
    prompt_fingerabdruck: '00ff00ff00ff00ff',
    werkzeug_fingerabdruck: '1111111111111111',
    zeitpunkt: `2026-11-20T10:00:${String(schritt_nr).padStart(2, '0')}Z`,
    ...more,
  });
  let runs: RunMemory;
  beforeEach(() => {
    runs = new RunMemory(ROOM);
  });
  /** But for the id of the last event, states of runs with the same steps are the same. */
  const read = (lauf: string, memory = runs) => {
    const { state, ...run } = memory.read(sender.mandantId, lauf) ?? {};
    return { ...run, state: { ...state, lastId: null } };
  };
  const isStale = (lauf: string) => read(lauf).state.stale;
  /** As those do who take the marks. */
  const takeMarks = (memory = runs) =>
    consumer(async (client, marks) => {
      for (const { mandant, laeufe, gedaechtnis } of marks) {
        const isOwn = gedaechtnis === memory.id;
        const marked = { mandant, certain: isOwn ? laeufe : [], others: isOwn ? [] : laeufe };
        await readRunsAnew(client, memory, marked, performance.now());
      }
    }).drain();

  test('is the same whether its events come at once, one by one, out of order, or are counted elsewhere', async () => {
    const [atOnce, oneByOne, shuffled, elsewhere] = [1, 2, 3, 4].map(() => randomUUID());
    const calls = (lauf = '') => [1, 2, 3, 4, 5, 6].map((step) => call(lauf, step));
    await sender.count(calls(atOnce), runs);
    for (const each of calls(oneByOne)) await sender.count([each], runs);
    for (const step of [4, 6, 1, 2, 5, 3]) await sender.count([call(shuffled as string, step)], runs);
    await sender.count(calls(elsewhere));
    expect(isStale(shuffled as string)).toBe(true);
    expect(read(elsewhere as string).state.calls).toBeUndefined();
    await takeMarks();
    const [first, ...others] = [atOnce, oneByOne, shuffled, elsewhere].map((lauf) => ({
      ...read(lauf as string),
      anew: null,
    }));
    expect(first).toMatchObject({ aufrufe: 6, agent: 'a', state: { stale: false, calls: 6 } });
    expect(others).toEqual([first, first, first]);
  });

  test('goes on where another process, or one before a restart, has counted the beginning', async () => {
    const lauf = randomUUID();
    await sender.count([1, 2, 3].map((step) => call(lauf, step)));
    await takeMarks();
    runs = new RunMemory(ROOM);
    await sender.count([call(lauf, 4)], runs);
    expect(isStale(lauf)).toBe(true);
    await takeMarks();
    expect(read(lauf)).toMatchObject({
      aufrufe: 4,
      state: { calls: 4, stale: false, streak: { length: 4 } },
    });
    await sender.count([call(lauf, 5)]);
    await takeMarks();
    expect(read(lauf)).toMatchObject({ aufrufe: 5, state: { calls: 5, streak: { length: 5 } } });
  });

  test('is not that of calls that have changed since', async () => {
    const lauf = randomUUID();
    await sender.count([call(lauf, 1)], runs);
    await service.sql('UPDATE laeufe SET fassung = fassung + 1 WHERE lauf_id = $1', [lauf]);
    await sender.count([call(lauf, 2)], runs);
    expect(isStale(lauf)).toBe(true);
    await takeMarks();
    expect(isStale(lauf)).toBe(false);
  });

  test('leaves out calls that are undone', async () => {
    const lauf = randomUUID();
    await sender.count([call(lauf, 1)], runs);
    await service.sql(
      `CREATE FUNCTION zw_test_refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'injected' USING ERRCODE = '40001'; END $$`,
    );
    await service.sql(
      `CREATE CONSTRAINT TRIGGER refuse AFTER INSERT ON zaehlmarken DEFERRABLE INITIALLY DEFERRED
       FOR EACH ROW EXECUTE FUNCTION zw_test_refuse()`,
    );
    await expect(sender.count([call(lauf, 2)], runs)).rejects.toThrow('injected');
    expect(runs.read(sender.mandantId, lauf)).toBeNull();
    await service.sql('DROP TRIGGER refuse ON zaehlmarken');
    await service.sql('DROP FUNCTION zw_test_refuse');
    await sender.count([call(lauf, 3)], runs);
    await takeMarks();
    expect(read(lauf)).toMatchObject({ aufrufe: 3, state: { calls: 3, stale: false } });
  });
});
