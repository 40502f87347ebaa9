/** What was held comes in one message, to people, once. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MandantId } from '#kernel/mandant-id.ts';
import { type AlarmBench, createAlarmBench } from '#test/alarms.ts';
import { type Receiver, startReceiver } from '#test/receiver.ts';
import { raiseAlarm, raiseRecovery } from '../index.ts';
import { sammelnJob } from './sammeln.ts';

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

const messageOf = (ursache: string) => ({
  ursache,
  titel: { de: `Titel ${ursache}`, en: `Headline ${ursache}` },
  text: { de: 'Text', en: 'Text' },
  pfad: `/befunde/${ursache}`,
});
const warn = (mandant: MandantId, ursache: string) =>
  bench.owner.transaction((client) =>
    raiseAlarm(client, mandant, { ...messageOf(ursache), stufe: 'warnen' }),
  );
const recover = (mandant: MandantId, ursache: string) =>
  bench.owner.transaction((client) => raiseRecovery(client, mandant, messageOf(ursache)));

/** A Mandant who collects by the hour, with two channels of people and one of programs. */
async function collecting(): Promise<MandantId> {
  const mandant = await bench.mandantWith({
    chatA_webhook: receiver.url('/a'),
    push_url: receiver.url('/p'),
    webhook_url: receiver.url('/w'),
  });
  await bench.sql(`INSERT INTO alarm_einstellungen (mandant_id, sammeln) VALUES ($1, 'stuendlich')`, [
    mandant,
  ]);
  receiver.received.length = 0;
  return mandant;
}
const received = (path: string) => receiver.received.filter((request) => request.path === path);
/** An hour later. A second ago, since the clock of the service has no parts of a millisecond. */
async function letTimeGoBy(): Promise<void> {
  await bench.sql(
    `UPDATE alarme SET gehalten_bis = now() - interval '1 second' WHERE gehalten_bis IS NOT NULL`,
  );
  await bench.sql(
    `UPDATE alarm_einstellungen SET naechste_sammlung = now() - interval '1 second' WHERE naechste_sammlung IS NOT NULL`,
  );
}
const collect = () => sammelnJob(bench.context).run();

test('comes in one message for each channel of people, when it is time and not before', async () => {
  const mandant = await collecting();
  for (const ursache of ['eins', 'zwei', 'drei']) await warn(mandant, ursache);
  await bench.runDue();
  expect(await collect()).toEqual({ gesammelt: 0 });
  await bench.runDue();
  expect([received('/a'), received('/p'), received('/w')].map(({ length }) => length)).toEqual([0, 0, 3]);
  await letTimeGoBy();
  expect(await collect()).toEqual({ gesammelt: 3 });
  expect(await collect()).toEqual({ gesammelt: 0 });
  await bench.runDue();
  expect([received('/a'), received('/p'), received('/w')].map(({ length }) => length)).toEqual([1, 1, 3]);
  const { text } = JSON.parse(received('/a')[0]?.body ?? '');
  expect(text).toMatch(
    /^Sammelmeldung: 3 Meldungen\n\d{4}-\d\d-\d\d \d\d:\d\d: Titel eins\n.*Titel zwei\n.*Titel drei$/,
  );
  const [settings] = await bench.sql(
    'SELECT naechste_sammlung FROM alarm_einstellungen WHERE mandant_id = $1',
    [mandant],
  );
  expect(settings?.naechste_sammlung).toBeNull();
});

test('is in one digest only, though two collect at once', async () => {
  const mandant = await collecting();
  for (let nth = 0; nth < 25; nth += 1) await warn(mandant, `n${nth}`);
  await bench.runDue();
  await letTimeGoBy();
  const runs = await Promise.all([collect(), collect(), collect()]);
  expect(runs.map(({ gesammelt }) => gesammelt).sort()).toEqual([0, 0, 25]);
  await bench.runDue();
  const [digest] = received('/p');
  expect(received('/p')).toHaveLength(1);
  expect(digest?.body.split('\n')).toHaveLength(21);
  expect(digest?.body).toMatch(/\nund 5 weitere$/);
});

