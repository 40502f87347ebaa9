/** Takes batches in, whatever door they come by, and answers once they are durable. */
import { randomUUIDv7 } from 'node:crypto';
import type { ereignisseAnnehmen, ResponseOf } from '#contracts';
import type { InForce } from '#domains/eingriffe/index.ts';
import { InvalidInput, type ValueFault } from '#kernel/errors.ts';
import { secondsOf } from '#kernel/microseconds.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { MandantTx } from '#platform/database/index.ts';
import type { KeyPrincipal } from '#platform/principal.ts';
import type { Quota } from '#platform/quota.ts';
import { hashOf } from '#platform/secret.ts';
import type { SentBatch, SentContent } from './content.ts';
import { createInbox } from './inbox.ts';
import type { Batch } from './inbox-rows.ts';
import { readBatch } from './packed/read.ts';
import { compress } from './packed/write.ts';
import { agentsOf, EACH_EVENT, olderThan } from './rules.ts';
import { insertBatch } from './store.ts';
import type { Trouble } from './trouble.ts';

type Answer = ResponseOf<typeof ereignisseAnnehmen>;
/** What every repetition of a batch gets alike; the interventions are those of the moment. */
type Counts = Omit<Answer, 'eingriffe'>;

/**
 * `replayed`: the batch was stored before, under the same idempotency key. `key_reused`: that key was used with other bytes, and
 * nothing was stored.
 */
type Outcome = { kind: 'accepted'; replayed: boolean; answer: Answer } | { kind: 'key_reused' };

type Sender = Pick<KeyPrincipal, 'mandant' | 'schluesselId' | 'projekt' | 'kontingente' | 'annahmeAb'>;

export interface Acceptance {
  /**
   * Resolves once the batch is durable, or refused. Throws AppError: 503 when it could not be stored in time, 409 when
   * the same key is just being used, 429 when the sender has used up its quota; InvalidInput for events older than what is kept.
   */
  acceptEvents(sender: Sender, sent: SentBatch, idempotencyKey: string | null): Promise<Outcome>;
  /** Why batches cannot be stored now; null while they can. */
  trouble(): Promise<Trouble>;
}

/** A batch ready to be stored, and what its sender will be told. */
interface Ready {
  batch: Batch;
  counts: Counts;
  /** Empty when the Mandant has no interventions: then nobody asks. */
  agents: string[];
}

/** Of what is kept no longer no sum could be made anew: the day of such an event would consist of it alone. */
export function refuseOld(annahmeAb: string | null, packed: Buffer): void {
  if (annahmeAb === null) return;
  const old = olderThan(readBatch(packed, ''), secondsOf(annahmeAb));
  if (old.length === 0) return;
  const reason = {
    de: `zeitpunkt liegt vor dem, was hier aufbewahrt wird (ab ${annahmeAb})`,
    en: `zeitpunkt is before what is kept here (from ${annahmeAb})`,
  };
  throw new InvalidInput(
    old.map(
      ({ index, zeitpunkt }): ValueFault => ({
        path: ['ereignisse', index, 'zeitpunkt'],
        reason,
        input: zeitpunkt,
      }),
    ),
    EACH_EVENT,
  );
}

/** Of the content nothing but what is compressed lives on in the result. */
async function makeReady(
  sender: Sender,
  { receivedAt, events, repeats, packed: bytes, requestHash }: SentContent,
  idempotencyKey: string | null,
  inForce: InForce,
): Promise<Ready> {
  refuseOld(sender.annahmeAb, bytes);
  const counts: Counts = {
    angenommen: events - repeats,
    doppelt_im_stapel: repeats,
    // By time, and in no order within a millisecond: batches become visible in another order anyway.
    eingang_id: events > 0 ? randomUUIDv7() : null,
  };
  const batch: Batch = {
    mandant: sender.mandant,
    eingangId: counts.eingang_id ?? randomUUIDv7(),
    empfangenAm: receivedAt,
    schluesselId: sender.schluesselId,
    projekt: sender.projekt,
    anzahl: counts.angenommen,
    umfang: bytes.length,
    daten: await compress(bytes),
    idempotency:
      idempotencyKey === null || requestHash === null ? null : { key: hashOf(idempotencyKey), requestHash },
    antwort: JSON.stringify(counts),
  };
  await inForce.refresh(sender.mandant);
  const isAnyInForce = inForce.any(sender.mandant);
  const isToBeKnown = isAnyInForce || inForce.senders.wantsAgents(sender.schluesselId);
  const agents = isToBeKnown ? agentsOf(readBatch(bytes, '')) : [];
  if (isToBeKnown) inForce.senders.noteSender(sender.schluesselId, agents);
  return { batch, counts, agents: isAnyInForce ? agents : [] };
}

/** What was told first. Rows of earlier versions keep the interventions of then beside it. */
function countsOf(antwort: string): Counts {
  const { angenommen, doppelt_im_stapel, eingang_id } = JSON.parse(antwort) as Counts;
  return { angenommen, doppelt_im_stapel, eingang_id };
}

/** Events that a slice hands on, in its own transaction: they are durable with what it notes of them. */
export interface HandedIn extends Pick<SentContent, 'receivedAt' | 'events' | 'repeats' | 'packed'> {
  schluesselId: string;
  projekt: string | null;
  /** Whether they change calls that were counted before, or take them back. */
  aendert: boolean;
}

/** Puts events into the inbox within a transaction. Their number was counted against quotas where they came in. */
export async function storeInTransaction(tx: MandantTx, batch: HandedIn): Promise<void> {
  await insertBatch(tx, {
    eingangId: randomUUIDv7(),
    empfangenAm: batch.receivedAt,
    schluesselId: batch.schluesselId,
    projekt: batch.projekt,
    anzahl: batch.events - batch.repeats,
    umfang: batch.packed.length,
    daten: await compress(batch.packed),
    aendert: batch.aendert,
  });
}

/** The way into the inbox: one for all doors, since its queue is what bounds the memory of batches that wait. */
export function createAcceptance(
  context: ServiceContext,
  inForce: InForce,
  quota: Pick<Quota, 'take'>,
): Acceptance {
  const inbox = createInbox(context.db);
  /** Counts the events first, so that batches that come at once do not slip through; what is not stored now is given back. */
  const storeWithin = async (sender: Sender, batch: Batch) => {
    const giveBack = quota.take(sender, batch.anzahl);
    try {
      const outcome = await inbox.store(batch);
      if (outcome.kind !== 'stored') giveBack();
      return outcome;
    } catch (error) {
      giveBack();
      throw error;
    }
  };
  return {
    trouble: inbox.trouble,
    async acceptEvents(sender, sent, idempotencyKey) {
      const { batch, counts, agents } = await makeReady(sender, sent.take(), idempotencyKey, inForce);
      const nothingToStore = batch.anzahl === 0 && batch.idempotency === null;
      const outcome = nothingToStore ? ({ kind: 'stored' } as const) : await storeWithin(sender, batch);
      if (outcome.kind === 'key_reused') return outcome;
      const replayed = outcome.kind === 'replayed';
      if (!replayed) context.metrics.addAccepted(counts.angenommen);
      if (agents.length > 0) await inForce.refresh(sender.mandant);
      const eingriffe = agents.length > 0 ? inForce.named(sender, agents) : [];
      await inForce.handedOut(sender, eingriffe);
      const answer = { ...(replayed ? countsOf(outcome.antwort) : counts), eingriffe };
      return { kind: 'accepted', replayed, answer };
    },
  };
}
