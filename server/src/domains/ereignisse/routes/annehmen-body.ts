/** Reads the bodies of POST /v1/ereignisse: small ones on the event loop, others in the reading thread, in one way. */
import { randomUUID } from 'node:crypto';
import { type BodyOf, ereignisseAnnehmen, MAX_BATCH_BYTES, MAX_EVENTS_PER_BATCH } from '#contracts';
import type { Fault } from '#http/check/index.ts';
import {
  type BodyReader,
  type GeneralReader,
  InvalidRequest,
  type ReadAside,
  type ReadBody,
  tooLarge,
} from '#http/index.ts';
import { InvalidInput, type ValueFault } from '#kernel/errors.ts';
import type { Sentence } from '#kernel/sentence.ts';
import { hashOf } from '#platform/secret.ts';
import { packEvents, refusalOf, type SentContent } from '../content.ts';
import { BatchScanner, type ScannedBatch, type TakeRest } from '../fast-path/batch.ts';
import type { EventIn } from '../packed/write.ts';
import { EACH_EVENT, type MisdatedEvent } from '../rules.ts';

/**
 * Milliseconds of CPU time that reading an event may take: three to five times what the dearest of ordinary ones take, which
 * have escapes or numbers as text and come packed.
 */
const WORTH_OF_AN_EVENT = 0.03;

type Stapel = BodyOf<typeof ereignisseAnnehmen>;
type General = GeneralReader<Stapel>;

const tooMany = () =>
  tooLarge({
    de: `Ein Stapel fasst höchstens ${MAX_EVENTS_PER_BATCH} Ereignisse.`,
    en: `A batch holds ${MAX_EVENTS_PER_BATCH} events at most.`,
  });

const MISDATED: Record<MisdatedEvent['off'], Sentence> = {
  before_1970: { de: 'zeitpunkt liegt vor 1970', en: 'zeitpunkt is before 1970' },
  ahead: {
    de: 'zeitpunkt liegt mehr als 24 Stunden in der Zukunft',
    en: 'zeitpunkt is more than 24 hours ahead',
  },
};

/** The events of a batch, or of the rest of one behind this many others. Throws when they are not accepted. */
function eventsOf({ ereignisse: events = [] }: Stapel, receivedAt: Date, before = 0): readonly EventIn[] {
  const refusal = refusalOf(events, receivedAt, before);
  if (!refusal) return events;
  if (refusal.kind === 'too_many') throw tooMany();
  if (refusal.kind === 'wrong_facts')
    throw new InvalidInput(
      refusal.facts.map(
        ({ index, name, input, reason }): ValueFault => ({
          path: ['ereignisse', before + index, 'zusatz', name],
          reason: { de: `${name} ${reason.de}`, en: `${name} ${reason.en}` },
          input,
        }),
      ),
      EACH_EVENT,
    );
  throw new InvalidInput(
    refusal.events.map(
      ({ index, zeitpunkt, off }): ValueFault => ({
        path: ['ereignisse', before + index, 'zeitpunkt'],
        reason: MISDATED[off],
        input: zeitpunkt,
      }),
    ),
    EACH_EVENT,
  );
}

/** What the end of a list is read as. Nothing else in a body can have this name. */
const REST = randomUUID();
const BEFORE_REST = Buffer.from(`{"${REST}":[`);

/** How many characters these bytes are; UTF-8. */
function charactersIn(bytes: Uint8Array): number {
  let count = 0;
  for (const byte of bytes) if ((byte & 0xc0) !== 0x80) count += 1;
  return count;
}

/**
 * Reads the list from the event that begins at `start`, behind `before` others; faults are those of the whole body, InvalidRequest is
 * thrown for what is no JSON. Null when all must be read: of two lists the last one counts, and how much is too much depends on
 * the whole length.
 */
function readRest(bytes: Buffer, general: General, before: number, start: number): ReadBody<Stapel> | null {
  const moved = (faults: Fault[], level: number, by: number): Fault[] =>
    faults.map((fault) => ({
      ...fault,
      loc: fault.loc.map((step, at) => (at === level && typeof step === 'number' ? step + by : step)),
    }));
  try {
    const { value, plainText } = general.parse(Buffer.concat([BEFORE_REST, bytes.subarray(start)]));
    const { [REST]: ereignisse, ...others } = value as Record<string, unknown>;
    if (Object.hasOwn(others, 'ereignisse')) return null;
    const read = general.check({ value: { ereignisse }, plainText });
    return read.ok ? read : { ok: false, faults: moved(read.faults, 2, before) };
  } catch (error) {
    if (!(error instanceof InvalidRequest)) return null;
    const preceding = charactersIn(bytes.subarray(0, start));
    throw new InvalidRequest(moved(error.faults, 1, preceding - BEFORE_REST.length));
  }
}

/** Reads usual bodies straight from their bytes, where objects for all their values would cost too much. */
export function createReader(): BodyReader<SentContent, Stapel> {
  const scanner = new BatchScanner();

  const contentOf = (bytes: Buffer, general: General, receivedAt: Date): ReadBody<ScannedBatch> => {
    let refused: ReadBody<never> | null = null;
    const takeRest: TakeRest = (before, start) => {
      // One more than a batch takes, whatever it is.
      if (before === MAX_EVENTS_PER_BATCH) throw tooMany();
      const read = readRest(bytes, general, before, start);
      if (read?.ok) return eventsOf(read.value, receivedAt, before);
      refused = read;
      return null;
    };
    const scanned = scanner.scan(bytes, receivedAt, takeRest);
    if (scanned) return { ok: true, value: scanned };
    const read = refused ?? general.read(bytes);
    return read.ok ? { ok: true, value: packEvents(eventsOf(read.value, receivedAt), receivedAt) } : read;
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
