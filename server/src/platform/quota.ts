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
  /** Counts a request that comes with a key, before its body is read. One that sends needs room for an event, too. */
  admit(sender: Counted, scope: Scope): void;
  /**
   * Counts the events of a batch before it is stored: whole, though there may be room for a part only; what comes next waits for that.
   * The result takes them back, for a batch that was not stored.
   */
  take(sender: Counted, events: number): () => void;
}
