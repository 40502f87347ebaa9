import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createKey, registerAccount } from '#test/account.ts';
import { startService, type TestService, withoutDatabase } from '#test/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
  service.clock.set('2026-05-01T10:00:00.000Z');
});
afterEach(() => service.sql('TRUNCATE eingang, eingang_unzaehlbar'));
afterAll(() => service.stop());

const read = async () => {
  const answer = await service.app.inject({ url: '/v1/status' });
  expect(answer.statusCode).toBe(200);
  return answer.json();
};

const COLUMNS = 'mandant_id, eingang_id, empfangen_am, schluessel_id, anzahl, umfang, daten';
const batch = (age: string) =>
  `gen_random_uuid(), gen_random_uuid(), now() - interval '${age}', gen_random_uuid(), 1, 0, ''`;

describe('GET /v1/status', () => {
  it('says that the service is ready', async () => {
    expect(await read()).toEqual({
      status: 'betriebsbereit',
      version: '0.1.0',
      zeit: '2026-05-01T10:00:00.000Z',
      komponenten: [
        { name: 'datenbank', status: 'ok' },
        { name: 'annahme', status: 'ok' },
        { name: 'zaehlung', status: 'ok' },
        { name: 'speicherplatz', status: 'ok' },
        { name: 'uhr', status: 'ok' },
      ],
      rueckstand_sekunden: 0,
    });
  });

  it('says that counting is behind, and so do the metrics', async () => {
    await service.sql(
      `INSERT INTO eingang (${COLUMNS}) VALUES (${batch('5 seconds')}), (${batch('90 seconds')})`,
    );
    const answer = await read();
    expect(answer.status).toBe('eingeschränkt');
    expect(answer.komponenten[2]).toEqual({ name: 'zaehlung', status: 'eingeschränkt' });
    expect(answer.rueckstand_sekunden).toBeGreaterThanOrEqual(90);
    const metrics = (await service.app.inject({ url: '/metrics' })).body;
    expect(Number(/^zaehlwerk_backlog_seconds (\S+)$/m.exec(metrics)?.[1])).toBeGreaterThanOrEqual(90);
  });

  it('says that batches cannot be counted', async () => {
    await service.sql(
      `INSERT INTO eingang_unzaehlbar (${COLUMNS}, grund) VALUES (${batch('1 second')}, 'kaputt')`,
    );
    expect((await read()).status).toBe('eingeschränkt');
    const metrics = (await service.app.inject({ url: '/metrics' })).body;
    expect(metrics).toMatch(/^zaehlwerk_uncountable_batches 1$/m);
  });

  it('says that batches are refused, and not that a sender made a mistake', async () => {
    const account = await registerAccount(service);
    const { secret } = await createKey(service, account);
    const send = async (payload: object) =>
      (
        await service.app.inject({
          method: 'POST',
          url: '/v1/ereignisse',
          headers: { authorization: `Bearer ${secret}` },
          payload,
        })
      ).statusCode;
    const event = { ereignis_id: randomUUID(), zeitpunkt: '2026-05-01T09:59:00Z', agent: 'a', modell: 'm' };
    expect(await send({ ereignisse: 'keine' })).toBe(422);
    expect((await read()).komponenten[1]).toEqual({ name: 'annahme', status: 'ok' });
    await service.sql(`ALTER TABLE eingang ADD CONSTRAINT nichts CHECK (false) NOT VALID`);
    expect(await send({ ereignisse: [event] })).toBe(500);
    expect(await read()).toMatchObject({
      status: 'eingeschränkt',
      komponenten: [
        { status: 'ok' },
        { name: 'annahme', status: 'eingeschränkt' },
        { status: 'ok' },
        { status: 'ok' },
        { status: 'ok' },
      ],
    });
    await service.sql(`ALTER TABLE eingang DROP CONSTRAINT nichts`);
  });

  it('says that the disk of the database is full until there is room again, though nobody sends meanwhile', async () => {
    const account = await registerAccount(service);
    const { secret } = await createKey(service, account);
    const parts = async () =>
      Object.fromEntries(
        (await read()).komponenten.map((part: { name: string; status: string }) => [part.name, part.status]),
      );
    const health = () => service.app.inject({ url: '/v1/gesund' });
    await service.sql(`CREATE FUNCTION voll() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$;
       CREATE TRIGGER voll BEFORE INSERT ON eingang FOR EACH ROW EXECUTE FUNCTION voll()`);
    // Nobody has tried yet.
    expect((await health()).statusCode).toBe(200);
    const sent = await service.app.inject({
      method: 'POST',
      url: '/v1/ereignisse',
      headers: { authorization: `Bearer ${secret}` },
      payload: { ereignisse: [{ agent: 'a' }] },
    });
    expect(sent.statusCode).toBe(503);
    expect((await read()).status).toBe('gestört');
    expect(await parts()).toMatchObject({ datenbank: 'ok', annahme: 'gestört', speicherplatz: 'gestört' });
    const ill = await health();
    expect(ill.statusCode).toBe(503);
    expect(ill.json()).toMatchObject({ status: 'gestört', datenbank: 'ok', annahme: 'gestört' });
    await service.sql('DROP FUNCTION voll CASCADE');
    expect((await health()).statusCode).toBe(200);
    expect(await parts()).toMatchObject({ annahme: 'eingeschränkt', speicherplatz: 'ok' });
    expect(await service.sql('SELECT * FROM eingang')).toEqual([]);
  });

  it('answers while the database is away', async () => {
    expect(await withoutDatabase(service, read)).toMatchObject({
      status: 'gestört',
      komponenten: [
        { name: 'datenbank', status: 'gestört' },
        { name: 'annahme' },
        { name: 'zaehlung' },
        { name: 'speicherplatz', status: 'ok' },
        { name: 'uhr', status: 'ok' },
      ],
      rueckstand_sekunden: null,
    });
  });
});
