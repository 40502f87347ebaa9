/** A document that is made in a thread and behaves as it is told. */
import { inThread } from '#platform/documents.ts';

export interface Behaviour {
  as: 'bytes' | 'fault' | 'endless' | 'greedy';
}

const hoard: number[][] = [];

export default inThread(async ({ as }: Behaviour): Promise<Uint8Array> => {
  if (as === 'fault') throw new RangeError('does not add up');
  while (as === 'endless') Math.random();
  while (as === 'greedy') hoard.push(Array.from({ length: 100_000 }, Math.random));
  return new TextEncoder().encode('made');
});