test('says what is over, in the language of the Mandant, and leads to the one it is about', async () => {
  const mandant = await collecting();
  await bench.sql(`UPDATE alarm_einstellungen SET sprache = 'en' WHERE mandant_id = $1`, [mandant]);
  await warn(mandant, 'one');
  await bench.runDue();
  await letTimeGoBy();
  await collect();
  await bench.runDue();
  expect(received('/p')[0]?.headers.click).toBe('https://zw.example.org/befunde/one');
  // The alarm has come with the digest: that it is over waits for the next one.
  await recover(mandant, 'one');
  await warn(mandant, 'two');
  await bench.runDue();
  expect(received('/p')).toHaveLength(1);
  await letTimeGoBy();
  await collect();
  await bench.runDue();
  expect(received('/p')[1]?.body).toMatch(/: All clear: Headline one\n.*: Headline two$/);
  expect(received('/p')[1]?.headers.click).toBe('https://zw.example.org/einstellungen/alarme');
});

test('of many interventions at once the first comes alone, the others in one, the dearest first', async () => {
  const mandant = await bench.mandantWith(
    { chatA_webhook: receiver.url('/a'), push_url: receiver.url('/p'), webhook_url: receiver.url('/w') },
    Array.from({ length: 20 }, (_, nth) => `empfaenger-${nth}@example.org`),
  );
  receiver.received.length = 0;
  for (let nth = 0; nth < 60; nth += 1)
    await bench.owner.transaction((client) =>
      raiseAlarm(client, mandant, { ...messageOf(`lauf-${nth}`), stufe: 'anhalten', betragEur: `${nth}.5` }),
    );
  await bench.runDue();
  const mails = async () =>
    (
      await bench.sql<{ mails: number }>(
        'SELECT count(*)::int AS mails FROM postausgang WHERE mandant_id = $1',
        [mandant],
      )
    )[0]?.mails;
  expect(await mails()).toBe(20);
  expect([received('/a'), received('/p')].map(({ length }) => length)).toEqual([1, 1]);
  // Programs get each by itself.
  expect(received('/w')).toHaveLength(60);
  expect(await collect()).toEqual({ gesammelt: 0 });
  await letTimeGoBy();
  expect(await collect()).toEqual({ gesammelt: 59 });
  await bench.runDue();
  expect(await mails()).toBe(40);
  expect(received('/p')).toHaveLength(2);
  const digest = received('/p')[1];
  expect(Buffer.from(String(digest?.headers.title).split('?')[3] ?? '', 'base64').toString()).toBe(
    'Sammelmeldung: 59 Meldungen, davon 59 über Eingriffe',
  );
  const lines = digest?.body.split('\n') ?? [];
  expect(lines).toHaveLength(21);
  expect(lines[0]).toMatch(/: Titel lauf-\d+ \(59,50\s€\)$/);
  expect(lines[20]).toBe('und 39 weitere');
  // Soon after the digest, what comes up waits again.
  await bench.owner.transaction((client) =>
    raiseAlarm(client, mandant, { ...messageOf('gleich danach'), stufe: 'sperren' }),
  );
  await bench.runDue();
  expect(received('/p')).toHaveLength(2);
});

test('through the webhook more than are meant at once wait, and none is lost', async () => {
  const mandant = await bench.mandantWith({ webhook_url: receiver.url('/w') });
  receiver.received.length = 0;
  await warn(mandant, 'erste');
  await bench.runDue();
  expect(received('/w')).toHaveLength(1);
  // As if very many had just gone.
  await bench.sql(`UPDATE postbudgets SET bis = now() + interval '1 hour'`);
  for (let nth = 0; nth < 5; nth += 1) await warn(mandant, `viel-${nth}`);
  await bench.runDue();
  expect(received('/w')).toHaveLength(1);
  await bench.sql('DELETE FROM postbudgets');
  await bench.makeDue();
  await bench.runDue();
  const ids = new Set(received('/w').map(({ headers }) => headers['webhook-id']));
  expect([received('/w').length, ids.size]).toEqual([6, 6]);
});
