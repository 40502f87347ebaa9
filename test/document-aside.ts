/** A document that is made in a thread and behaves as its model says. */
import { createRequire } from 'node:module';
import { setTimeout } from 'node:timers/promises';
import { inThread } from '#platform/documents.ts';

export interface Behaviour {
  as: 'bytes' | 'fault' | 'endless' | 'idle' | 'greedy' | 'requiring';
}

const hoard: number[][] = [];

export default inThread(async ({ as }: Behaviour): Promise<Uint8Array> => {
  if (as === 'fault') throw new RangeError('does not add up');
  while (as === 'endless') Math.random();
  if (as === 'idle') await setTimeout(3_600_000);
  if (as === 'requiring') createRequire(import.meta.url)('./random.ts');
  while (as === 'greedy') hoard.push(Array.from({ length: 100_000 }, Math.random));
  return new TextEncoder().encode('made');
});
