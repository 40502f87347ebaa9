/** Calls that are told of anew: by a better source, with who made them, or to be taken back. */
import type { PackedBatch } from '#domains/ereignisse/index.ts';

export interface Renewed {
  id: string;
  /** Seconds since 1970. */
  seconds: number;
  /** What was counted with a lower one is replaced. */
  fassung: number;
}

/** Reads what the events of a batch say of calls that were counted before; nothing where they change none. */
export class RenewedCalls {
  readonly found: Renewed[] = [];
  readonly #noted: (index: number) => boolean;

  /** `batch`: null where its events change nothing. */
  constructor(batch: PackedBatch | null) {
    this.#noted = batch ? this.#reader(batch) : () => false;
  }

  /** Notes what an event says; true where nothing takes the place of the call: it is no event then. */
  note(index: number): boolean {
    return this.#noted(index);
  }

  #reader(batch: PackedBatch): (index: number) => boolean {
    const zusatzAt = batch.numbers('zusatz');
    const idAt = batch.uuids('ereignis_id');
    const { seconds } = batch.columns.of('zeitpunkt');
    return (index) => {
      const zusatz = zusatzAt(index);
      const id = idAt(index);
      if (zusatz < 0 || id === null) return false;
      const { otlp_fassung: fassung, otlp_entfaellt: isGone } = JSON.parse(batch.text(zusatz));
      if (typeof fassung !== 'number') return false;
      this.found.push({ id, seconds: seconds[index] as number, fassung });
      return isGone === true;
    };
  }
}
