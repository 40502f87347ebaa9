/** A job exists exactly when its transaction commits, and belongs to the Mandant of the transaction. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import Type from 'typebox';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createListener } from '#platform/database/index.ts';
import { createJobsBench, type JobsBench, newMandant } from '#test/jobs.ts';
import { CHANNEL, enqueue, enqueueFor } from './enqueue.ts';
import { defineJob } from './job.ts';

const kind = defineJob({ id: 'test.auftrag', version: 4, payload: Type.Object({ nr: Type.Integer() }) });
const ours = newMandant();
const theirs = newMandant();

let bench: JobsBench;
beforeAll(async () => {
  bench = await createJobsBench();
});
afterAll(() => bench?.stop());
beforeEach(() => bench.sql('DELETE FROM auftraege'));

const waiting = () =>
  bench.sql('SELECT mandant_id, job, fassung, nutzlast, versuche, geplant FROM auftraege');
const row = (mandant: string) => ({
  mandant_id: mandant,
  job: 'test.auftrag',
  fassung: 4,
  nutzlast: { nr: 1 },
  versuche: 0,
  geplant: false,
});

/** Puts one in, in a transaction of a request or of the owner; then `after` happens inside it. */
const putIn = {
  'of a request': (after: () => Promise<void>) =>
    bench.db.forMandant(ours, async (tx) => {
      await enqueue(tx, kind, { nr: 1 });
      await after();
    }),
  'of the owner': (after: () => Promise<void>) =>
    bench.owner.transaction(async (client) => {
      await enqueueFor(client, ours, kind, { nr: 1 });
      await after();
    }),
};

describe.each(Object.entries(putIn))('in a transaction %s', (_name, put) => {
  test('it is there with the commit, not before', async () => {
    await put(async () => {
      expect(await waiting()).toEqual([]);
    });
    expect(await waiting()).toEqual([row(ours)]);
  });

  test('it is not there when the transaction is undone', async () => {
    await expect(put(() => Promise.reject(new Error('undone')))).rejects.toThrow('undone');
    expect(await waiting()).toEqual([]);
  });

  test('the commit is heard, and nothing else', async () => {
    const heard: string[] = [];
    const listening = Promise.withResolvers<void>();
    const listener = createListener({
      connection: bench.connection,
      channel: CHANNEL,
      onNotice: (notice) => heard.push(notice),
      onListening: listening.resolve,
      log: bench.log,
    });
    await listening.promise;
    await put(() => Promise.reject(new Error('undone'))).catch(() => undefined);
    await put(async () => {
      await bench.sql(`SELECT pg_notify('${CHANNEL}', 'before')`);
    });
    await expect.poll(() => heard).toEqual(['before', 'test.auftrag']);
    await listener.stop();
  });
});

test('a payload that is none is refused before anything is written', async () => {
  const put = bench.db.forMandant(ours, (tx) => enqueue(tx, kind, { nr: 'eins' } as never));
  await expect(put).rejects.toThrow(TypeError);
  expect(await waiting()).toEqual([]);
});

/** SQL as the taker-over of a request could send it; the SQLSTATE when it is refused. */
const attempt = (statement: ReturnType<typeof sql>) =>
  bench.db
    .forMandant(ours, (tx) => statement.execute(tx))
    .then(
      () => 'done',
      (error: { code?: string }) => error.code,
    );
const insert = (mandant: string, more: Record<string, unknown> = {}) => {
  const values = {
    mandant_id: mandant,
    auftrag_id: randomUUID(),
    job: 'x',
    fassung: 1,
    nutzlast: '{}',
    ...more,
  };
  const columns = sql.join(Object.keys(values).map((name) => sql.ref(name)));
  return attempt(sql`INSERT INTO auftraege (${columns}) VALUES (${sql.join(Object.values(values))})`);
};

describe('a request', () => {
  test('puts jobs in for its own Mandant and for nobody else', async () => {
    expect(await insert(ours)).toBe('done');
    expect(await insert(theirs)).toBe('42501');
    expect(await insert('00000000-0000-0000-0000-000000000000')).toBe('42501');
    expect(await waiting()).toMatchObject([{ mandant_id: ours }]);
  });

  test('does not say when they run, how often they were tried, or that the clock has caused them', async () => {
    for (const more of [{ faellig_am: 'now' }, { versuche: 9 }, { geplant: true }, { aufgegeben_am: 'now' }])
      expect(await insert(ours, more), JSON.stringify(more)).toBe('42501');
  });

  test('neither reads, changes nor removes them', async () => {
    await insert(ours);
    expect(await attempt(sql`SELECT FROM auftraege`)).toBe('42501');
    expect(await attempt(sql`UPDATE auftraege SET versuche = 0`)).toBe('42501');
    expect(await attempt(sql`DELETE FROM auftraege`)).toBe('42501');
  });

  test('bound to nobody, puts nothing in', async () => {
    const unbound = bench.db.transaction((client) =>
      client.query(
        `INSERT INTO auftraege (mandant_id, auftrag_id, job, fassung, nutzlast) VALUES ($1, $2, 'x', 1, '{}')`,
        [ours, randomUUID()],
      ),
    );
    await expect(unbound).rejects.toMatchObject({ code: '42501' });
  });
});
