import { describe, expect, test, vi } from 'vitest';
import { createLoadSignal, createStepBack, mayGoOn, showLoad } from './back-pressure.ts';

describe('counting', () => {
  test('goes on at once while the API has time to spare', () => {
    expect(mayGoOn(0, 500, 0)).toBe(true);
    expect(mayGoOn(0.85, 500, 0)).toBe(true);
  });

  test('goes on in a pause once the API has clearly time to spare', () => {
    expect(mayGoOn(0.71, 500, 20)).toBe(false);
    expect(mayGoOn(0.7, 500, 20)).toBe(true);
  });

  test('leaves seven times what it took while the API is at its limit', () => {
    expect(mayGoOn(0.86, 100, 0)).toBe(false);
    expect(mayGoOn(1, 100, 699)).toBe(false);
    expect(mayGoOn(1, 100, 700)).toBe(true);
  });

  test('never pauses for more than two seconds', () => {
    expect(mayGoOn(1, 60_000, 1_999)).toBe(false);
    expect(mayGoOn(1, 60_000, 2_000)).toBe(true);
  });
});

const set = (signal: SharedArrayBuffer, load: number) => Atomics.store(new Int32Array(signal), 0, load);

test('a pause ends with the pressure', async () => {
  const signal = createLoadSignal();
  set(signal, 1000);
  // On a clock that soon stands still, time never ends the pause.
  const clock = vi.spyOn(performance, 'now').mockReturnValue(20).mockReturnValueOnce(0);
  try {
    const pause = createStepBack(signal)(60_000);
    set(signal, 100);
    await pause;
  } finally {
    clock.mockRestore();
  }
});

test('a pause under lasting pressure ends all the same', async () => {
  const signal = createLoadSignal();
  set(signal, 1000);
  const start = performance.now();
  await createStepBack(signal)(20);
  expect(performance.now() - start).toBeGreaterThanOrEqual(140);
});

test('a thread that does nothing but work shows it, and shows nothing once it has ended', async () => {
  const signal = createLoadSignal();
  const end = showLoad(signal);
  const shown = () => Atomics.load(new Int32Array(signal), 0);
  // Works without a break but for the event loop's own turn.
  for (const until = performance.now() + 20_000; shown() <= 850 && performance.now() < until; ) {
    for (const slice = performance.now() + 5; performance.now() < slice; );
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(shown()).toBeGreaterThan(850);
  end();
  expect(shown()).toBe(0);
});
