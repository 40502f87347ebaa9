import { describe, expect, it } from 'vitest';
import { createTurns } from './turns.ts';

/** Work that ends when it is told to; notes who has begun. */
function createWork() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => () => {
    begun.push(name);
    return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
  };
  const end = (name: string) => ends.get(name)?.();
  return { begun, work, end };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('work in turns', () => {
  it('begins so many at once and the others in the order of asking', async () => {
    const inTurn = createTurns({ atOnce: 2, waiting: 10 });
    const { begun, work, end } = createWork();
    const all = ['a', 'b', 'c', 'd'].map((name) => inTurn(work(name)));
    await settled();
    expect(begun).toEqual(['a', 'b']);
    end('b');
    await settled();
    expect(begun).toEqual(['a', 'b', 'c']);
    for (const name of ['a', 'c']) end(name);
    await settled();
    end('d');
    expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('refuses what would wait behind too many, and takes more once there is room', async () => {
    const inTurn = createTurns({ atOnce: 1, waiting: 1 });
    const { work, end } = createWork();
    const [first, second] = [inTurn(work('a')), inTurn(work('b'))];
    await settled();
    await expect(inTurn(work('c'))).rejects.toMatchObject({
      kind: 'unavailable',
      code: 'ueberlastet',
      retryAfter: 1,
    });
    end('a');
    await first;
    const third = inTurn(work('d'));
    await settled();
    end('b');
    await second;
    await settled();
    end('d');
    expect(await third).toBe('d');
  });

  it('lets who is patient wait behind too many', async () => {
    const inTurn = createTurns({ atOnce: 1, waiting: 1 });
    const { begun, work, end } = createWork();
    const all = [inTurn(work('a')), inTurn(work('b')), inTurn(work('c'), { patient: true })];
    for (const name of ['a', 'b', 'c']) {
      await settled();
      end(name);
    }
    expect(await Promise.all(all)).toEqual(begun);
  });

  it('goes on after work that failed', async () => {
    const inTurn = createTurns({ atOnce: 1, waiting: 1 });
    await expect(inTurn(() => Promise.reject(new Error('misslungen')))).rejects.toThrow('misslungen');
    expect(await inTurn(async () => 'weiter')).toBe('weiter');
  });
});
