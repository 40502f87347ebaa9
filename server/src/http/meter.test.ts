import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { measured, type Tally } from './meter.ts';

/** Uses CPU time; answers how many milliseconds. */
function use(milliseconds: number): number {
  const before = process.threadCpuUsage();
  for (;;) {
    const { user, system } = process.threadCpuUsage(before);
    if (user + system >= milliseconds * 1_000) return (user + system) / 1_000;
  }
}

const newTally = (): Tally => ({ cpu: 0 });
/** Of a stretch by the clock what others use meanwhile may be in it, and a little from before. */
const nearly = (tally: Tally, used: number) => {
  expect(tally.cpu).toBeGreaterThan(0.9 * used);
  expect(tally.cpu).toBeLessThan(1.1 * used + 15);
};

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
  nearly(one, used.one);
  nearly(other, used.other);
});

test('work within work is counted once', async () => {
  const [outer, inner] = [newTally(), newTally()];
  await measured(outer, async () => {
    use(10);
    await measured(inner, async () => use(20));
    await null;
    use(10);
  });
  nearly(outer, 20);
  nearly(inner, 20);
});

test('waiting costs nothing', async () => {
  const tally = newTally();
  await measured(tally, () => new Promise((resolve) => setTimeout(resolve, 60)));
  expect(tally.cpu).toBeLessThan(20);
});

test('what fails is counted, too', () => {
  const tally = newTally();
  expect(() =>
    measured(tally, () => {
      use(15);
      throw new Error('no');
    }),
  ).toThrow('no');
  nearly(tally, 15);
});
