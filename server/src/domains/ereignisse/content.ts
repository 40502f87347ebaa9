/** What a door makes of what was sent to it, before it is accepted. */
import { MAX_EVENTS_PER_BATCH } from '#contracts';
import { type WrongFact, wrongFacts } from './facts.ts';
import { type EventIn, packBatch } from './packed/write.ts';
import { countRepeats, type MisdatedEvent, misdated } from './rules.ts';

/** A batch as a door has read it: plain values and bytes, so that it can come from another thread. */
export interface SentContent {
  receivedAt: Date;
  /** How many events. */
  events: number;
  /** How many of them repeat one of the same batch. */
  repeats: number;
  /** As `packBatch` makes them. */
  packed: Buffer;
  /** SHA-256 of the bytes it was read from, where it came with an idempotency key: with one, other bytes are another batch. */
  requestHash: Buffer | null;
}

/** Holds what was sent until it is taken: large bodies that wait for the database survive garbage collections for nothing. */
export class SentBatch {
  #content: SentContent | null;

  constructor(content: SentContent) {
    this.#content = content;
  }

  /** Hands the content over, once. */
  take(): SentContent {
    const content = this.#content;
    if (content === null) throw new Error('this batch was taken before');
    this.#content = null;
    return content;
  }
}

/** Why nothing is made of the events. */
type Refusal =
  | { kind: 'too_many' }
  | { kind: 'misdated'; events: MisdatedEvent[] }
  | { kind: 'wrong_facts'; facts: WrongFact[] };

/** Why checked events are not accepted, whatever door they came in by; null when they are. `before`: how many precede them. */
export function refusalOf(events: readonly EventIn[], receivedAt: Date, before = 0): Refusal | null {
  if (before + events.length > MAX_EVENTS_PER_BATCH) return { kind: 'too_many' };
  const off = misdated(events, receivedAt);
  if (off.length > 0) return { kind: 'misdated', events: off };
  const facts = wrongFacts(events);
  return facts.length > 0 ? { kind: 'wrong_facts', facts } : null;
}

/** Packs events that are accepted, from whatever door. */
export const packEvents = (
  events: readonly EventIn[],
  receivedAt: Date,
): Pick<SentContent, 'events' | 'repeats' | 'packed'> => ({
  events: events.length,
  repeats: countRepeats(events),
  packed: packBatch(events, receivedAt.toISOString()),
});
