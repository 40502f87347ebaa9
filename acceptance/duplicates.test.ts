/** One effect per event id and per idempotency key, however often, in whatever company and how much at once it is sent. */
import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Ereignis } from '#client/index.ts';
import { MAX_BATCH_BYTES } from '#contracts';
import { isWhole } from '#test/depth.ts';
import { type Account, type Answer, createAccount, request } from '#test/outside-account.ts';
import { createServiceProcess, type ServiceProcess } from '#test/service-process.ts';

let service: ServiceProcess;
let account: Account;

beforeAll(async () => {
  service = createServiceProcess();
  await service.start();
});
beforeEach(async () => {
  account = await createAccount(service);
});
afterAll(() => service?.dispose());

const event = (more: Ereignis = {}): Ereignis => ({
  ereignis_id: randomUUID(),
  agent: 'a',
  anbieter: 'openai',
  modell: 'gpt-4o-mini',
  eingabe_token: 1_000,
  ausgabe_token: 10,
  ...more,
});

const statuses = (answers: Answer[]) => answers.map(({ status }) => status);
const parallel = (count: number, send: (index: number) => Promise<Answer>) =>
  Promise.all(Array.from({ length: count }, (_, index) => send(index)));

/** Waits until everything is counted and says what the answers add up to. */
async function sums() {
  await account.untilNothingWaits();
  const { aufrufe, eingabe_token } = (await account.verbrauch()).summe;
  expect(await account.counted()).toBe(aufrufe);
  return { aufrufe, eingabe_token };
}

describe('one event id', () => {
  test('twice in a batch counts once, and the answer says so', async () => {
    const one = event();
    const answer = await account.send([one, event(), one, { ...one, eingabe_token: 7 }]);
    expect(answer.status).toBe(202);
    expect(answer.json()).toMatchObject({ angenommen: 2, doppelt_im_stapel: 2 });
    expect(await sums()).toEqual({ aufrufe: 2, eingabe_token: 2_000 });
  });

  test('in batches one after the other counts once, the first one sent', async () => {
    const one = event();
    await account.send([one]);
    await sums();
    // In another notation, with other figures, in other company.
    const again = { ...one, ereignis_id: `urn:uuid:${one.ereignis_id?.toUpperCase()}`, eingabe_token: 9 };
    const answer = await account.send([again, event()]);
    expect(answer.json()).toMatchObject({ angenommen: 2, doppelt_im_stapel: 0 });
    expect(await sums()).toEqual({ aufrufe: 2, eingabe_token: 2_000 });
  });

  test('in the same batch and again in another month counts once', async () => {
    const one = event({ zeitpunkt: '2026-01-15T12:00:00Z' });
    await account.send([one]);
    await account.send([
      { ...one, zeitpunkt: '2025-11-15T12:00:00Z' },
      { ...one, zeitpunkt: null },
    ]);
    await account.untilNothingWaits();
    expect(await account.counted()).toBe(1);
    const rows = await service.sql('SELECT zeitpunkt FROM ereignisse WHERE mandant_id = $1', [
      account.mandantId,
    ]);
    expect(rows).toEqual([{ zeitpunkt: new Date('2026-01-15T12:00:00Z') }]);
  });

  test.each([false, true])(
    'in 20 requests at once counts once (each with a key of its own: %s)',
    async (keyed) => {
      const shared = event();
      const answers = await parallel(20, () =>
        account.send([shared, event()], keyed ? { 'idempotency-key': randomUUID() } : {}),
      );
      expect(new Set(statuses(answers))).toEqual(new Set([202]));
      expect(await sums()).toEqual({ aufrufe: 21, eingabe_token: 21_000 });
    },
  );

  test('of two Mandanten counts for both', async () => {
    const shared = event();
    const other = await createAccount(service);
    await parallel(2, (index) => (index === 0 ? account : other).send([shared]));
    await other.untilNothingWaits();
    expect(await sums()).toEqual({ aufrufe: 1, eingabe_token: 1_000 });
    expect(await other.counted()).toBe(1);
  });

  test('that is missing makes every event one of its own', async () => {
    const nameless = event({ ereignis_id: null });
    const answer = await account.send([nameless, nameless]);
    expect(answer.json()).toMatchObject({ angenommen: 2, doppelt_im_stapel: 0 });
    expect(await sums()).toEqual({ aufrufe: 2, eingabe_token: 2_000 });
  });
});

const namelessBatch = () =>
  JSON.stringify({ ereignisse: [event({ ereignis_id: null }), event({ ereignis_id: null })] });
const KEY_FAULT = { loc: ['header', 'idempotency-key'], type: 'value_error', msg: expect.any(String) };

