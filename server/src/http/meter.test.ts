import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Tally } from './meter.ts';

/** The clock and the CPU time of the thread; milliseconds. */
const machine = { clock: 1_000, cpu: 0 };
/** A copy of its own: the one of the worker has read the clock that other files have. */
let measured: typeof import('./meter.ts').measured;
beforeAll(async () => {
  vi.resetModules();
  ({ measured } = await import('./meter.ts'));
  vi.spyOn(performance, 'now').mockImplementation(() => machine.clock);
  vi.spyOn(process, 'threadCpuUsage').mockImplementation(() => ({ user: machine.cpu * 1_000, system: 0 }));
});
afterAll(() => vi.restoreAllMocks());

/** Time goes by: the thread waits, or others are at work. */
function pass(milliseconds: number): void {
  machine.clock += milliseconds;
}
/** Uses CPU time; answers how many milliseconds. */
function use(milliseconds: number): number {
  pass(milliseconds);
  machine.cpu += milliseconds;
  return milliseconds;
}

const newTally = (): Tally => ({ cpu: 0 });
const exactly = (tally: Tally, used: number) => expect(tally.cpu).toBeCloseTo(used);

test('work is counted for whom it is done, also what follows from it, however it waits in between', async () => {
  const [one, other] = [newTally(), newTally()];
  const used = { one: 0, other: 0 };
  const work = async (name: keyof typeof used) => {
    used[name] += use(20);
    await setImmediate();
    used[name] += use(10);
    await null;
    used[name] += use(10);
  };
  await Promise.all([measured(one, () => work('one')), measured(other, () => work('other'))]);
  use(30);
  exactly(one, used.one);
  exactly(other, used.other);
});

test('work within work is counted once', async () => {
  const [outer, inner] = [newTally(), newTally()];
  await measured(outer, async () => {
    use(10);
    await measured(inner, async () => use(20));
    await null;
    use(10);
  });
  exactly(outer, 20);
  exactly(inner, 20);
});

test('waiting costs nothing', async () => {
  const tally = newTally();
  await measured(tally, async () => {
    use(5);
    await new Promise<void>((resolve) => {
      setImmediate().then(() => {
        pass(60);
        resolve();
      });
    });
    use(5);
  });
  exactly(tally, 10);
});

test('nor does what others do on the machine in the middle of long work', () => {
  const tally = newTally();
  measured(tally, () => {
    use(10);
    pass(500);
    use(10);
  });
  exactly(tally, 20);
});

test('what fails is counted, too', () => {
  const tally = newTally();
  expect(() =>
    measured(tally, () => {
      use(15);
      throw new Error('no');
    }),
  ).toThrow('no');
  exactly(tally, 15);
});
