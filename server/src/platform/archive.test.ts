import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { createArchive } from './archive.ts';

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;

const FILES = 20;

test('what a file was made of is let go of once it is written, not with the last one', async () => {
  const made: WeakRef<Uint8Array>[] = [];
  const held: number[] = [];
  async function* files() {
    for (let n = 0; n < FILES; n += 1) {
      // Out of the turn in which the references were looked at, which keeps what they lead to.
      await new Promise((resolve) => setTimeout(resolve));
      gc();
      held.push(made.filter((each) => each.deref() !== undefined).length);
      const bytes = new Uint8Array(100_000).fill(n);
      made.push(new WeakRef(bytes));
      yield {
        name: `${n}.bin`,
        async *content() {
          yield bytes;
        },
      };
    }
  }
  const { stream, done } = createArchive(files(), new Date(0));
  let size = 0;
  for await (const chunk of stream) size += chunk.length;
  await done;
  expect(size).toBeGreaterThan(FILES * 100);
  expect(held).toHaveLength(FILES);
  expect(Math.max(...held)).toBeLessThan(4);
});

test('of a file that is written an archive holds no more than its name and figures', async () => {
  const bytesHeld: number[] = [];
  async function* files() {
    for (let n = 0; n < 200; n += 1) {
      yield {
        name: `${n}.bin`,
        // Small buffers are cut from pools of 64 KiB: by the next name this one is used up.
        async *content() {
          for (let part = 0; part < 8; part += 1) yield Buffer.from('x'.repeat(16_000));
        },
      };
      if (n % 100 !== 99) continue;
      await new Promise((resolve) => setTimeout(resolve));
      gc();
      bytesHeld.push(process.memoryUsage().arrayBuffers);
    }
  }
  const { stream, done } = createArchive(files(), new Date(0));
  for await (const _ of stream);
  await done;
  const [first, second] = bytesHeld as [number, number];
  expect((second - first) / 100).toBeLessThan(10_000);
});
