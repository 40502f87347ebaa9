/** Against real receivers, well-behaved and not. */
import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { handle } from '#jobs/index.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import { createOutbound, networksOf } from '#platform/outbound.ts';
import { type AlarmBench, createAlarmBench } from '#test/alarms.ts';
import { holdTime } from '#test/held-time.ts';
import { watchPutOff } from '#test/jobs.ts';
import { dripping, dropping, endless, never, type Receiver, startReceiver, status } from '#test/receiver.ts';
import { until } from '#test/until.ts';
import { raiseAlarm } from '../index.ts';
import { renewed } from '../signing.ts';
import { verteilenJob } from './verteilen.ts';
import { zustellen, zustellenJob } from './zustellen.ts';

/** Longer than a test takes. */
const TIMEOUT = 600_000;

let bench: AlarmBench;
let receiver: Receiver;
beforeAll(async () => {
  bench = await createAlarmBench(TIMEOUT);
  receiver = await startReceiver();
});
afterAll(async () => {
  await receiver?.stop();
  await bench?.stop();
});
afterEach(async () => {
  receiver.received.length = 0;
  receiver.answers.splice(0, receiver.answers.length, status(200));
  await bench.sql('DELETE FROM auftraege');
});

const raise = (mandant: MandantId) =>
  bench.owner.transaction((client) =>
    raiseAlarm(client, mandant, {
      ursache: randomUUID(),
      stufe: 'anhalten',
      titel: { de: 'Lauf angehalten', en: 'Run halted' },
      text: { de: 'Der Lauf drehte sich im Kreis.', en: 'The run went in circles.' },
      pfad: '/befunde/1',
    }),
  );
const webhookOf = (url = receiver.url('/geheimer-pfad')) => bench.mandantWith({ webhook_url: url });
const deliveryOf = async (mandant: MandantId) => (await bench.deliveries(mandant))[0];
const jobsOf = (mandant: MandantId) => bench.sql('SELECT FROM auftraege WHERE mandant_id = $1', [mandant]);

test('what a receiver takes is delivered, once', async () => {
  const mandant = await webhookOf();
  await raise(mandant);
  await bench.runDue();
  await bench.runDue();
  expect(receiver.received).toHaveLength(1);
  expect(receiver.received[0]?.headers['user-agent']).toBe('Zaehlwerk');
  expect(await deliveryOf(mandant)).toMatchObject({ status: 'zugestellt', versuche: 1, antwort_status: 200 });
  expect(await jobsOf(mandant)).toEqual([]);
});

test('the general webhook gets six fields in the language of the Mandant, signed anew at each attempt', async () => {
  const mandant = await webhookOf();
  const now = new Date();
  const former = renewed(null, now);
  const current = renewed(former, now);
  await bench.sql(
    `INSERT INTO alarm_einstellungen (mandant_id, sprache, geheimnisse) VALUES ($1, 'en', $2)`,
    [mandant, bench.context.secrets.seal(Buffer.from(JSON.stringify(current)))],
  );
  receiver.answers.splice(0, 1, status(500), status(200));
  await raise(mandant);
  await bench.runDue();
  await bench.makeDue();
  await bench.runDue();
  expect(receiver.received).toHaveLength(2);
  const [alarm] = await bench.sql<{ alarm_id: string; zeitpunkt: string }>(
    'SELECT alarm_id, zeitpunkt FROM alarme WHERE mandant_id = $1',
    [mandant],
  );
  for (const { body, headers } of receiver.received)
    for (const { aktuell } of [former, current]) {
      const fields = new Webhook(aktuell).verify(body, headers as Record<string, string>);
      expect(fields).toEqual({
        quelle: 'Zählwerk',
        typ: 'alarm',
        titel: 'Run halted',
        text: 'The run went in circles.',
        cockpit_url: 'https://zw.example.org/befunde/1',
        // In Berlin.
        zeitpunkt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0[12]:00$/),
      });
      const { zeitpunkt } = fields as { zeitpunkt: string };
      expect(Math.abs(Date.parse(zeitpunkt) - Date.parse(alarm?.zeitpunkt ?? ''))).toBeLessThan(1_000);
      expect(headers['webhook-id']).toBe(`msg_${alarm?.alarm_id}`);
    }
});

