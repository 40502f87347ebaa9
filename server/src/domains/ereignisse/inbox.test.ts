/** Batch and idempotency key are one: a fault between the two leaves neither, and the same request may come again. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createKey, registerAccount } from '#test/account.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
let secret: string;
let mandantId: string;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.stop());
beforeEach(async () => {
  const account = await registerAccount(service);
  mandantId = account.mandantId;
  secret = (await createKey(service, account)).secret;
});
afterEach(() => service.sql('DROP FUNCTION IF EXISTS bruch CASCADE'));

const send = (key?: string, agent = 'a') =>
  service.app.inject({
    method: 'POST',
    url: '/v1/ereignisse',
    headers: { authorization: `Bearer ${secret}`, ...(key === undefined ? {} : { 'idempotency-key': key }) },
    payload: { ereignisse: [{ agent }] },
  });

const stored = async () => {
  const [row] = await service.sql(
    `SELECT (SELECT count(*) FROM eingang WHERE mandant_id = $1)::int AS batches,
       (SELECT count(*) FROM idempotenz WHERE mandant_id = $1)::int AS keys`,
    [mandantId],
  );
  return row;
};

/** Makes the database refuse rows of this Mandant in a table, with the given SQLSTATE. */
const breakTable = (table: string, sqlstate: string) =>
  service.sql(
    `CREATE FUNCTION bruch() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       IF NEW.mandant_id = '${mandantId}' THEN RAISE EXCEPTION 'injected' USING ERRCODE = '${sqlstate}'; END IF;
       RETURN NEW;
     END $$;
     CREATE TRIGGER bruch BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION bruch()`,
  );

describe('a fault while a batch is written', () => {
  test.each(['eingang', 'idempotenz'])('in %s leaves neither batch nor key', async (table) => {
    await breakTable(table, 'XX000');
    const key = randomUUID();
    expect((await send(key)).statusCode).toBe(500);
    expect(await stored()).toEqual({ batches: 0, keys: 0 });
    await service.sql('DROP FUNCTION bruch CASCADE');
    const again = await send(key);
    expect(again.statusCode).toBe(202);
    expect(again.headers).not.toHaveProperty('idempotency-replayed');
    expect(await stored()).toEqual({ batches: 1, keys: 1 });
  });

  test.each([
    ['a full disk', '53100'],
    ['too many connections', '53300'],
    ['an error of the disk', '58030'],
    ['a shutdown', '57P01'],
    ['a statement that took too long', '57014'],
    ['a read-only standby', '25006'],
  ])('that passes (%s) asks for patience', async (_what, sqlstate) => {
    await breakTable('eingang', sqlstate);
    const answer = await send();
    expect(answer.statusCode).toBe(503);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect(answer.json().code).toBe('datenbank_weg');
    expect(await stored()).toEqual({ batches: 0, keys: 0 });
  });

  test('takes nobody along who comes later', async () => {
    await breakTable('eingang', '22003');
    const other = await registerAccount(service);
    const otherSecret = (await createKey(service, other)).secret;
    expect((await send()).statusCode).toBe(500);
    secret = otherSecret;
    expect((await send()).statusCode).toBe(202);
  });
});

describe('batches written together', () => {
  test('are each stored once, with and without keys, of several Mandanten', async () => {
    const own = secret;
    const other = await registerAccount(service);
    const otherSecret = (await createKey(service, other)).secret;
    const keys = Array.from({ length: 10 }, () => randomUUID());
    const sending = Array.from({ length: 60 }, (_, index) => {
      secret = index % 2 === 0 ? own : otherSecret;
      return send(index % 3 === 0 ? keys[index % 10] : undefined);
    });
    const answers = await Promise.all(sending);
    expect(answers.filter(({ statusCode }) => statusCode !== 202)).toEqual([]);
    const replayed = answers.filter(({ headers }) => headers['idempotency-replayed'] === 'true');
    const [row] = await service.sql(
      'SELECT count(*)::int AS batches, count(DISTINCT eingang_id)::int AS ids FROM eingang WHERE mandant_id IN ($1, $2)',
      [mandantId, other.mandantId],
    );
    expect(row).toEqual({ batches: 60 - replayed.length, ids: 60 - replayed.length });
    // 20 of the 60 carry a key; each Mandant has used each of its keys twice.
    expect(replayed).toHaveLength(10);
  });

  test('of which one repeats a key with another body are stored all the same', async () => {
    const key = randomUUID();
    const answers = await Promise.all([send(key, 'a'), send(key, 'b'), send(undefined, 'c'), send(key, 'a')]);
    const codes = answers.map(({ statusCode }) => statusCode);
    expect(codes[2]).toBe(202);
    expect(codes.filter((code) => code === 422).length).toBeGreaterThan(0);
    expect(await stored()).toEqual({ batches: 2, keys: 1 });
  });
});
