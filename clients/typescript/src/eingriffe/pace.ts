import type { Eingriff } from './eingriff.ts';

const objectOf = ({ objekt_art, objekt }: Eingriff): string => `${objekt_art} ${objekt}`;

/** How fast calls may follow each other while they are slowed down: one per object and interval. Times are milliseconds. */
export class Pace {
  readonly #intervalMs: number;
  /** When the next call about the object may be made. */
  readonly #next = new Map<string, number>();

  constructor(intervalMs: number) {
    this.#intervalMs = intervalMs;
  }

  /** When a call about all these objects may be made. The first one waits as well: many processes make one call only. */
  readyAt(slow: Eingriff[], now: number): number {
    return Math.max(
      ...slow.map((each) => {
        const object = objectOf(each);
        const at = this.#next.get(object) ?? now + this.#intervalMs;
        this.#next.set(object, at);
        return at;
      }),
    );
  }

  /** A call about these objects is made. */
  take(slow: Eingriff[], now: number): void {
    for (const each of slow) this.#next.set(objectOf(each), now + this.#intervalMs);
  }

  /** Forgets objects that are not slowed down any more. */
  keepOnly(eingriffe: readonly Eingriff[]): void {
    const slow = new Set(eingriffe.filter(({ stufe }) => stufe === 'drosseln').map(objectOf));
    for (const object of this.#next.keys()) if (!slow.has(object)) this.#next.delete(object);
  }
}
