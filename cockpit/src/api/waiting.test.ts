import { afterEach, beforeEach, expect, test, vi } from 'vitest';

beforeEach(() => {
  vi.useFakeTimers();
  vi.resetModules();
});
afterEach(() => vi.useRealTimers());

/** A fresh module, and what it says to its listeners. */
async function fresh() {
  const said: boolean[] = [];
  const { isQuiet, onQuiet, waitingFor } = await import('./waiting.ts');
  onQuiet(() => said.push(isQuiet()));
  return { waitingFor, said, isQuiet };
}

test('a service that answers nothing for four seconds is quiet, until it answers', async () => {
  const { waitingFor, said, isQuiet } = await fresh();
  const hung = Promise.withResolvers<void>();
  const waits = waitingFor(hung.promise);
  vi.advanceTimersByTime(3_999);
  expect(isQuiet()).toBe(false);
  vi.advanceTimersByTime(1);
  expect(isQuiet()).toBe(true);
  hung.resolve();
  await waits;
  expect(isQuiet()).toBe(false);
  expect(said).toEqual([true, false]);
});

test('one long answer among others is no silence', async () => {
  const { waitingFor, isQuiet } = await fresh();
  const slow = Promise.withResolvers<void>();
  const waits = waitingFor(slow.promise);
  for (let second = 0; second < 10; second += 1) {
    vi.advanceTimersByTime(1_000);
    await waitingFor(Promise.resolve());
    expect(isQuiet()).toBe(false);
  }
  vi.advanceTimersByTime(4_000);
  expect(isQuiet()).toBe(true);
  slow.resolve();
  await waits;
});

test('what fails is not waited for any more', async () => {
  const { waitingFor, isQuiet } = await fresh();
  const failing = Promise.withResolvers<void>();
  const waits = waitingFor(failing.promise).catch(() => undefined);
  vi.advanceTimersByTime(4_000);
  expect(isQuiet()).toBe(true);
  failing.reject(new Error('cut off'));
  await waits;
  expect(isQuiet()).toBe(false);
});
