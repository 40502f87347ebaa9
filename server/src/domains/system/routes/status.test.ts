import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createApi } from '#main/api.ts';
import { createKey, registerAccount } from '#test/account.ts';
import { onCluster } from '#test/database.ts';
import { PATIENCE, startService, type TestService, withoutDatabase } from '#test/service.ts';
import { FRESH_MS } from '../board.ts';
import { systemClocks } from '../clock-watch.ts';

let service: TestService;
/** By how much time goes on before its time, in milliseconds: what is answered may be a second old, which nobody waits for here. */
let ahead = 0;
beforeAll(async () => {
  const { wall, steady } = systemClocks;
  vi.spyOn(systemClocks, 'wall').mockImplementation(() => wall() + ahead);
  vi.spyOn(systemClocks, 'steady').mockImplementation(() => steady() + ahead);
  service = await startService();
  service.clock.set('2026-05-01T10:00:00.000Z');
  await service.sql(`INSERT INTO wechselkurse VALUES ('2026-04-30', 0.86, 'ezb', '2026-04-30T14:20:00Z')`);
  await service.sql(
    `INSERT INTO preislisten (nummer, name, sha256, stand, herkunft, aufgenommen_am, bestaetigt_am, modelle, daten)
     VALUES (1, 'l', repeat('a', 64), '2026-04-20', 'netz', '2026-04-20T00:00:00Z', '2026-04-20T00:00:00Z', 1, '')`,
  );
  await checkedJustNow();
});
const checkedJustNow = () =>
  service.sql(`INSERT INTO pruefungen VALUES ('budgets.pruefen', now(), now(), '{}')
    ON CONFLICT (name) DO UPDATE SET begonnen_am = now(), beendet_am = now()`);
afterEach(() => service.sql('TRUNCATE eingang, eingang_unzaehlbar'));
afterAll(() => service.stop());

const read = async (language = 'de') => {
  const answer = await service.app.inject({ url: '/v1/status', headers: { 'accept-language': language } });
  expect(answer.statusCode).toBe(200);
  return answer.json();
};
const readLater = () => {
  ahead += FRESH_MS;
  return read();
};
const soon = () => expect.poll(readLater, PATIENCE);
const parts = async () =>
  Object.fromEntries(
    (await read()).komponenten.map((part: { name: string; status: string }) => [part.name, part.status]),
  );
const partsSoon = () =>
  expect.poll(() => {
    ahead += FRESH_MS;
    return parts();
  }, PATIENCE);
const partOf = async (name: string, language?: string) =>
  (await read(language)).komponenten.find((part: { name: string }) => part.name === name);

const COLUMNS = 'mandant_id, eingang_id, empfangen_am, schluessel_id, anzahl, umfang, daten';
const batch = (age: string) =>
  `gen_random_uuid(), gen_random_uuid(), now() - interval '${age}', gen_random_uuid(), 1, 0, ''`;

