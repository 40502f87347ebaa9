/** Sends batches over a number of connections for a time and counts the answers. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Batch } from './events.ts';
import { Sender } from './sender.ts';
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
  next: () => Batch;
  /** The key to send each batch with; that of the service's own account unless given. */
  key?: () => string;
  /** Content-Encoding of the batches; none unless given. */
  encoding?: string;
};

export async function flood(service: BenchService, options: FloodOptions): Promise<FloodResult> {
  const statuses: Record<number, number> = {};
  let withoutRetryAfter = 0;
  let acceptedEvents = 0;
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
      const { status, hasRetryAfter } = await sender.post(
        `authorization: Bearer ${key}\r\ncontent-type: application/json\r\n${encoding}`,
        bytes,
      );
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (status === 202) {
        acceptedEvents += events;
        options.onAccepted?.(events);
      }
      if ((status === 429 || status === 503) && !hasRetryAfter) withoutRetryAfter += 1;
    }
    sender.end();
  };
  await Promise.all(Array.from({ length: options.connections }, lane));
  const seconds = (performance.now() - start) / 1000;
  return {
    seconds,
    statuses,
    withoutRetryAfter,
    acceptedEvents,
    eventsPerSecond: Math.round(acceptedEvents / seconds),
  };
}
