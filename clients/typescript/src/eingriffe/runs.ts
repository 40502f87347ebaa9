import { at, text } from '../json.ts';
import { plainId, type SeenRun, type Vorhaben } from './decide.ts';

/** More runs than a process has at a time; the one not heard of for longest is forgotten first. */
const MAX_RUNS = 50_000;
/** Runs are begun from runs so deep at most, as far as orders to those above are obeyed. */
const DEEPEST = 50;

/** A run as this process knows it. */
interface KnownRun {
  beganAt: number;
  /** The run that it was begun from. */
  from: string | null;
}

/** When runs began, and from which others, as far as this process knows. */
export class Runs {
  readonly #known = new Map<string, KnownRun>();

  /**
   * Notes that a call of a run is about to be made; returns when the run began: `laufBeginn`, else when it was first seen. Null where the call
   * belongs to none.
   */
  see({ lauf_id, zusatz }: Vorhaben, laufBeginn: number | null, now: number): SeenRun | null {
    if (!lauf_id) return null;
    const id = plainId(lauf_id);
    const known = this.#known.get(id);
    const began = known?.beganAt ?? now;
    const beganAt = laufBeginn === null ? began : Math.min(laufBeginn, began);
    const named = text(at(zusatz, 'eltern_lauf'));
    this.#known.delete(id);
    this.#known.set(id, { beganAt, from: named === null ? (known?.from ?? null) : plainId(named) });
    const oldest = this.#known.keys().next().value;
    if (this.#known.size > MAX_RUNS && oldest !== undefined) this.#known.delete(oldest);
    return { beganAt, above: this.#above(id) };
  }

  #above(id: string): string[] {
    const above: string[] = [];
    for (
      let from = this.#known.get(id)?.from ?? null;
      from !== null && from !== id && !above.includes(from) && above.length < DEEPEST;
      from = this.#known.get(from)?.from ?? null
    )
      above.push(from);
    return above;
  }
}
