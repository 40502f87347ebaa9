import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Ereignis } from '#contracts';
import { type Account, createKey, registerAccount } from '#test/account.ts';
import { addRun } from '#test/rollups.ts';
import { startService, type TestService } from '#test/service.ts';
import { countAll } from '#test/tenants.ts';

let service: TestService;
let ours: Account;
let foreign: Account;
let bearer: { authorization: string };

beforeAll(async () => {
  service = await startService();
  ours = await registerAccount(service);
  foreign = await registerAccount(service);
  bearer = { authorization: `Bearer ${(await createKey(service, ours, ['Lesen'])).secret}` };
});
afterAll(() => service.stop());

const get = (id: string, headers: Record<string, string> = bearer) =>
  service.app.inject({ method: 'GET', url: `/v1/laeufe/${id}`, headers });

/** Puts bare events of a run: `[step, second of the hour]` each. */
const addEvents = (mandantId: string, laufId: string, events: [number | null, number][]) =>
  service.sql(
    `INSERT INTO ereignisse (mandant_id, ereignis_id, zeitpunkt, empfangen_am, agent, projekt, lauf_id, schritt_nr,
       status, geschaetzt, quelle, kurs_usd_eur)
     SELECT $1, gen_random_uuid(), '2026-11-20T10:00:00Z'::timestamptz + sekunde * interval '1 second',
       '2026-11-20T10:00:00Z', 'a', 'standard', $2, schritt, 'erfolgreich', false, 'ingest', 0.86
     FROM jsonb_to_recordset($3) AS e(schritt bigint, sekunde int)`,
    [mandantId, laufId, JSON.stringify(events.map(([schritt, sekunde]) => ({ schritt, sekunde })))],
  );

const UNSAID = Object.fromEntries(Object.keys(Ereignis.properties).map((name) => [name, null]));
const span = { agent: 'a', beginn: '2026-11-20T10:00:00Z', ende: '2026-11-20T12:00:00Z' };