describe('GET /v1/status', () => {
  it('says that the service is ready, since when, and when it did what', async () => {
    const { komponenten, ...rest } = await read();
    expect(rest).toEqual({
      status: 'betriebsbereit',
      version: '0.1.0',
      zeit: '2026-05-01T10:00:00.000Z',
      preisstand: {
        liste: { tag: '2026-04-20', alter_tage: 11 },
        ergaenzung: { tag: expect.stringMatching(/^20\d\d-\d\d-\d\d$/), alter_tage: 0 },
        kurse: { tag: '2026-04-30', alter_tage: 1 },
      },
      rueckstand_sekunden: 0,
    });
    const well = (name: string, zuletzt: string | null = null) => ({
      name,
      status: 'ok',
      seit: expect.stringMatching(/^2026-05-01T(09:59|10:00):/),
      zuletzt,
      bedeutung: null,
    });
    expect(komponenten).toEqual([
      well('datenbank'),
      well('annahme'),
      well('zaehlung'),
      well('auftraege'),
      well('budgetpruefung', expect.any(String)),
      {
        ...well('mail'),
        status: 'nicht_eingerichtet',
        bedeutung: 'Der Versand von E-Mails ist nicht eingerichtet.',
      },
      well('kurse', '2026-04-30T14:20:00.000Z'),
      well('preise', '2026-04-20T00:00:00.000Z'),
      well('speicherplatz'),
      well('uhr'),
    ]);
  });

  it('says what it means in the language that is asked for', async () => {
    const answer = await service.app.inject({ url: '/v1/status', headers: { 'accept-language': 'en' } });
    expect(answer.headers['content-language']).toBe('en');
    expect(answer.headers.vary).toContain('Accept-Language');
    expect((await partOf('mail', 'en')).bedeutung).toBe('Sending of mail is not set up.');
  });

  it('says that counting is behind, and so do the metrics', async () => {
    await service.sql(
      `INSERT INTO eingang (${COLUMNS}) VALUES (${batch('5 seconds')}), (${batch('90 seconds')})`,
    );
    await partsSoon().toMatchObject({ zaehlung: 'eingeschränkt' });
    const answer = await read();
    expect(answer.status).toBe('eingeschränkt');
    expect(answer.rueckstand_sekunden).toBeGreaterThanOrEqual(90);
    const metrics = (await service.app.inject({ url: '/metrics' })).body;
    expect(Number(/^zaehlwerk_backlog_seconds (\S+)$/m.exec(metrics)?.[1])).toBeGreaterThanOrEqual(90);
  });

  it('says that batches cannot be counted', async () => {
    await service.sql(
      `INSERT INTO eingang_unzaehlbar (${COLUMNS}, grund) VALUES (${batch('1 second')}, 'kaputt')`,
    );
    await soon().toMatchObject({ status: 'eingeschränkt' });
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
    await partsSoon().toMatchObject({ annahme: 'ok', zaehlung: 'ok' });
    await service.sql(`ALTER TABLE eingang ADD CONSTRAINT nichts CHECK (false) NOT VALID`);
    expect(await send({ ereignisse: [event] })).toBe(500);
    await partsSoon().toMatchObject({ datenbank: 'ok', annahme: 'eingeschränkt', zaehlung: 'ok' });
    expect((await partOf('annahme')).bedeutung).toContain('erneut gesendet');
    await service.sql(`ALTER TABLE eingang DROP CONSTRAINT nichts`);
  });

  // Of a cluster it is the disk of one worker.
  it.skipIf(onCluster())(
    'says that the disk of the database is full until there is room again, though nobody sends meanwhile',
    async () => {
      const account = await registerAccount(service);
      const { secret } = await createKey(service, account);
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
      await partsSoon().toMatchObject({ datenbank: 'ok', annahme: 'gestört', speicherplatz: 'gestört' });
      expect((await read()).status).toBe('gestört');
      const ill = await health();
      expect(ill.statusCode).toBe(503);
      expect(ill.json()).toMatchObject({ status: 'gestört', datenbank: 'ok', annahme: 'gestört' });
      await service.sql('DROP FUNCTION voll CASCADE');
      expect((await health()).statusCode).toBe(200);
      await partsSoon().toMatchObject({ annahme: 'eingeschränkt', speicherplatz: 'ok' });
      expect(await service.sql('SELECT * FROM eingang')).toEqual([]);
    },
  );

  it('says that jobs are late or given up, that mails fail, that budgets were not checked', async () => {
    const { mandantId } = await registerAccount(service);
    await service.sql(
      `INSERT INTO auftraege (mandant_id, auftrag_id, job, fassung, nutzlast, erstellt_am, faellig_am, versuche, fehler)
       VALUES ($1, gen_random_uuid(), 'test.spaet', 1, '{}', now(), now() - interval '11 minutes', 0, NULL),
         ($1, gen_random_uuid(), 'postausgang.versenden', 1, '{}', now() - interval '1 hour', now() + interval '1 hour', 3, 'Postfach a@example.org voll')`,
      [mandantId],
    );
    await service.sql(`UPDATE pruefungen SET begonnen_am = now() - interval '16 minutes'`);
    await partsSoon().toMatchObject({ auftraege: 'eingeschränkt', budgetpruefung: 'eingeschränkt' });
    // Where no mail is sent there is nothing to fail.
    expect((await partOf('mail')).status).toBe('nicht_eingerichtet');
    service.context.config.smtpUrl = 'smtp://localhost';
    await partsSoon().toMatchObject({ mail: 'eingeschränkt' });
    const told = JSON.stringify(await read());
    for (const secret of [mandantId, 'test.spaet', 'Postfach', 'example.org'])
      expect(told).not.toContain(secret);
    service.context.config.smtpUrl = null;
    await service.sql(`DELETE FROM auftraege`);
    await service.sql(
      `INSERT INTO auftraege (mandant_id, auftrag_id, job, fassung, nutzlast, aufgegeben_am)
       VALUES ($1, gen_random_uuid(), 'test.tot', 1, '{}', now())`,
      [mandantId],
    );
    await service.sql('DELETE FROM pruefungen');
    await partsSoon().toMatchObject({ auftraege: 'eingeschränkt', budgetpruefung: 'unbekannt' });
    expect((await partOf('budgetpruefung')).bedeutung).toContain('nicht feststellen');
    await service.sql(`DELETE FROM auftraege`);
    await checkedJustNow();
    await partsSoon().toMatchObject({ auftraege: 'ok', budgetpruefung: 'ok' });
  });

  it('says that rates and prices are old', async () => {
    await service.sql(`UPDATE wechselkurse SET tag = '2026-04-24'`);
    await service.sql(`UPDATE preislisten SET bestaetigt_am = '2026-03-31T00:00:00Z'`);
    await partsSoon().toMatchObject({ kurse: 'eingeschränkt', preise: 'eingeschränkt' });
    await service.sql(`UPDATE wechselkurse SET tag = '2026-04-30'`);
    await service.sql(`UPDATE preislisten SET bestaetigt_am = '2026-04-20T00:00:00Z'`);
    await partsSoon().toMatchObject({ kurse: 'ok', preise: 'ok' });
  });

  it('knows since when from what was written down before it started', async () => {
    await service.sql(
      `INSERT INTO zustand_spannen VALUES
         (gen_random_uuid(), 'kurse', 'gestört', '2026-04-01T00:00:00Z', '2026-04-01T06:00:00Z'),
         (gen_random_uuid(), 'kurse', 'ok', '2026-04-01T06:00:00Z', '2026-05-01T09:58:00Z')`,
    );
    const other = await createApi(service.context, service.operators);
    const { komponenten } = (await other.inject('/v1/status')).json();
    await other.close();
    expect(komponenten.find(({ name }: { name: string }) => name === 'kurse')).toMatchObject({
      status: 'ok',
      seit: '2026-04-01T06:00:00.000Z',
    });
    await service.sql('TRUNCATE zustand_spannen');
  });

  it('is cheap, however many ask at once', async () => {
    const { db } = service.context;
    let asked = 0;
    service.context.db = {
      ...db,
      transaction: (work) => {
        asked += 1;
        return db.transaction(work);
      },
    };
    await Promise.all(Array.from({ length: 200 }, () => read()));
    service.context.db = db;
    // Seven questions make one look; a slow machine may need a second one meanwhile.
    expect(asked).toBeLessThanOrEqual(14);
  });

  it('answers while the database is away: what cannot be asked is unknown', async () => {
    await withoutDatabase(service, async () => {
      await soon().toMatchObject({ status: 'gestört', rueckstand_sekunden: null });
      expect(await parts()).toEqual({
        datenbank: 'gestört',
        annahme: 'gestört',
        zaehlung: 'unbekannt',
        auftraege: 'unbekannt',
        budgetpruefung: 'unbekannt',
        mail: 'nicht_eingerichtet',
        kurse: 'unbekannt',
        preise: 'unbekannt',
        speicherplatz: 'ok',
        uhr: 'ok',
      });
    });
    await partsSoon().toMatchObject({ datenbank: 'ok', zaehlung: 'ok', auftraege: 'ok', preise: 'ok' });
  });
});
