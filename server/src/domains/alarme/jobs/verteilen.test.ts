/** Which channels an alarm goes to at once, and what is held for people. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Stufe } from '#contracts';
import type { Runner } from '#jobs/runner.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import { type AlarmBench, createAlarmBench } from '#test/alarms.ts';
import { until } from '#test/until.ts';
import { raiseAlarm, raiseRecovery } from '../index.ts';
import { WARNINGS_PER_HOUR } from '../rules.ts';
import { verteilenJob } from './verteilen.ts';

let bench: AlarmBench;
beforeAll(async () => {
  bench = await createAlarmBench();
  distributor = bench.runner(verteilenJob(bench.context));
});
afterAll(() => bench?.stop());

const ADDRESS = 'https://haken.example.org/x';
const ALL = { chatA_webhook: ADDRESS, chatB_webhook: ADDRESS, push_url: ADDRESS, webhook_url: ADDRESS };
const SENTENCE = { de: 'de', en: 'en' };
const raise = (mandant: MandantId, ursache: string, stufe: Stufe = 'warnen') =>
  bench.owner.transaction((client) =>
    raiseAlarm(client, mandant, { ursache, stufe, titel: SENTENCE, text: SENTENCE, pfad: '/' }),
  );
const recover = (mandant: MandantId, ursache: string) =>
  bench.owner.transaction((client) =>
    raiseRecovery(client, mandant, { ursache, titel: SENTENCE, text: SENTENCE, pfad: '/' }),
  );
/** Without delivering anything. */
let distributor: Runner;
const distributeAll = () => distributor.runDue();
const quietAtNight = (mandant: MandantId) =>
  bench.sql(
    `INSERT INTO alarm_einstellungen (mandant_id, ruhe_von, ruhe_bis) VALUES ($1, '22:00', '07:00')`,
    [mandant],
  );
const channels = async (mandant: MandantId) => (await bench.deliveries(mandant)).map(({ kanal }) => kanal);
const next = async (mandant: MandantId) =>
  (await bench.sql('SELECT naechste_sammlung FROM alarm_einstellungen WHERE mandant_id = $1', [mandant]))[0]
    ?.naechste_sammlung;

/** A quarter past eleven in the evening, in Berlin. */
const NIGHT = '2026-05-04T21:15:00Z';
const MORNING = Date.parse('2026-05-05T05:00:00Z');

test('each channel that is set up gets a delivery with a job of its own, for a day', async () => {
  bench.clock.set('2026-05-04T10:00:00Z');
  const mandant = await bench.mandantWith(ALL, ['a@example.org', 'b@example.org']);
  await raise(mandant, '1');
  await distributeAll();
  const deliveries = await bench.deliveries(mandant);
  expect(deliveries.map(({ kanal }) => kanal)).toEqual([
    'chatA_webhook',
    'chatB_webhook',
    'email',
    'push_url',
    'webhook_url',
  ]);
  for (const row of deliveries) {
    expect(row).toMatchObject({ status: 'wartet', versuche: 0 });
    expect(Date.parse(row.frist as string)).toBe(Date.parse('2026-05-05T10:00:00Z'));
  }
  const jobs = await bench.sql('SELECT job, nutzlast FROM auftraege WHERE mandant_id = $1', [mandant]);
  expect(jobs.map(({ job, nutzlast }) => [job, nutzlast.zustellung_id]).sort()).toEqual(
    deliveries.map(({ zustellung_id }) => ['alarme.zustellen', zustellung_id]).sort(),
  );
});

test('of a Mandant that is just being removed nothing is put in before that is over', async () => {
  const mandant = await bench.mandantWith(ALL);
  await raise(mandant, '1');
  let isDone = false;
  const distributing = await bench.owner.transaction(async (client) => {
    await client.query('SELECT FROM mandanten WHERE mandant_id = $1 FOR UPDATE', [mandant]);
    const running = distributeAll().finally(() => {
      isDone = true;
    });
    await until('it to wait', async () => {
      const waiting = await bench.sql(
        "SELECT FROM pg_locks WHERE NOT granted AND locktype IN ('tuple', 'transactionid')",
      );
      return isDone || waiting.length > 0;
    });
    expect([isDone, await channels(mandant)]).toEqual([false, []]);
    return { running };
  });
  await distributing.running;
  expect(await channels(mandant)).toHaveLength(4);
});