test('what fails is tried again after growing pauses, under the same id, until it arrives', async () => {
  const mandant = await webhookOf();
  receiver.answers.splice(0, 1, status(500), status(503), dropping, status(204));
  await raise(mandant);
  for (const pause of [30, 60, 120]) {
    const putOff = await watchPutOff(bench);
    await bench.runDue();
    const { least, most } = await putOff();
    expect(least).toBeLessThanOrEqual(pause);
    expect(most).toBeGreaterThanOrEqual(pause);
    await bench.makeDue();
  }
  expect(await deliveryOf(mandant)).toMatchObject({
    status: 'wartet',
    versuche: 3,
    antwort_status: null,
    fehler_de: 'Der Empfänger ist nicht zu erreichen.',
  });
  await bench.runDue();
  expect(await deliveryOf(mandant)).toMatchObject({
    status: 'zugestellt',
    versuche: 4,
    antwort_status: 204,
    fehler_de: null,
  });
  const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
  expect([ids.length, new Set(ids).size]).toEqual([4, 1]);
  expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
});

describe('a receiver that', () => {
  test.each([
    ['never answers', never, 'Der Empfänger hat nicht rechtzeitig geantwortet.'],
    ['never ends its headers', dripping, 'Der Empfänger hat nicht rechtzeitig geantwortet.'],
    ['hangs up', dropping, 'Der Empfänger ist nicht zu erreichen.'],
  ])('%s is given up when its time is up and tried again', async (_name, answer, fehler_de) => {
    const time = holdTime();
    receiver.answers.splice(0, 1, (response, request) => {
      answer(response, request);
      if (answer !== dropping) time.isUp();
    });
    const mandant = await webhookOf();
    await raise(mandant);
    await bench.runDue();
    time.goOn();
    expect(time.asked).toEqual([TIMEOUT]);
    expect(receiver.received).toHaveLength(1);
    expect(await deliveryOf(mandant)).toMatchObject({ status: 'wartet', antwort_status: null, fehler_de });
  });

  test('never ends its answer has taken it, and is hung up on', async () => {
    const closed = Promise.withResolvers<void>();
    receiver.answers.splice(0, 1, (response, request) => {
      response.once('close', closed.resolve);
      endless(response, request);
    });
    const mandant = await webhookOf();
    await raise(mandant);
    await bench.runDue();
    await closed.promise;
    expect(await deliveryOf(mandant)).toMatchObject({ status: 'zugestellt', antwort_status: 200 });
  });

  test('redirects is not followed, and not asked again', async () => {
    receiver.answers.splice(0, 1, status(302, { location: receiver.url('/anderswo') }));
    const mandant = await webhookOf();
    await raise(mandant);
    await bench.runDue();
    expect(receiver.received.map(({ path }) => path)).toEqual(['/geheimer-pfad']);
    expect(await deliveryOf(mandant)).toMatchObject({ status: 'aufgegeben', antwort_status: 302 });
    expect(await jobsOf(mandant)).toEqual([]);
  });

  test('refuses for good is not asked again, and no dead letter is left', async () => {
    receiver.answers.splice(0, 1, status(410));
    const mandant = await webhookOf();
    await raise(mandant);
    await bench.runDue();
    expect(await deliveryOf(mandant)).toMatchObject({
      status: 'aufgegeben',
      versuche: 1,
      antwort_status: 410,
      fehler_de: 'Der Empfänger hat mit 410 geantwortet.',
    });
    expect(await jobsOf(mandant)).toEqual([]);
  });

  test('wants to be left alone is, within bounds', async () => {
    receiver.answers.splice(0, 1, status(429, { 'retry-after': '600' }), status(503, { 'retry-after': '1' }));
    const mandant = await webhookOf();
    await raise(mandant);
    const putOff = await watchPutOff(bench);
    await bench.runDue();
    expect((await putOff()).most).toBeGreaterThanOrEqual(600);
    await bench.makeDue();
    const putOffAgain = await watchPutOff(bench);
    await bench.runDue();
    // Not sooner than the pause that has grown.
    expect((await putOffAgain()).most).toBeGreaterThanOrEqual(60);
  });

  test('is dead holds up no other channel', async () => {
    const mandant = await bench.mandantWith({
      chatA_webhook: receiver.url('/a'),
      webhook_url: receiver.url('/w'),
    });
    receiver.answers.splice(0, 1, (response, request) =>
      (request.url === '/w' ? never : status(200))(response, request),
    );
    await raise(mandant);
    const time = holdTime();
    const run = bench.runDue();
    const statuses = async () => (await bench.deliveries(mandant)).map(({ status }) => status);
    await until('the other one to be delivered', async () => (await statuses()).includes('zugestellt'));
    await until('the dead one to be asked', () => receiver.received.length === 2);
    time.isUp();
    await run;
    time.goOn();
    expect(await bench.deliveries(mandant)).toMatchObject([
      { kanal: 'chatA_webhook', status: 'zugestellt' },
      { kanal: 'webhook_url', status: 'wartet' },
    ]);
    await bench.makeDue();
    receiver.answers.splice(0, 1, status(200));
    await bench.runDue();
    expect(receiver.received.map(({ path }) => path).sort()).toEqual(['/a', '/w', '/w']);
  });
});