describe('answers', () => {
  test('the run and what is known of its event, to the last digit', async () => {
    const laufId = await addRun(service, ours.mandantId, span);
    const ereignisId = randomUUID();
    const eltern = randomUUID();
    await service.sql(
      `INSERT INTO ereignisse VALUES ($1, $2, '2026-11-20T10:00:00.123Z', '2026-11-20T10:00:01Z', 'anthropic', 'claude',
         'a', 'standard', $3, 1, $4, 9007199254740991, 20, 5, 0, NULL, NULL, NULL, 2, 800, 120, 'fehler', 'rate_limit',
         true, '\\x00ff00ff00ff00ff', NULL, 'kunde-1', 'f', 'u', 'sdk', '{"z":{"tief":[1,"ä"]}}', 0.000000123400,
         0.8600, DEFAULT, 'genai-prices')`,
      [ours.mandantId, ereignisId, laufId, eltern],
    );
    const answer = await get(laufId);
    expect(answer.statusCode).toBe(200);
    const { lauf, ereignisse, gekuerzt } = answer.json();
    expect(lauf).toMatchObject({ lauf_id: laufId, agent: 'a', dauer_ms: 7_200_000 });
    expect(gekuerzt).toBe(false);
    expect(ereignisse).toEqual([
      {
        ...UNSAID,
        teilbepreist: false,
        ersatzkurs: false,
        wiederholung: false,
        ereignis_id: ereignisId,
        zeitpunkt: '2026-11-20T10:00:00.123Z',
        empfangen_am: '2026-11-20T10:00:01Z',
        anbieter: 'anthropic',
        modell: 'claude',
        agent: 'a',
        projekt: 'standard',
        lauf_id: laufId,
        schritt_nr: 1,
        eltern_span: eltern,
        eingabe_token: 9_007_199_254_740_991,
        ausgabe_token: 20,
        cache_lese_token: 5,
        cache_schreib_token: 0,
        denk_token: null,
        werkzeugaufrufe: 2,
        latenz_ms: 800,
        erste_zeichen_ms: 120,
        status: 'fehler',
        fehlercode: 'rate_limit',
        geschaetzt: true,
        prompt_fingerabdruck: '00ff00ff00ff00ff',
        werkzeug_fingerabdruck: null,
        endkunde_ref: 'kunde-1',
        funktion_ref: 'f',
        benutzer_ref: 'u',
        quelle: 'sdk',
        zusatz: { z: { tief: [1, 'ä'] } },
        kosten_usd: '0.0000001234',
        kosten_eur: '0.000000106124',
        kurs_usd_eur: '0.86',
        preis_quelle: 'genai-prices',
      },
    ]);
  });

  test('by which keys its events came, by their names, also of a blocked one', async () => {
    const laufId = randomUUID();
    const keys = [await createKey(service, ours), await createKey(service, ours)];
    for (const [index, { secret }] of keys.entries()) {
      const answer = await service.app.inject({
        method: 'POST',
        url: '/v1/ereignisse',
        headers: { authorization: `Bearer ${secret}` },
        payload: { ereignisse: [{ lauf_id: laufId, schritt_nr: index + 1, agent: 'a' }] },
      });
      expect(answer.statusCode, answer.body).toBe(202);
    }
    await countAll(service);
    const [first, second] = keys.map(({ schluesselId }) => schluesselId) as [string, string];
    await service.sql(`UPDATE schluessel SET name = 'alt', gesperrt_am = now() WHERE schluessel_id = $1`, [
      first,
    ]);
    const { ereignisse, schluessel } = (await get(laufId)).json();
    expect(ereignisse.map((event: { schluessel_id: string }) => event.schluessel_id)).toEqual([
      first,
      second,
    ]);
    expect(schluessel).toEqual([
      { schluessel_id: first, name: 'alt' },
      { schluessel_id: second, name: 'standard' },
    ]);
    const nobodys = await addRun(service, ours.mandantId, span);
    await addEvents(ours.mandantId, nobodys, [[1, 1]]);
    expect((await get(nobodys)).json().schluessel).toEqual([]);
  });

  test('events by step, those without one last, then by time', async () => {
    const laufId = await addRun(service, ours.mandantId, span);
    await addEvents(ours.mandantId, laufId, [
      [null, 2],
      [2, 30],
      [1, 50],
      [null, 1],
      [2, 20],
    ]);
    const { ereignisse } = (await get(laufId)).json();
    const order = ereignisse.map((event: { schritt_nr: number | null; zeitpunkt: string }) => [
      event.schritt_nr,
      Number(event.zeitpunkt.slice(17, 19)),
    ]);
    expect(order).toEqual([
      [1, 50],
      [2, 20],
      [2, 30],
      [null, 1],
      [null, 2],
    ]);
  });

  test('a thousand events unless fewer are asked for, and says that there are more', async () => {
    const laufId = await addRun(service, ours.mandantId, span);
    const steps = (from: number, count: number) =>
      Array.from({ length: count }, (_, index): [number, number] => [from + index, 1]);
    await addEvents(ours.mandantId, laufId, steps(0, 1_000));
    expect((await get(laufId)).json()).toMatchObject({ gekuerzt: false, weiter: null });
    await addEvents(ours.mandantId, laufId, steps(1_000, 1));
    const answer = (await get(laufId)).json();
    expect(answer.gekuerzt).toBe(true);
    expect(answer.ereignisse).toHaveLength(1_000);
    expect(answer.ereignisse.at(-1).schritt_nr).toBe(999);
    const next = (await get(`${laufId}?nach=${answer.weiter}`)).json();
    expect(next.ereignisse.map((event: { schritt_nr: number }) => event.schritt_nr)).toEqual([1_000]);
    expect(next).toMatchObject({ gekuerzt: false, weiter: null });
  });

  test('no more free data than a page may hold, compressed or not, and never no event at all', async () => {
    // The processor time of such pages is booked: what others ask about is asked by others.
    const reader = await registerAccount(service);
    const { secret } = await createKey(service, reader, ['Lesen']);
    const laufId = await addRun(service, reader.mandantId, span);
    await addEvents(
      reader.mandantId,
      laufId,
      Array.from({ length: 30 }, (_, index): [number, number] => [index, 1]),
    );
    const MIB = 1024 * 1024;
    // The first ten hold a MiB that hardly compresses, the last one more than a page; those between a MiB of blanks.
    await service.sql(
      `UPDATE ereignisse SET zusatz = json_build_object('text', CASE
           WHEN schritt_nr < 10 THEN (SELECT string_agg(md5(n::text || schritt_nr), '') FROM generate_series(1, $2::int / 32) n)
           ELSE repeat(' ', CASE WHEN schritt_nr = 29 THEN $2::int * 20 ELSE $2::int END) END)
       WHERE mandant_id = $1 AND lauf_id = $3`,
      [reader.mandantId, MIB, laufId],
    );
    const steps: number[] = [];
    let nach = '';
    for (let pages = 1; ; pages += 1) {
      const answer = await get(`${laufId}${nach}`, { authorization: `Bearer ${secret}` });
      const { ereignisse, weiter, gekuerzt } = answer.json();
      steps.push(...ereignisse.map((event: { schritt_nr: number }) => event.schritt_nr));
      // The events whose data begin within eight MiB.
      expect(answer.body.length).toBeLessThan((ereignisse.at(-1).schritt_nr === 29 ? 28 : 9.1) * MIB);
      expect(gekuerzt).toBe(weiter !== null);
      if (weiter === null) break;
      nach = `?nach=${weiter}`;
      expect(pages).toBeLessThan(10);
    }
    expect(steps).toEqual(Array.from({ length: 30 }, (_, index) => index));
  });

  test('under the id another Mandant uses too, only the own events', async () => {
    const laufId = await addRun(service, ours.mandantId, span);
    await addRun(service, foreign.mandantId, { ...span, lauf_id: laufId });
    await addEvents(ours.mandantId, laufId, [[1, 1]]);
    await addEvents(foreign.mandantId, laufId, [
      [7, 1],
      [8, 1],
    ]);
    const { ereignisse } = (await get(laufId)).json();
    expect(ereignisse.map((event: { schritt_nr: number }) => event.schritt_nr)).toEqual([1]);
  });
});

describe('refuses', () => {
  test('401 without a key, 403 for a key that may only send', async () => {
    const laufId = await addRun(service, ours.mandantId, span);
    expect((await get(laufId, {})).statusCode).toBe(401);
    const { secret } = await createKey(service, ours, ['Senden']);
    expect((await get(laufId, { authorization: `Bearer ${secret}` })).statusCode).toBe(403);
  });

  test('404 alike for a foreign and for an unknown run', async () => {
    const foreignRun = await addRun(service, foreign.mandantId, span);
    const answers = [await get(foreignRun), await get(randomUUID())];
    expect(answers.map((answer) => answer.statusCode)).toEqual([404, 404]);
    expect(answers[0]?.json()).toEqual(answers[1]?.json());
  });

  test('422 for an id that is no UUID', async () => {
    const answer = await get('kein-uuid');
    expect(answer.statusCode).toBe(422);
    expect(answer.json().detail[0]).toMatchObject({ loc: ['path', 'lauf_id'], type: 'uuid_parsing' });
  });
});
