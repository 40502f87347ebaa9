/** An alarm exists exactly when the transaction that raises it commits, once for each cause. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MandantId } from '#kernel/mandant-id.ts';
import { type AlarmBench, createAlarmBench } from '#test/alarms.ts';
import { newMandant } from '#test/jobs.ts';
import { type Receiver, startReceiver, status } from '#test/receiver.ts';
import { until } from '#test/until.ts';
import { raiseAlarm, raiseRecovery } from '../index.ts';
import type { Alarm } from './raise.ts';

let bench: AlarmBench;
let receiver: Receiver;
beforeAll(async () => {
  bench = await createAlarmBench();
  receiver = await startReceiver();
});
afterAll(async () => {
  await receiver?.stop();
  await bench?.stop();
});

const alarmOf = (ursache: string): Alarm => ({
  ursache,
  stufe: 'sperren',
  titel: { de: 'Agent gesperrt', en: 'Agent blocked' },
  text: { de: 'Der Agent dreht sich im Kreis.', en: 'The agent goes in circles.' },
  pfad: '/befunde/1',
});
const raise = (mandant: MandantId, ursache: string) =>
  bench.owner.transaction((client) => raiseAlarm(client, mandant, alarmOf(ursache)));
const recover = (mandant: MandantId, ursache: string) =>
  bench.owner.transaction((client) => raiseRecovery(client, mandant, alarmOf(ursache)));
const alarmsOf = (mandant: MandantId) =>
  bench.sql('SELECT ursache, art, stufe FROM alarme WHERE mandant_id = $1 ORDER BY alarm_id', [mandant]);
const jobsOf = (mandant: MandantId) =>
  bench.sql('SELECT job FROM auftraege WHERE mandant_id = $1', [mandant]);
const path = (mandant: MandantId, kanal: string) => `/${mandant}/${kanal}`;
const receivedBy = (mandant: MandantId, kanal: string) =>
  receiver.received.filter((request) => request.path === path(mandant, kanal));
const both = async (): Promise<MandantId> => {
  const mandant = await bench.mandantWith({});
  const adressen = {
    chatA_webhook: receiver.url(path(mandant, 'a')),
    webhook_url: receiver.url(path(mandant, 'w')),
  };
  await bench.sql('UPDATE alarmkanaele SET adressen = $2 WHERE mandant_id = $1', [
    mandant,
    bench.context.secrets.seal(Buffer.from(JSON.stringify(adressen))),
  ]);
  return mandant;
};

test('is there with the commit, and reaches each channel of its Mandant once', async () => {
  const [mandant, other] = [await both(), await both()];
  expect(await raise(mandant, 'lauf:1')).toBe(true);
  expect(await alarmsOf(mandant)).toEqual([{ ursache: 'lauf:1', art: 'alarm', stufe: 'sperren' }]);
  await bench.runDue();
  for (const kanal of ['a', 'w']) expect(receivedBy(mandant, kanal)).toHaveLength(1);
  expect(await bench.deliveries(mandant)).toMatchObject([
    { kanal: 'chatA_webhook', status: 'zugestellt', versuche: 1, antwort_status: 200, fehler_de: null },
    { kanal: 'webhook_url', status: 'zugestellt', versuche: 1, antwort_status: 200, fehler_de: null },
  ]);
  expect(await jobsOf(mandant)).toEqual([]);
  expect(await bench.deliveries(other)).toEqual([]);
  for (const kanal of ['a', 'w']) expect(receivedBy(other, kanal)).toEqual([]);
});

test('is not there when the transaction is undone', async () => {
  const mandant = await both();
  const undone = bench.owner.transaction(async (client) => {
    await raiseAlarm(client, mandant, alarmOf('x'));
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  expect([await alarmsOf(mandant), await jobsOf(mandant)]).toEqual([[], []]);
});

test('is raised once for each cause: again, at once by many, and after it was delivered', async () => {
  const mandant = await both();
  const raised = await Promise.all(Array.from({ length: 3 }, () => raise(mandant, 'budget:mai')));
  expect(raised.filter(Boolean)).toHaveLength(1);
  await bench.runDue();
  expect(await raise(mandant, 'budget:mai')).toBe(false);
  expect(await raise(mandant, 'budget:juni')).toBe(true);
  // The same cause of another Mandant is another one.
  expect(await raise(await both(), 'budget:mai')).toBe(true);
  await bench.runDue();
  // People hear of the second one with those that follow closely.
  expect([receivedBy(mandant, 'a').length, receivedBy(mandant, 'w').length]).toEqual([1, 2]);
});

test('a cause whose transaction was undone is raised by the next one', async () => {
  const mandant = await both();
  const first = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const undone = bench.owner.transaction(async (client) => {
    await raiseAlarm(client, mandant, alarmOf('y'));
    held.resolve();
    await first.promise;
    throw new Error('undone');
  });
  await held.promise;
  const second = raise(mandant, 'y');
  first.resolve();
  await expect(undone).rejects.toThrow('undone');
  expect(await second).toBe(true);
});

test('a path that leads out of the cockpit is refused', async () => {
  const mandant = await both();
  const attempt = bench.owner.transaction((client) =>
    raiseAlarm(client, mandant, { ...alarmOf('z'), pfad: 'https://boese.example' }),
  );
  await expect(attempt).rejects.toThrow(TypeError);
});

test('that it is over goes out once, and only where it was raised', async () => {
  const mandant = await both();
  expect(await recover(mandant, 'still')).toBe(false);
  await raise(mandant, 'still');
  await bench.runDue();
  expect(await recover(mandant, 'still')).toBe(true);
  expect(await recover(mandant, 'still')).toBe(false);
  await bench.runDue();
  expect(await alarmsOf(mandant)).toEqual([
    { ursache: 'still', art: 'alarm', stufe: 'sperren' },
    { ursache: 'still', art: 'entwarnung', stufe: 'sperren' },
  ]);
  expect(receivedBy(mandant, 'w').map(({ body }) => JSON.parse(body).typ)).toEqual(['alarm', 'entwarnung']);
});

test('that it is over comes after the alarm, to the channels that got it', async () => {
  const mandant = await both();
  // Before anything was distributed.
  await raise(mandant, 'kurz');
  await recover(mandant, 'kurz');
  receiver.answers.splice(0, 10, (response, request) =>
    status(request.url?.endsWith('/a') ? 404 : 200)(response, request),
  );
  for (let round = 0; round < 4; round += 1) {
    await bench.runDue();
    await bench.makeDue();
  }
  receiver.answers.splice(0, 10, status(200));
  expect(receivedBy(mandant, 'w').map(({ body }) => JSON.parse(body).typ)).toEqual(['alarm', 'entwarnung']);
  expect(receivedBy(mandant, 'a')).toHaveLength(1);
  expect(await bench.deliveries(mandant)).toMatchObject([
    { art: 'alarm', kanal: 'chatA_webhook', status: 'aufgegeben' },
    { art: 'alarm', kanal: 'webhook_url', status: 'zugestellt' },
    // It follows closely upon the alarm: people hear of it with what else does.
    { art: 'entwarnung', kanal: 'webhook_url', status: 'zugestellt' },
  ]);
});

test('that it is over comes to nothing where the alarm did not arrive', async () => {
  const mandant = await both();
  receiver.answers.splice(0, 10, (response, request) =>
    status(request.url?.endsWith('/a') ? 404 : 200)(response, request),
  );
  await raise(mandant, 'lang');
  await bench.runDue();
  // A while later.
  await bench.sql('UPDATE alarm_einstellungen SET zuletzt_gemeldet_am = NULL');
  await recover(mandant, 'lang');
  for (let round = 0; round < 3; round += 1) {
    await bench.runDue();
    await bench.makeDue();
  }
  receiver.answers.splice(0, 10, status(200));
  expect(await bench.deliveries(mandant)).toMatchObject([
    { art: 'alarm', kanal: 'chatA_webhook', status: 'aufgegeben' },
    { art: 'alarm', kanal: 'webhook_url', status: 'zugestellt' },
    { art: 'entwarnung', kanal: 'chatA_webhook', status: 'entfallen', fehler_de: expect.any(String) },
    { art: 'entwarnung', kanal: 'webhook_url', status: 'zugestellt' },
  ]);
});

test('of a Mandant that is gone nothing is raised, and of one that goes nothing is left', async () => {
  expect(await raise(newMandant(), 'weg')).toBe(false);
  const mandant = await both();
  const raised = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const raising = bench.owner.transaction(async (client) => {
    await raiseAlarm(client, mandant, alarmOf('zuletzt'));
    raised.resolve();
    await goOn.promise;
  });
  await raised.promise;
  let removed = false;
  const removal = bench.owner
    .query('SELECT FROM mandanten WHERE mandant_id = $1 FOR UPDATE', [mandant])
    .then(() => {
      removed = true;
    });
  await until('the removal to wait', async () => {
    const waiting = await bench.sql('SELECT FROM pg_locks WHERE NOT granted AND locktype IN ($1, $2)', [
      'tuple',
      'transactionid',
    ]);
    return removed || waiting.length > 0;
  });
  expect(removed).toBe(false);
  goOn.resolve();
  await Promise.all([raising, removal]);
});

test('without a channel nothing is left to do', async () => {
  const mandant = await bench.mandantWith({});
  await raise(mandant, 'niemand');
  await bench.runDue();
  expect([await bench.deliveries(mandant), await jobsOf(mandant)]).toEqual([[], []]);
  expect(await alarmsOf(mandant)).toHaveLength(1);
});