test('after a day it is given up, with a last attempt at its end', async () => {
  receiver.answers.splice(0, 1, status(500));
  const mandant = await webhookOf();
  await raise(mandant);
  await bench.runDue();
  // The pause would go beyond the end.
  await bench.sql(
    `UPDATE alarm_zustellungen SET frist = now() + interval '10 seconds' WHERE mandant_id = $1`,
    [mandant],
  );
  await bench.sql('UPDATE auftraege SET versuche = 12');
  await bench.makeDue();
  const putOff = await watchPutOff(bench);
  await bench.runDue();
  expect((await putOff()).least).toBeLessThanOrEqual(10);
  await bench.sql('UPDATE alarm_zustellungen SET frist = now() WHERE mandant_id = $1', [mandant]);
  await bench.makeDue();
  await bench.runDue();
  expect(await deliveryOf(mandant)).toMatchObject({ status: 'aufgegeben', versuche: 3, antwort_status: 500 });
  expect(await jobsOf(mandant)).toEqual([]);
});

test('a channel that was removed meanwhile is left out; one that was changed gets it at its new address', async () => {
  const [removed, changed] = [await webhookOf(), await webhookOf()];
  for (const mandant of [removed, changed]) await raise(mandant);
  await bench.runner(verteilenJob(bench.context)).runDue();
  const set = (mandant: MandantId, adressen: object) =>
    bench.sql('UPDATE alarmkanaele SET adressen = $2 WHERE mandant_id = $1', [
      mandant,
      bench.context.secrets.seal(Buffer.from(JSON.stringify(adressen))),
    ]);
  await set(removed, {});
  await set(changed, { webhook_url: receiver.url('/neu') });
  await bench.runDue();
  expect(receiver.received.map(({ path }) => path)).toEqual(['/neu']);
  expect(await deliveryOf(removed)).toMatchObject({
    status: 'entfallen',
    versuche: 0,
    fehler_de: 'Der Kanal ist nicht mehr eingerichtet.',
  });
});

test('several processes deliver each once', async () => {
  const mandanten = await Promise.all(Array.from({ length: 12 }, () => webhookOf()));
  for (const mandant of mandanten) await raise(mandant);
  await Promise.all([0, 1, 2].map((process) => bench.runDue(process)));
  // A worker that has found nothing more has perhaps ended before the last was distributed.
  await bench.runDue();
  expect(receiver.received).toHaveLength(12);
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(12);
});

