/** Sends batches over a number of connections for a time and counts the answers. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Batch } from './events.ts';
import { type Answer, Sender } from './sender.ts';
import type { BenchService } from './service.ts';

export interface FloodResult {
  seconds: number;
  /** Answers by status. */
  statuses: Record<number, number>;
  /** 429 and 503 that carried no Retry-After. */
  withoutRetryAfter: number;
  acceptedEvents: number;
  eventsPerSecond: number;
}

/** For how many seconds, or until when. */
type HowLong = { seconds: number; isOver?: undefined } | { isOver: () => boolean; seconds?: undefined };

export type FloodOptions = HowLong & {
  connections: number;
  /** Asked before each batch; while it says no, nothing is sent. */
  maySend?: () => boolean;
  onAccepted?: (events: number) => void;
  /** Of a batch that was answered otherwise. */
  onRefused?: (events: number) => void;
  next: () => Batch;
  /** The key to send each batch with; that of the service's own account unless given. */
  key?: () => string;
  /** Content-Encoding of the batches; none unless given. */
  encoding?: string;
};

type Tally = Pick<FloodResult, 'statuses' | 'withoutRetryAfter' | 'acceptedEvents'>;

/** Whether such an answer must say when to come back. */
const mustSayWhen = (status: number) => status === 429 || status === 503;

/** Adds the answer to a batch of `events` events to the counts. */
function countAnswer(tally: Tally, { status, hasRetryAfter }: Answer, events: number): void {
  tally.statuses[status] = (tally.statuses[status] ?? 0) + 1;
  if (status === 202) tally.acceptedEvents += events;
  if (mustSayWhen(status) && !hasRetryAfter) tally.withoutRetryAfter += 1;
}

export async function flood(service: BenchService, options: FloodOptions): Promise<FloodResult> {
  const tally: Tally = { statuses: {}, withoutRetryAfter: 0, acceptedEvents: 0 };
  const start = performance.now();
  const end = start + (options.seconds ?? Number.POSITIVE_INFINITY) * 1000;
  const encoding = options.encoding ? `content-encoding: ${options.encoding}\r\n` : '';
  const lane = async () => {
    const sender = new Sender(service.address);
    while (performance.now() < end && !options.isOver?.()) {
      if (options.maySend && !options.maySend()) {
        await delay(2);
        continue;
      }
      const { bytes, events } = options.next();
      const key = options.key?.() ?? service.key;
      const answer = await sender.post(
        `authorization: Bearer ${key}\r\ncontent-type: application/json\r\n${encoding}`,
        bytes,
      );
      countAnswer(tally, answer, events);
      if (answer.status === 202) options.onAccepted?.(events);
      else options.onRefused?.(events);
    }
    sender.end();
  };
  await Promise.all(Array.from({ length: options.connections }, lane));
  const seconds = (performance.now() - start) / 1000;
  return {
    seconds,
    ...tally,
    eventsPerSecond: Math.round(tally.acceptedEvents / seconds),
  };
}
