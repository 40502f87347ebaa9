import { Bell } from './bell.ts';
import type { Eingriff } from './eingriff.ts';

const said = (eingriffe: Iterable<Eingriff>): string => JSON.stringify([...eingriffe]);

/** What is known to be in force; it stays until the service says otherwise, or its own time is over. */
export class Known {
  #eingriffe: Eingriff[] = [];
  readonly #changed = new Bell();
  readonly #onChange: (eingriffe: readonly Eingriff[]) => void;

  constructor(onChange: (eingriffe: readonly Eingriff[]) => void) {
    this.#onChange = onChange;
  }

  all(): readonly Eingriff[] {
    return this.#eingriffe;
  }

  /** Takes the whole list. */
  replace(eingriffe: Eingriff[]): void {
    if (said(eingriffe) !== said(this.#eingriffe)) this.#set(eingriffe);
  }

  /**
   * Takes the answer to a batch, which lists what can be about calls of its agents and says nothing of what is about other
   * agents. Returns whether it is news.
   */
  merge(agents: ReadonlySet<string>, eingriffe: Eingriff[]): boolean {
    const isListed = ({ agent }: Eingriff) => agent === null || agents.has(agent);
    const before = new Map(this.#eingriffe.filter(isListed).map((each) => [each.eingriff_id, said([each])]));
    const isSame = (each: Eingriff) => before.get(each.eingriff_id) === said([each]);
    if (before.size === eingriffe.length && eingriffe.every(isSame)) return false;
    this.#set([...eingriffe, ...this.#eingriffe.filter((each) => !isListed(each))]);
    return true;
  }

  /** Resolves when something has changed, at the latest after this many milliseconds; rejects once `signal` is aborted. */
  change(ms: number, signal: AbortSignal | undefined): Promise<void> {
    return this.#changed.wait(ms, signal);
  }

  #set(eingriffe: Eingriff[]): void {
    this.#eingriffe = eingriffe;
    this.#onChange(eingriffe);
    this.#changed.ring();
  }
}
