import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemClock } from '#kernel/clock.ts';
import { mandantId } from '#kernel/mandant-id.ts';
import { createLog } from '#platform/log.ts';
import { createWake, type Wake } from './wake.ts';

const ONE = mandantId(crypto.randomUUID());
const OTHER = mandantId(crypto.randomUUID());

const handOn = vi.fn(async (..._asked: unknown[]): Promise<number | null> => 0);
let wake: Wake;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  handOn.mockReset().mockResolvedValue(0);
  wake = createWake({ db: {} as never, clock: systemClock, log: createLog('silent') }, handOn);
});
afterEach(() => {
  wake.stop();
  vi.useRealTimers();
});

const asked = () => handOn.mock.calls.map(([, mandant]) => mandant);

test('each is looked at when it is due, however many came before it', async () => {
  wake.note(ONE, 6_000);
  await vi.advanceTimersByTimeAsync(300);
  wake.note(ONE, 6_000);
  wake.note(ONE, 1_000);
  await vi.advanceTimersByTimeAsync(999);
  expect(asked()).toEqual([]);
  await vi.advanceTimersByTimeAsync(260);
  expect(asked()).toEqual([ONE]);
  await vi.advanceTimersByTimeAsync(4_740);
  expect(asked()).toEqual([ONE, ONE]);
  await vi.advanceTimersByTimeAsync(300);
  expect(asked()).toEqual([ONE, ONE, ONE]);
});

test('what is due at one time is looked at once, of each Mandant', async () => {
  for (let time = 0; time < 50; time += 1) for (const each of [ONE, OTHER]) wake.note(each, 1_000);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(asked()).toEqual([ONE, OTHER]);
});

test('it is tried again where somebody else is at it, and left where it fails', async () => {
  handOn.mockResolvedValueOnce(null).mockRejectedValueOnce(new Error('gone'));
  wake.note(ONE, 1_000);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(asked()).toEqual([ONE, ONE]);
});

test('nothing is looked at after the end', async () => {
  wake.note(ONE, 1_000);
  wake.stop();
  wake.note(ONE, 1_000);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(asked()).toEqual([]);
});
