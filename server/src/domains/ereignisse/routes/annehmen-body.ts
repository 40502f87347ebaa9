/** Reads the bodies of POST /v1/ereignisse: small ones on the event loop, others in the reading thread, in one way. */
import { type BodyOf, ereignisseAnnehmen, MAX_BATCH_BYTES, MAX_EVENTS_PER_BATCH } from '#contracts';
import { type BodyReader, InvalidRequest, type ReadAside, tooLarge, valueError } from '#http/index.ts';
import { hashOf } from '#platform/secret.ts';
import { packEvents, type SentContent } from '../content.ts';
import { BatchScanner } from '../fast-path/batch.ts';
import type { MisdatedEvent } from '../rules.ts';

/**
 * Milliseconds of CPU time that reading an event may take: three to five times what the dearest of ordinary ones take, which
 * have escapes or numbers as text and come packed.
 */
const WORTH_OF_AN_EVENT = 0.03;

const tooMany = () => tooLarge(`Ein Stapel fasst höchstens ${MAX_EVENTS_PER_BATCH} Ereignisse.`);

const MISDATED: Record<MisdatedEvent['off'], string> = {
  before_1970: 'zeitpunkt liegt vor 1970',
  ahead: 'zeitpunkt liegt mehr als 24 Stunden in der Zukunft',
};

const misdated = (events: MisdatedEvent[]) =>
  new InvalidRequest(
    events.flatMap(
      ({ index, zeitpunkt, off }) =>
        valueError(['body', 'ereignisse', index, 'zeitpunkt'], MISDATED[off], zeitpunkt).faults,
    ),
  );

type Content = Pick<SentContent, 'events' | 'repeats' | 'packed'>;

function packed(stapel: BodyOf<typeof ereignisseAnnehmen>, receivedAt: Date): Content {
  const made = packEvents(stapel.ereignisse ?? [], receivedAt);
  if (made.kind === 'too_many') throw tooMany();
  if (made.kind === 'misdated') throw misdated(made.events);
  return made;
}

/** Reads usual bodies straight from their bytes, where objects for all their values would cost too much. */
export function createReader(): BodyReader<SentContent, BodyOf<typeof ereignisseAnnehmen>> {
  const scanner = new BatchScanner();
  const contentOf = (bytes: Buffer, general: Parameters<ReturnType<typeof createReader>>[1], at: Date) => {
    const scanned = scanner.scan(bytes, at);
    if (scanned) return { ok: true as const, value: { ...scanned, repeats: 0 } };
    const read = general();
    return read.ok ? { ok: true as const, value: packed(read.value, at) } : read;
  };
  return (bytes, general, { header, receivedAt }) => {
    const read = contentOf(bytes, general, receivedAt);
    if (!read.ok) return read;
    const { events, repeats, packed } = read.value;
    const requestHash = header['idempotency-key'] === undefined ? null : hashOf(bytes);
    return {
      ok: true,
      value: { receivedAt, events, repeats, packed, requestHash },
      worth: WORTH_OF_AN_EVENT * events,
    };
  };
}

/** For the reading thread. */
export const annehmenAside = (): ReadAside => ({
  operation: ereignisseAnnehmen,
  bodyLimit: MAX_BATCH_BYTES,
  readers: { 'application/json': createReader() as BodyReader<unknown> },
});
