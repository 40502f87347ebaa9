/** Lists that were read are remembered with what they add up to: people look at the same days again and again. */
import { LRUCache } from 'lru-cache';
import { MEMORY } from '#platform/memory.ts';
import type { GroupSums } from './group-sums.ts';
import type { OpenList } from './list.ts';

/** Lists of different times, and what they add up to of the figures that somebody asked for; neither changes any more. */
export interface Opened {
  lists: readonly OpenList[];
  sums: GroupSums;
}

/** Milliseconds after which they are read again. */
const LONGEST = 15 * 60_000;

export class OpenedLists {
  readonly #kept = new LRUCache<string, Opened>({
    // As far as `size` tells them.
    maxSize: MEMORY.openedLists,
    ttl: LONGEST,
    sizeCalculation: ({ lists, sums }) => lists.reduce((sum, { size }) => sum + size, sums.size),
  });

  /** What the key, which names the content, stands for; `read` where that is not known. */
  async of(key: string, read: () => Promise<Opened>): Promise<Opened> {
    const known = this.#kept.get(key);
    if (known) return known;
    const opened = await read();
    this.#kept.set(key, opened);
    return opened;
  }
}
