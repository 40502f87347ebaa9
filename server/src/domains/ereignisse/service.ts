/** Takes batches in, whatever door they come by, and answers once they are durable. */
import { randomUUIDv7 } from 'node:crypto';
import {
  type EingriffAktiv,
  type ereignisseAnnehmen,
  MAX_EVENTS_PER_BATCH,
  type ResponseOf,
  type Static,
} from '#contracts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { KeyPrincipal } from '#platform/principal.ts';
import { hashOf } from '#platform/secret.ts';
import type { ScannedBatch } from './fast-path/batch.ts';
import { type Batch, createInbox } from './inbox.ts';
import { readBatch } from './packed/read.ts';
import { compress, type EventIn, packBatch } from './packed/write.ts';
import { agentsOf, countRepeats, type DatedEvent, tooFarAhead } from './rules.ts';

/** The interventions in force. Asked with every batch, so whoever keeps them answers from memory. */
export interface EingriffeInForce {
  /** Whether this Mandant has any. */
  any(mandant: MandantId): boolean;
  /** Those that hold for one of these agents. */
  forAgents(mandant: MandantId, agents: string[]): Static<typeof EingriffAktiv>[];
}

/** A batch as a door has read it. */
export interface SentContent {
  receivedAt: Date;
  /** The bytes it was read from: with an idempotency key, another batch is one of other bytes. */
  bytes: Buffer;
  /** Checked events, or events packed from the bytes at once. */
  batch: readonly EventIn[] | ScannedBatch;
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

type Answer = ResponseOf<typeof ereignisseAnnehmen>;
/** What every repetition of a batch is told alike; the interventions are those of the moment. */
type Counts = Omit<Answer, 'eingriffe'>;

/** Nothing was stored. */
type Refusal =
  | { kind: 'too_many' }
  | { kind: 'too_far_ahead'; events: DatedEvent[] }
  /** The idempotency key was used with other bytes. */
  | { kind: 'key_reused' };

/** `replayed`: the batch was stored before, under the same idempotency key. */
export type Outcome = { kind: 'accepted'; replayed: boolean; answer: Answer } | Refusal;

export type Sender = Pick<KeyPrincipal, 'mandant' | 'schluesselId' | 'projekt'>;

export interface Acceptance {
  /**
   * Resolves once the batch is durable, or refused. Throws AppError: 503 when it could not be stored in time, 409 when
   * the same key is just being used.
   */
  acceptEvents(sender: Sender, sent: SentBatch, idempotencyKey: string | null): Promise<Outcome>;
}

/** Events ready to be compressed. */
interface Packed {
  kind: 'packed';
  sent: number;
  /** How many of them repeat one of the same batch. */
  repeats: number;
  packed: Buffer;
}

function pack({ batch, receivedAt }: SentContent): Packed | Refusal {
  if ('packed' in batch) return { kind: 'packed', sent: batch.events, repeats: 0, packed: batch.packed };
  if (batch.length > MAX_EVENTS_PER_BATCH) return { kind: 'too_many' };
  const events = tooFarAhead(batch, receivedAt);
  if (events.length > 0) return { kind: 'too_far_ahead', events };
  const packed = packBatch(batch, receivedAt.toISOString());
  return { kind: 'packed', sent: batch.length, repeats: countRepeats(batch), packed };
}

/** A batch ready to be stored, and what its sender will be told. */
interface Ready {
  kind: 'ready';
  batch: Batch;
  counts: Counts;
  /** Empty when the Mandant has no interventions: then nobody asks. */
  agents: string[];
}

/** Of the content nothing but what is compressed lives on in the result. */
async function makeReady(
  sender: Sender,
  content: SentContent,
  idempotencyKey: string | null,
  eingriffe: EingriffeInForce,
): Promise<Ready | Refusal> {
  const packed = pack(content);
  if (packed.kind !== 'packed') return packed;
  const { sent, repeats, packed: bytes } = packed;
  const counts: Counts = {
    angenommen: sent - repeats,
    doppelt_im_stapel: repeats,
    // By time, and in no order within a millisecond: batches become visible in another order anyway.
    eingang_id: sent > 0 ? randomUUIDv7() : null,
  };
  const batch: Batch = {
    mandant: sender.mandant,
    eingangId: counts.eingang_id ?? randomUUIDv7(),
    empfangenAm: content.receivedAt,
    schluesselId: sender.schluesselId,
    projekt: sender.projekt,
    anzahl: counts.angenommen,
    umfang: bytes.length,
    daten: await compress(bytes),
    idempotency:
      idempotencyKey === null ? null : { key: hashOf(idempotencyKey), requestHash: hashOf(content.bytes) },
    antwort: JSON.stringify(counts),
  };
  const agents = eingriffe.any(sender.mandant) ? agentsOf(readBatch(bytes, '')) : [];
  return { kind: 'ready', batch, counts, agents };
}

/** What was told first. Rows of earlier versions keep the interventions of then beside it. */
function countsOf(antwort: string): Counts {
  const { angenommen, doppelt_im_stapel, eingang_id } = JSON.parse(antwort) as Counts;
  return { angenommen, doppelt_im_stapel, eingang_id };
}

/** The way into the inbox: one for all doors, since its queue is what bounds the memory of batches that wait. */
export function createAcceptance(context: ServiceContext, eingriffe: EingriffeInForce): Acceptance {
  const inbox = createInbox(context.db);
  return {
    async acceptEvents(sender, sent, idempotencyKey) {
      const ready = await makeReady(sender, sent.take(), idempotencyKey, eingriffe);
      if (ready.kind !== 'ready') return ready;
      const { batch, counts, agents } = ready;
      const nothingToStore = batch.anzahl === 0 && batch.idempotency === null;
      const outcome = nothingToStore ? ({ kind: 'stored' } as const) : await inbox.store(batch);
      if (outcome.kind === 'key_reused') return outcome;
      const replayed = outcome.kind === 'replayed';
      if (!replayed) context.metrics.addAccepted(counts.angenommen);
      const answer = {
        ...(replayed ? countsOf(outcome.antwort) : counts),
        eingriffe: agents.length > 0 ? eingriffe.forAgents(sender.mandant, agents) : [],
      };
      return { kind: 'accepted', replayed, answer };
    },
  };
}