describe('one idempotency key', () => {
  test('with the same body answers with the same bytes and counts once', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const body = namelessBatch();
    const first = await account.post(body, headers);
    const again = await account.post(body, headers);
    await account.untilNothingWaits();
    const late = await account.post(body, headers);
    expect(statuses([first, again, late])).toEqual([202, 202, 202]);
    expect([again.text, late.text]).toEqual([first.text, first.text]);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(late.headers.get('idempotency-replayed')).toBe('true');
    expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'));
    expect(await sums()).toEqual({ aufrufe: 2, eingabe_token: 2_000 });
  });

  test('with another body answers 422 and stores nothing', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    await account.post(namelessBatch(), headers);
    const refused = await account.send([event({ agent: 'anderer' })], headers);
    expect(refused.status).toBe(422);
    expect(refused.json<{ detail: unknown[] }>().detail).toMatchObject([KEY_FAULT]);
    expect(await sums()).toEqual({ aufrufe: 2, eingabe_token: 2_000 });
    const { zeilen } = await account.verbrauch();
    expect(zeilen.map((row) => row.schluessel)).toEqual(['a']);
  });

  test('in 20 requests at once counts once; every answer is the same, or says that it is being worked on', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const body = namelessBatch();
    const answers = await parallel(20, () => account.post(body, headers));
    const taken = answers.filter(({ status }) => status === 202);
    expect(new Set(taken.map(({ text }) => text)).size).toBe(1);
    expect(taken.filter(({ headers }) => headers.get('idempotency-replayed') === null)).toHaveLength(1);
    expect(new Set(statuses(answers)).difference(new Set([202, 409]))).toEqual(new Set());
    expect(await sums()).toEqual({ aufrufe: 2, eingabe_token: 2_000 });
  });

  test('in 20 requests with different bodies at once lets one of them through', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const answers = await parallel(20, (index) => account.send([event({ eingabe_token: index })], headers));
    const taken = answers.flatMap(({ status }, index) => (status === 202 ? [index] : []));
    expect(taken).toHaveLength(1);
    expect(new Set(statuses(answers)).difference(new Set([202, 409, 422]))).toEqual(new Set());
    expect(await sums()).toEqual({ aufrufe: 1, eingabe_token: taken[0] });
  });

  test('of two Mandanten is two keys', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const other = await createAccount(service);
    const first = await account.post(namelessBatch(), headers);
    const second = await other.send([event()], headers);
    expect(statuses([first, second])).toEqual([202, 202]);
    expect(second.headers.get('idempotency-replayed')).toBeNull();
  });

  test('of an empty batch is remembered, too', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const first = await account.post('{}', headers);
    expect(first.json()).toMatchObject({ angenommen: 0, eingang_id: null });
    expect((await account.post('{}', headers)).text).toBe(first.text);
    expect((await account.send([event()], headers)).status).toBe(422);
  });

  test('is still free after an answer that refused: 401, 413, 415, 422', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const stranger = { method: 'POST', body: namelessBatch() };
    const url = `${service.address()}/v1/ereignisse`;
    const bearer = { authorization: `Bearer zw_live_${'A'.repeat(43)}` };
    const tooLarge = new Uint8Array(gzipSync(' '.repeat(MAX_BATCH_BYTES + 1)));
    const refused = [
      await request(url, { ...stranger, headers }),
      await request(url, { ...stranger, headers: { ...headers, ...bearer } }),
      await account.send([event({ eingabe_token: -1 })], headers),
      await account.post(tooLarge, { ...headers, 'content-encoding': 'gzip' }),
      await account.post(namelessBatch(), { ...headers, 'content-encoding': 'compress' }),
      await account.post('{"ereignisse":[', headers),
    ];
    expect(statuses(refused)).toEqual([401, 401, 422, 413, 415, 422]);
    const taken = await account.post(namelessBatch(), headers);
    expect(taken.status).toBe(202);
    expect(taken.headers.get('idempotency-replayed')).toBeNull();
    expect(await sums()).toEqual({ aufrufe: 2, eingabe_token: 2_000 });
  });

  test.each(['', 'x'.repeat(256)])('of a length that is not allowed answers 422', async (key) => {
    const answer = await account.send([event()], { 'idempotency-key': key });
    expect(answer.status).toBe(422);
    expect(answer.json<{ detail: unknown[] }>().detail).toMatchObject([
      { loc: ['header', 'idempotency-key'] },
    ]);
    expect(await sums()).toEqual({ aufrufe: 0, eingabe_token: 0 });
  });
});

// In `acceptance/crash` writers send again what they were not told of, to a service that was started again.
test.runIf(isWhole)('ids and keys are still known after a restart', async () => {
  const headers = { 'idempotency-key': randomUUID() };
  const body = JSON.stringify({ ereignisse: [event()] });
  const first = await account.post(body, headers);
  await service.stop('SIGTERM');
  await service.start();
  expect((await account.post(body, headers)).text).toBe(first.text);
  expect((await account.post(body)).status).toBe(202);
  expect(await sums()).toEqual({ aufrufe: 1, eingabe_token: 1_000 });
});