test('when the process dies after the receiver has taken it, it comes again as the same one', async () => {
  const mandant = await webhookOf();
  await raise(mandant);
  await bench.runner(verteilenJob(bench.context)).runDue();
  const { db } = bench.context;
  let transactions = 0;
  /** Dies in the second transaction, which notes how it went. */
  const dying: typeof db = {
    ...db,
    forMandant: (whose, work) => {
      transactions += 1;
      return transactions === 1 ? db.forMandant(whose, work) : Promise.reject(new Error('killed'));
    },
  };
  const claimed: number[] = [];
  receiver.answers.splice(0, 1, async (response, request) => {
    // What is sent was claimed before, by a commit that others see.
    const [job] = await bench.sql('SELECT versuche FROM auftraege WHERE mandant_id = $1', [mandant]);
    claimed.push(job?.versuche);
    status(200)(response, request);
  });
  await bench.runner(zustellenJob({ ...bench.context, db: dying })).runDue();
  expect(receiver.received).toHaveLength(1);
  expect(claimed).toEqual([1]);
  expect(await deliveryOf(mandant)).toMatchObject({ status: 'wartet', versuche: 0 });
  await bench.makeDue();
  await bench.runDue();
  expect(receiver.received).toHaveLength(2);
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect(await deliveryOf(mandant)).toMatchObject({ status: 'zugestellt' });
});

describe('an address that leads where the service must not go', () => {
  const guarded = ['10.0.0.1', '169.254.169.254', '[fe80::1]', '192.168.1.1', '[::ffff:10.0.0.1]', '0.0.0.0'];
  test.each(guarded)('is not reached: %s', async (host) => {
    const mandant = await webhookOf(`http://${host}:${new URL(receiver.url()).port}/x`);
    await raise(mandant);
    await bench.runDue();
    expect(receiver.received).toEqual([]);
    expect(await deliveryOf(mandant)).toMatchObject({
      status: 'wartet',
      antwort_status: null,
      fehler_de: 'Der Empfänger ist nicht zu erreichen.',
    });
  });

  test('is not reached by a name either, whatever the name led to before', async () => {
    const { port } = new URL(receiver.url());
    let asked = 0;
    const resolve = ((_host: string, _options: object, done: (...found: unknown[]) => void) => {
      asked += 1;
      done(null, [{ address: '127.0.0.1', family: 4 }]);
    }) as never;
    const outbound = createOutbound(networksOf(['10.0.0.0/8']), { timeout: TIMEOUT, resolve });
    const mandant = await webhookOf(`http://haken.example.org:${port}/x`);
    await raise(mandant);
    const { context } = bench;
    await bench.runner(verteilenJob(context), zustellenJob({ ...context, outbound })).runDue();
    expect(asked).toBeGreaterThan(0);
    expect(receiver.received).toEqual([]);
    expect(await deliveryOf(mandant)).toMatchObject({ status: 'wartet', antwort_status: null });
  });
});

test('no address is in the log, in the jobs or beside the deliveries', async () => {
  const mandant = await webhookOf(`${receiver.url('/geheimer-pfad')}?token=streng-geheim`);
  receiver.answers.splice(0, 1, status(500), dropping, status(404));
  await raise(mandant);
  for (let round = 0; round < 3; round += 1) {
    await bench.runDue();
    await bench.makeDue();
  }
  expect(receiver.received).toHaveLength(3);
  const rows = await bench.sql(
    `SELECT a::text FROM auftraege a UNION ALL SELECT z::text FROM alarm_zustellungen z UNION ALL SELECT a::text FROM alarme a`,
  );
  const logged = JSON.stringify([...bench.logged('job done'), ...bench.logged('job failed')]);
  expect(logged).toContain('alarme.zustellen');
  for (const text of [JSON.stringify(rows), logged]) expect(text).not.toMatch(/geheim|127\.0\.0\.1/);
});

test('a delivery that is gone, with its Mandant or its age, is nothing to do', async () => {
  const mandant = await webhookOf();
  const gone = handle(zustellen, async () => ({}));
  expect(gone.id).toBe('alarme.zustellen');
  await bench.sql(
    `INSERT INTO auftraege (mandant_id, auftrag_id, job, fassung, nutzlast)
     VALUES ($1, gen_random_uuid(), 'alarme.zustellen', 1, jsonb_build_object('zustellung_id', gen_random_uuid()))`,
    [mandant],
  );
  expect(await bench.runDue()).toBe(1);
  expect(await jobsOf(mandant)).toEqual([]);
});
