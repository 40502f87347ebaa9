/** How much a key and a Mandant may send, and the port through which requests are held to it; the slice `kontingente` implements it. */
import type { Scope } from '#contracts';
import type { MandantId } from '#kernel/mandant-id.ts';

/** Of a minute; null is without limit. */
export interface Limits {
  anfragen: number | null;
  ereignisse: number | null;
}

/** The limits of a key, and those of its Mandant, which all its keys share. */
export interface Quotas {
  schluessel: Limits;
  mandant: Limits;
}

/** Whom a request is counted for. */
export interface Counted {
  mandant: MandantId;
  schluesselId: string;
  /** Null where nothing is limited. */
  kontingente: Quotas | null;
}

/** What they throw is 429 with the seconds to wait; nothing is counted then. */
export interface Quota {
  /**
   * Counts a request that comes with a key, before its body is read. One that sends needs room for an event, too. `length`: bytes of
   * the body as they were announced, null where they were not.
   */
  admit(sender: Counted, scope: Scope, length: number | null): void;
  /**
   * Counts the events of a batch before it is stored: whole, though there may be room for a part only; what comes next waits for that.
   * The result takes them back, for a batch that was not stored.
   */
  take(sender: Counted, events: number): () => void;
}

/** Holds to all of them; the answer names the first that refuses. */
export const allQuotas = (...quotas: Quota[]): Quota => ({
  admit(sender, scope, length) {
    for (const quota of quotas) quota.admit(sender, scope, length);
  },
  take(sender, events) {
    const taken: (() => void)[] = [];
    const giveBack = () => {
      for (const undo of taken) undo();
    };
    try {
      for (const quota of quotas) taken.push(quota.take(sender, events));
    } catch (error) {
      giveBack();
      throw error;
    }
    return giveBack;
  },
});
