import type { StoppedByIntervention } from '../eingriffe/errors.ts';
import type { ObservedExchange } from './observer.ts';
import { isStream, lastBytes } from './stopped-stream.ts';
import type { CountsOut } from './usage-asked.ts';

/** Of a refusal that nobody reads so much is read on, to know why, and no longer than this. */
const REFUSAL_BYTES = 65_536;
const REFUSAL_MS = 1_000;

type Reader = ReadableStreamDefaultReader<Uint8Array>;

const isAbort = (error: unknown, signal: AbortSignal | undefined): boolean =>
  signal?.aborted === true || (error instanceof Error && error.name === 'AbortError');

/**
 * How a stream that must not go on ends: with the provider's own words, or with the reason itself where its library has no words for
 * it. Null where it goes on, and of answers that are no streams, which are over soon.
 */
export function endingOf(exchange: ObservedExchange): Uint8Array | StoppedByIntervention | null {
  const stopped = exchange.stoppedBy();
  if (stopped === null) return null;
  const { contentType, request } = exchange;
  if (!isStream(contentType)) return null;
  return exchange.endsWithReason ? stopped : lastBytes(contentType, request.uri, stopped);
}

/** A caller that retries throws the refusal away unread; its code is in it. */
async function readOn(reader: Reader, exchange: ObservedExchange): Promise<void> {
  const tooLate = setTimeout(() => void reader.cancel().catch(() => undefined), REFUSAL_MS);
  try {
    for (let bytes = 0; bytes < REFUSAL_BYTES; ) {
      const { done, value } = await reader.read();
      if (done) break;
      exchange.take(value);
      bytes += value.length;
    }
  } catch {
    // What came is enough.
  }
  clearTimeout(tooLate);
  exchange.end('complete');
  void reader.cancel().catch(() => undefined);
}

/** Streams that nobody reads on, nor ends. */
const abandoned = new FinalizationRegistry<ObservedExchange>((exchange) => exchange.end('aborted'));

/** Libraries drop what they will not read, and the last piece of a stream is read before its end: so much is read ahead. */
const aheadOf = ({ contentType }: ObservedExchange): QueuingStrategy<Uint8Array> =>
  /stream|ndjson/i.test(contentType)
    ? { highWaterMark: 1 }
    : { highWaterMark: REFUSAL_BYTES, size: ({ length }) => length };

type Controller = ReadableStreamDefaultController<Uint8Array>;

const enqueue = (bytes: Uint8Array | null, controller: Controller): boolean => {
  if (bytes !== null) controller.enqueue(bytes);
  return bytes !== null;
};

/**
 * The same pieces at the same time, with the same errors; a copy of them goes to the exchange. `counts`: what takes out of them what the
 * caller has not asked for.
 */
export function passingStream(
  body: ReadableStream<Uint8Array>,
  exchange: ObservedExchange,
  counts: CountsOut | null = null,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const pass = (piece: Uint8Array, controller: Controller) =>
    enqueue(counts === null ? piece : counts.pass(piece), controller);
  const close = (controller: Controller) => {
    if (counts !== null) enqueue(counts.rest(), controller);
    controller.close();
  };
  const stop = (ending: Uint8Array | StoppedByIntervention, controller: Controller) => {
    exchange.end('stopped');
    void reader.cancel().catch(() => undefined);
    if (!(ending instanceof Uint8Array)) return controller.error(ending);
    pass(ending, controller);
    close(controller);
  };
  const passing = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          // A piece of which nothing passes is not what the caller waits for.
          for (let hasPassed = false; !hasPassed; ) {
            const { done, value } = await reader.read();
            if (done) {
              exchange.end('complete');
              return close(controller);
            }
            const ending = endingOf(exchange);
            if (ending !== null) return stop(ending, controller);
            exchange.take(value);
            hasPassed = pass(value, controller);
          }
        } catch (error) {
          exchange.end(isAbort(error, exchange.request.signal) ? 'aborted' : 'broken');
          controller.error(error);
        }
      },
      async cancel(reason) {
        if (exchange.status >= 400) return void readOn(reader, exchange);
        exchange.end('aborted');
        await reader.cancel(reason);
      },
    },
    aheadOf(exchange),
  );
  abandoned.register(passing, exchange);
  return passing;
}
