import { expect, test } from 'vitest';
import { MAX_BATCH_BYTES } from '#contracts';
import { createLog } from './log.ts';
import { availableMemory, LEAST_MEMORY, MIB, sharesOf, warnOfLittleMemory } from './memory.ts';

const SIZES = [256, 512, 1_024, 1_536, 2_048, 3_072, 4_096, 8_192, 65_536].map((mib) => mib * MIB);

test('shares grow with the memory there is, from the least to plenty', () => {
  const shares = SIZES.map((memory) => Object.entries(sharesOf(memory)));
  for (const [index, of] of shares.entries())
    for (const [place, [name, value]] of of.entries()) {
      expect(Number.isSafeInteger(value), name).toBe(true);
      expect(value, name).toBeGreaterThan(0);
      if (index > 0) expect(value, name).toBeGreaterThanOrEqual(shares[index - 1]?.[place]?.[1] as number);
    }
  expect(sharesOf(256 * MIB)).toEqual(sharesOf(LEAST_MEMORY));
  expect(sharesOf(4_096 * MIB)).toEqual(sharesOf(65_536 * MIB));
  expect(sharesOf(LEAST_MEMORY)).not.toEqual(sharesOf(4_096 * MIB));
});

test.each(SIZES)(
  'what is held with %i bytes of memory is a fraction of it, and takes the largest batch',
  (memory) => {
    const { bodies, batches, unsent, openedLists, runs, stretchBytes } = sharesOf(memory);
    // Whatever one Mandant holds, another one finds room for it.
    expect(bodies / 3).toBeGreaterThan(MAX_BATCH_BYTES);
    expect(batches / 2).toBeGreaterThan(MAX_BATCH_BYTES);
    // Three turns of counting, each with a stretch that is written and one that is made.
    const held = bodies + batches + unsent + openedLists + runs + 6 * stretchBytes;
    expect(held).toBeLessThan(Math.max(memory, LEAST_MEMORY) / 8);
  },
);

test('too little is said, enough is not', () => {
  const lines: unknown[] = [];
  const log = createLog('warn', { write: (line) => lines.push(JSON.parse(line)) });
  warnOfLittleMemory(log, LEAST_MEMORY);
  expect(lines).toEqual([]);
  warnOfLittleMemory(log, 768 * MIB);
  expect(lines).toMatchObject([
    { mib: 768, leastMib: 1_024, msg: expect.stringContaining('less memory than') },
  ]);
});

test('there is some', () => {
  expect(availableMemory()).toBeGreaterThan(64 * MIB);
});
