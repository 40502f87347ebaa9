/** Threads that make documents: beside one another, one after another, never without end. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import { mandantId } from '#kernel/mandant-id.ts';
import { isWhole } from '#test/depth.ts';
import type { Behaviour } from '#test/document-aside.ts';
import { holdTime } from '#test/held-time.ts';
import { CallerGone, forCaller } from './caller.ts';
import { createDocuments, type Documents } from './documents.ts';
import { createLog } from './log.ts';

const MODULE = new URL('../../../test/document-aside.ts', import.meta.url);
const BUSY = { kind: 'unavailable', code: 'ueberlastet' };

let documents: Documents | undefined;
afterEach(() => documents?.stop());

const LOG = createLog('fatal');
const [OURS, OTHER] = [mandantId(randomUUID()), mandantId(randomUUID())];

const start = (limits: Parameters<typeof createDocuments>[1] = {}) => {
  documents = createDocuments(LOG, limits);
  const { make } = documents;
  return async (as: Behaviour['as'], mandant = OURS) =>
    new TextDecoder().decode(await make<Behaviour>(mandant, MODULE, { as }));
};

test('makes documents one after another where more are asked for than are made at once', async () => {
  const make = start({ atOnce: 2, waiting: 4 });
  const asked = Array.from({ length: 6 }, (_, index) => make('bytes', index % 2 === 0 ? OURS : OTHER));
  expect(await Promise.all(asked)).toEqual(Array(6).fill('made'));
});

test('refuses at once what would have to wait behind too many', async () => {
  const time = holdTime();
  const make = start({ atOnce: 1, waiting: 1 });
  const first = expect(make('idle')).rejects.toMatchObject(BUSY);
  const second = make('bytes');
  await expect(make('bytes')).rejects.toMatchObject({ ...BUSY, retryAfter: 1 });
  time.isUp();
  await first;
  time.goOn();
  expect(await second).toBe('made');
});

test('goes on here while a thread is busy without end, and gives that up when its time is up', async () => {
  const time = holdTime();
  const make = start({ timeLimit: 4_000 });
  const endless = expect(make('endless')).rejects.toMatchObject(BUSY);
  for (let turn = 0; turn < 1_000; turn += 1) await setImmediate();
  expect(time.asked).toEqual([4_000]);
  time.isUp();
  await endless;
  time.goOn();
  expect(await make('bytes')).toBe('made');
});

test('tells what went wrong there, and survives a thread that dies', async () => {
  const make = start();
  await expect(make('fault')).rejects.toThrow(new RangeError('does not add up'));
  await expect(make('greedy')).rejects.toMatchObject(BUSY);
  expect(await make('bytes')).toBe('made');
});

test('hears of threads that run out of memory when their documents are given up', async () => {
  // The two meet somewhere here; a failure that nobody hears ends the process, and with it this test.
  const limits = isWhole ? [400, 500, 600, 700, 800, 900, 1_000] : [700];
  for (const timeLimit of limits) {
    const make = start({ timeLimit });
    const asked = [make('greedy'), make('greedy', OTHER)];
    for (const each of asked) await expect(each).rejects.toMatchObject(BUSY);
    await documents?.stop();
  }
});

test('makes one of another Mandant before the second of one that asks for many', async () => {
  const make = start({ atOnce: 1, waiting: 8 });
  const made: string[] = [];
  const note = (name: string) => () => made.push(name);
  const flood = Array.from({ length: 4 }, (_, index) => make('bytes').then(note(`flood ${index}`)));
  await Promise.all([...flood, make('bytes', OTHER).then(note('other'))]);
  expect(made.indexOf('other')).toBeLessThanOrEqual(1);
});

test('gives what it makes up when nobody waits for it any more, and makes the next', async () => {
  const make = start({ atOnce: 1, waiting: 8, timeLimit: 3_600_000 });
  const callers = Array.from({ length: 5 }, () => new AbortController());
  const gone = callers.map(({ signal }) =>
    expect(forCaller(signal, () => make('endless'))).rejects.toBeInstanceOf(CallerGone),
  );
  for (const caller of callers) caller.abort(new CallerGone());
  await Promise.all(gone);
  expect(await make('bytes', OTHER)).toBe('made');
});

test('requires no ES module: a thread that ended meanwhile would end the process', async () => {
  await expect(start()('requiring')).rejects.toThrow('require() of ES Module');
});

test('stops with what it is making', async () => {
  const make = start({ atOnce: 2 });
  const endless = expect(make('endless')).rejects.toThrow();
  await make('bytes', OTHER);
  await documents?.stop();
  await endless;
});

test('does not hold the process that forgets to stop it', async () => {
  const script = `
    import { createDocuments } from '#platform/documents.ts';
    await createDocuments(console).make('x', new URL(${JSON.stringify(MODULE.href)}), { as: 'bytes' });
    console.log('made');
  `;
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
    timeout: 500_000,
  });
  expect((await run).stdout).toBe('made\n');
});
