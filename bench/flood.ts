/** Sends batches over a number of connections for a time and counts the answers. */
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import type { Batch } from './events.ts';
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
  const pool = new Pool(service.address, {
    connections: options.connections,
    pipelining: 1,
    headersTimeout: 60_000,
  });
  const statuses: Record<number, number> = {};
  let withoutRetryAfter = 0;
  let acceptedEvents = 0;
  const start = performance.now();
  const end = start + (options.seconds ?? Number.POSITIVE_INFINITY) * 1000;
  const lane = async () => {
    while (performance.now() < end && !options.isOver?.()) {
      if (options.maySend && !options.maySend()) {
        await delay(2);
        continue;
      }
      const { bytes, events } = options.next();
      const { statusCode, headers, body } = await pool.request({
        method: 'POST',
        path: '/v1/ereignisse',
        headers: {
          authorization: `Bearer ${options.key?.() ?? service.key}`,
          'content-type': 'application/json',
          'content-encoding': options.encoding ?? 'identity',
        },
        body: bytes,
      });
      await body.dump();
      statuses[statusCode] = (statuses[statusCode] ?? 0) + 1;
      if (statusCode === 202) {
        acceptedEvents += events;
        options.onAccepted?.(events);
      }
      if ((statusCode === 429 || statusCode === 503) && !headers['retry-after']) withoutRetryAfter += 1;
    }
  };
  await Promise.all(Array.from({ length: options.connections }, lane));
  const seconds = (performance.now() - start) / 1000;
  await pool.close();
  return {
    seconds,
    statuses,
    withoutRetryAfter,
    acceptedEvents,
    eventsPerSecond: Math.round(acceptedEvents / seconds),
  };
}
