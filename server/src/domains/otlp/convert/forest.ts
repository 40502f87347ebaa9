/** Spans and what stands around them. */
import type { Sighting } from './sighting.ts';

/** Deeper than any program nests: a circle made on purpose ends there. */
const DEEPEST = 256;

const keyOf = (spur: string, id: string): string => `${spur}/${id}`;

export class Forest {
  readonly #spans = new Map<string, Sighting>();

  constructor(sightings: Iterable<Sighting>) {
    for (const each of sightings)
      if (each.signal === 'span') this.#spans.set(keyOf(each.spur, each.id), each);
  }

  at(spur: string, id: string): Sighting | undefined {
    return this.#spans.get(keyOf(spur, id));
  }

  /** What stands around a record, from the nearest outward, as far as it is known. */
  *around({ spur, parent }: Sighting): Iterable<Sighting> {
    let next = parent;
    for (let depth = 0; depth < DEEPEST && next !== null; depth += 1) {
      const found = this.at(spur, next);
      if (!found) return;
      yield found;
      next = found.parent;
    }
  }
}
