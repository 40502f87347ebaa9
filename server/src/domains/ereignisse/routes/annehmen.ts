import { v7 as uuidv7 } from 'uuid';
import { ereignisseAnnehmen, MAX_BATCH_BYTES, MAX_EVENTS_PER_BATCH, type ResponseOf } from '#contracts';
import {
  type Call,
  InvalidRequest as InvalidInput,
  JsonText,
  type Route,
  route,
  tooLarge,
} from '#http/index.ts';
import type { Clock } from '#kernel/clock.ts';
import type { ServiceContext } from '#platform/context.ts';
import { hashOf } from '#platform/secret.ts';
import { futureFaults, repeatsInBatch, type Stapel } from '../batch.ts';
import { BatchScanner } from '../fast-path/batch.ts';
import { type Batch, createInbox } from '../inbox.ts';
import { compress, packBatch } from '../packed/write.ts';

type Answer = ResponseOf<typeof ereignisseAnnehmen>;

const keyReused = () =>
  new InvalidInput([
    {
      type: 'value_error',
      loc: ['header', 'idempotency-key'],
      msg: 'Value error, der Schlüssel wurde schon mit einem anderen Inhalt verwendet',
      ctx: { error: 'der Schlüssel wurde schon mit einem anderen Inhalt verwendet' },
    },
  ]);

/** A body that was read, by whichever way. */
interface Taken {
  receivedAt: Date;
  sent: number;
  /** How many events repeat one of the same batch. */
  repeats: number;
  /** Not compressed yet. */
  packed: Buffer;
}

/** The general way: what was parsed and checked is packed. Throws 413 and 422. */
function packChecked(stapel: Stapel, receivedAt: Date): Taken {
  const events = stapel.ereignisse ?? [];
  if (events.length > MAX_EVENTS_PER_BATCH)
    throw tooLarge(`Ein Stapel fasst höchstens ${MAX_EVENTS_PER_BATCH} Ereignisse.`);
  const faults = futureFaults(stapel, receivedAt);
  if (faults.length > 0) throw new InvalidInput(faults);
  const packed = packBatch(events, receivedAt.toISOString());
  return { receivedAt, sent: events.length, repeats: repeatsInBatch(stapel), packed };
}

/** The short way for usual bodies; null for others. */
function createScan(clock: Clock): (bytes: Buffer) => Taken | null {
  const scanner = new BatchScanner();
  return (bytes) => {
    const receivedAt = clock.now();
    const scanned = scanner.scan(bytes, receivedAt);
    return scanned && { receivedAt, sent: scanned.events, repeats: 0, packed: scanned.packed };
  };
}

const toAnswer = ({ sent, repeats }: Taken): Answer => ({
  angenommen: sent - repeats,
  doppelt_im_stapel: repeats,
  eingang_id: sent > 0 ? uuidv7() : null,
  eingriffe: [],
});

async function toBatch(
  call: Call<typeof ereignisseAnnehmen, Taken>,
  { receivedAt, packed }: Taken,
  answer: Answer,
): Promise<Batch> {
  const key = call.header['idempotency-key'];
  return {
    mandant: call.principal.mandant,
    eingangId: answer.eingang_id ?? uuidv7(),
    empfangenAm: receivedAt,
    schluesselId: call.principal.schluesselId,
    projekt: call.principal.projekt,
    anzahl: answer.angenommen,
    umfang: packed.length,
    daten: await compress(packed),
    idempotency: key === undefined ? null : { key: hashOf(key), requestHash: hashOf(call.raw.bytes) },
    antwort: JSON.stringify(answer),
  };
}

/** POST /v1/ereignisse: 202 once the batch is durable in the inbox. */
export function annehmenRoute(context: ServiceContext): Route {
  const inbox = createInbox(context.db);
  return route<typeof ereignisseAnnehmen, Taken>(
    ereignisseAnnehmen,
    async (call) => {
      const taken = call.scanned ?? packChecked(call.body, context.clock.now());
      const answer = toAnswer(taken);
      const batch = await toBatch(call, taken, answer);
      call.releaseBody();
      const nothingToStore = batch.anzahl === 0 && batch.idempotency === null;
      const outcome = nothingToStore ? ({ kind: 'stored' } as const) : await inbox.store(batch);
      if (outcome.kind === 'key_reused') throw keyReused();
      if (outcome.kind === 'replayed') {
        call.reply.header('idempotency-replayed', 'true');
        return new JsonText(outcome.antwort) as unknown as Answer;
      }
      context.metrics.addAccepted(answer.angenommen);
      return answer;
    },
    { bodyLimit: MAX_BATCH_BYTES, scan: createScan(context.clock) },
  );
}
