import { type BodyOf, ereignisseAnnehmen, MAX_BATCH_BYTES, MAX_EVENTS_PER_BATCH } from '#contracts';
import { type BodyReader, InvalidRequest, type Route, route, tooLarge, valueError } from '#http/index.ts';
import type { Clock } from '#kernel/clock.ts';
import type { ServiceContext } from '#platform/context.ts';
import { BatchScanner } from '../fast-path/batch.ts';
import type { DatedEvent } from '../rules.ts';
import { type Acceptance, SentBatch } from '../service.ts';

const tooMany = () => tooLarge(`Ein Stapel fasst höchstens ${MAX_EVENTS_PER_BATCH} Ereignisse.`);

const keyReused = () =>
  valueError(['header', 'idempotency-key'], 'der Schlüssel wurde schon mit einem anderen Inhalt verwendet');

const tooFarAhead = (events: DatedEvent[]) =>
  new InvalidRequest(
    events.flatMap(
      ({ index, zeitpunkt }) =>
        valueError(
          ['body', 'ereignisse', index, 'zeitpunkt'],
          'zeitpunkt liegt mehr als 24 Stunden in der Zukunft',
          zeitpunkt,
        ).faults,
    ),
  );

/** Reads usual bodies straight from their bytes, where objects for all their values would cost too much. */
function createReader(clock: Clock): BodyReader<SentBatch, BodyOf<typeof ereignisseAnnehmen>> {
  const scanner = new BatchScanner();
  return (bytes, general) => {
    const receivedAt = clock.now();
    const scanned = scanner.scan(bytes, receivedAt);
    if (scanned) return { ok: true, value: new SentBatch({ receivedAt, bytes, batch: scanned }) };
    const read = general();
    if (!read.ok) return read;
    return {
      ok: true,
      value: new SentBatch({ receivedAt, bytes, batch: read.value.ereignisse ?? [] }),
    };
  };
}

/** POST /v1/ereignisse: 202 once the batch is durable in the inbox. */
export const annehmenRoute = ({ clock }: ServiceContext, acceptance: Acceptance): Route =>
  route(
    ereignisseAnnehmen,
    async ({ principal, body, header, reply }) => {
      const outcome = await acceptance.acceptEvents(principal, body, header['idempotency-key'] ?? null);
      if (outcome.kind === 'too_many') throw tooMany();
      if (outcome.kind === 'too_far_ahead') throw tooFarAhead(outcome.events);
      if (outcome.kind === 'key_reused') throw keyReused();
      if (outcome.replayed) reply.header('idempotency-replayed', 'true');
      return outcome.answer;
    },
    { bodyLimit: MAX_BATCH_BYTES, readers: { 'application/json': createReader(clock) } },
  );
