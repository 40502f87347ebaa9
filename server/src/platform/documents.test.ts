/** Threads that make documents: beside one another, one after another, never without end. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import type { Behaviour } from '#test/document-aside.ts';
import { createDocuments, type Documents } from './documents.ts';

const MODULE = new URL('../../../test/document-aside.ts', import.meta.url);
const BUSY = { kind: 'unavailable', code: 'ueberlastet' };

let documents: Documents | undefined;
afterEach(() => documents?.stop());

const start = (limits: Parameters<typeof createDocuments>[0] = {}) => {
  documents = createDocuments(limits);
  const { make } = documents;
  return async (as: Behaviour['as']) => new TextDecoder().decode(await make<Behaviour>(MODULE, { as }));
};

test('makes documents one after another where more are asked for than are made at once', async () => {
  const make = start({ atOnce: 2, waiting: 4 });
  expect(await Promise.all(Array.from({ length: 6 }, () => make('bytes')))).toEqual(Array(6).fill('made'));
});

test('refuses at once what would have to wait behind too many', async () => {
  const make = start({ atOnce: 1, waiting: 1, timeLimit: 4_000 });
  const first = expect(make('endless')).rejects.toMatchObject(BUSY);
  const second = make('bytes');
  await expect(make('bytes')).rejects.toMatchObject({ ...BUSY, retryAfter: 1 });
  await first;
  expect(await second).toBe('made');
});

test('goes on here while a thread is busy without end, and gives that up in time', async () => {
  const make = start({ timeLimit: 4_000 });
  let turns = 0;
  const clock = setInterval(() => {
    turns += 1;
  }, 1);
  await expect(make('endless')).rejects.toMatchObject(BUSY);
  clearInterval(clock);
  expect(turns).toBeGreaterThan(50);
  expect(await make('bytes')).toBe('made');
});

test('tells what went wrong there, and survives a thread that dies', async () => {
  const make = start();
  await expect(make('fault')).rejects.toThrow(new RangeError('does not add up'));
  await expect(make('greedy')).rejects.toMatchObject({ code: 'ERR_WORKER_OUT_OF_MEMORY' });
  expect(await make('bytes')).toBe('made');
});

test('stops with what it is making', async () => {
  const make = start();
  const endless = expect(make('endless')).rejects.toThrow();
  await make('bytes');
  await documents?.stop();
  await endless;
});

test('does not hold the process that forgets to stop it', async () => {
  const script = `
    import { createDocuments } from '#platform/documents.ts';
    await createDocuments().make(new URL(${JSON.stringify(MODULE.href)}), { as: 'bytes' });
    console.log('made');
  `;
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
    timeout: 25_000,
  });
  expect((await run).stdout).toBe('made\n');
});
