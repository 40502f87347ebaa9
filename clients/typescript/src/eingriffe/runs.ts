import { plainId } from './decide.ts';

/** More runs than a process has at a time; the one not heard of for longest is forgotten first. */
const MAX_RUNS = 50_000;

/** When runs began, as far as this process knows. */
export class Runs {
  readonly #beganAt = new Map<string, number>();

  /** Notes that a call of the run is about to be made; returns when it began: as it is told, else when it was first seen. */
  see(laufId: string, laufBeginn: number | null, now: number): number {
    const id = plainId(laufId);
    const known = this.#beganAt.get(id) ?? now;
    const beganAt = laufBeginn === null ? known : Math.min(laufBeginn, known);
    this.#beganAt.delete(id);
    this.#beganAt.set(id, beganAt);
    const oldest = this.#beganAt.keys().next().value;
    if (this.#beganAt.size > MAX_RUNS && oldest !== undefined) this.#beganAt.delete(oldest);
    return beganAt;
  }
}