test('put in twice it is distributed once', async () => {
  const mandant = await bench.mandantWith(ALL);
  await raise(mandant, '1');
  await bench.sql(
    `INSERT INTO auftraege (mandant_id, auftrag_id, job, fassung, nutzlast)
     SELECT mandant_id, gen_random_uuid(), job, fassung, nutzlast FROM auftraege WHERE mandant_id = $1`,
    [mandant],
  );
  await distributeAll();
  expect(await channels(mandant)).toHaveLength(4);
});

test('at night a warning waits for the morning, but for programs; what intervenes does not', async () => {
  bench.clock.set(NIGHT);
  const mandant = await bench.mandantWith(ALL, ['a@example.org']);
  await quietAtNight(mandant);
  await raise(mandant, 'warnung');
  await distributeAll();
  expect(await channels(mandant)).toEqual(['webhook_url']);
  expect(Date.parse(await next(mandant))).toBe(MORNING);
  await raise(mandant, 'sperre', 'sperren');
  await distributeAll();
  expect(await channels(mandant)).toHaveLength(1 + 5);
});

test('where only programs listen nothing is held', async () => {
  bench.clock.set(NIGHT);
  const mandant = await bench.mandantWith({ webhook_url: ADDRESS });
  await quietAtNight(mandant);
  await raise(mandant, 'warnung');
  await distributeAll();
  expect(await channels(mandant)).toEqual(['webhook_url']);
  const [row] = await bench.sql('SELECT gehalten_bis FROM alarme WHERE mandant_id = $1', [mandant]);
  expect([row?.gehalten_bis, await next(mandant)]).toEqual([null, null]);
});

test('what is over before it was told is held with it', async () => {
  bench.clock.set(NIGHT);
  const mandant = await bench.mandantWith(ALL, ['a@example.org']);
  await quietAtNight(mandant);
  await raise(mandant, 'kurz');
  await distributeAll();
  await recover(mandant, 'kurz');
  await distributeAll();
  expect(await channels(mandant)).toEqual(['webhook_url', 'webhook_url']);
  const rows = await bench.sql('SELECT gehalten_bis FROM alarme WHERE mandant_id = $1', [mandant]);
  expect(rows.map(({ gehalten_bis }) => Date.parse(gehalten_bis))).toEqual([MORNING, MORNING]);
});

test('of many within an hour the first goes out, those that follow closely wait for minutes, very many warnings for the hour', async () => {
  bench.clock.set(new Date().toISOString());
  const mandant = await bench.mandantWith({ chatA_webhook: ADDRESS });
  for (let nth = 0; nth < WARNINGS_PER_HOUR + 5; nth += 1) await raise(mandant, `w${nth}`);
  await raise(mandant, 's', 'anhalten');
  await distributeAll();
  const [counts] = await bench.sql(
    `SELECT count(*) FILTER (WHERE gehalten_bis IS NULL) AS gesagt,
       count(*) FILTER (WHERE gehalten_bis = $2::timestamptz + interval '2 minutes') AS gleich,
       count(*) FILTER (WHERE gehalten_bis = $2::timestamptz + interval '10 minutes') AS spaeter,
       count(*) FILTER (WHERE gehalten_bis = date_trunc('hour', gehalten_bis)) AS zur_stunde
     FROM alarme WHERE mandant_id = $1`,
    [mandant, bench.clock.now().toISOString()],
  );
  // What intervenes waits for minutes, however many there were.
  expect(counts).toEqual({ gesagt: 1, gleich: WARNINGS_PER_HOUR - 1, spaeter: 1, zur_stunde: 5 });
  expect(await channels(mandant)).toHaveLength(1);
});
