import { v7 as uuidv7 } from 'uuid';
import { ereignisseAnnehmen, MAX_BATCH_BYTES, MAX_EVENTS_PER_BATCH, type ResponseOf } from '#contracts';
import { type Call, InvalidInput, JsonText, type Route, route, tooLarge } from '#http/index.ts';
import { hashOf } from '#kernel/secret.ts';
import type { ServiceContext } from '#platform/context.ts';
import { compress, futureFaults, repeatsInBatch, type Stapel } from '../batch.ts';
import { type Batch, createInbox } from '../inbox.ts';

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

/** What passed the strict check is stored as it came; what had to be read leniently is stored as it was understood. */
const storedJson = (call: Call<typeof ereignisseAnnehmen>): Buffer =>
  call.body === call.raw.value ? call.raw.bytes : Buffer.from(JSON.stringify(call.body));

async function toBatch(
  call: Call<typeof ereignisseAnnehmen>,
  answer: Answer,
  receivedAt: Date,
): Promise<Batch> {
  const key = call.header['idempotency-key'];
  const json = answer.angenommen > 0 ? storedJson(call) : Buffer.alloc(0);
  return {
    mandant: call.principal.mandant,
    eingangId: answer.eingang_id ?? uuidv7(),
    empfangenAm: receivedAt,
    schluesselId: call.principal.schluesselId,
    projekt: call.principal.projekt,
    anzahl: answer.angenommen,
    umfang: json.length,
    daten: await compress(json),
    idempotency: key === undefined ? null : { key: hashOf(key), requestHash: hashOf(call.raw.bytes) },
    antwort: JSON.stringify(answer),
  };
}

function refuse(stapel: Stapel, now: Date): void {
  const length = stapel.ereignisse?.length ?? 0;
  if (length > MAX_EVENTS_PER_BATCH)
    throw tooLarge(`Ein Stapel fasst höchstens ${MAX_EVENTS_PER_BATCH} Ereignisse.`);
  const faults = futureFaults(stapel, now);
  if (faults.length > 0) throw new InvalidInput(faults);
}

/** POST /v1/ereignisse: 202 once the batch is durable in the inbox. */
export function annehmenRoute(context: ServiceContext): Route {
  const inbox = createInbox(context.db);
  return route(
    ereignisseAnnehmen,
    async (call) => {
      const now = context.clock.now();
      refuse(call.body, now);
      const length = call.body.ereignisse?.length ?? 0;
      const repeats = repeatsInBatch(call.body);
      const accepted = length - repeats;
      const answer: Answer = {
        angenommen: accepted,
        doppelt_im_stapel: repeats,
        eingang_id: accepted > 0 ? uuidv7() : null,
        eingriffe: [],
      };
      const batch = await toBatch(call, answer, now);
      const nothingToStore = batch.anzahl === 0 && batch.idempotency === null;
      const outcome = nothingToStore ? ({ kind: 'stored' } as const) : await inbox.store(batch);
      if (outcome.kind === 'key_reused') throw keyReused();
      if (outcome.kind === 'replayed') {
        call.reply.header('idempotency-replayed', 'true');
        return new JsonText(outcome.antwort) as unknown as Answer;
      }
      context.metrics.addAccepted(accepted);
      return answer;
    },
    { bodyLimit: MAX_BATCH_BYTES },
  );
}
