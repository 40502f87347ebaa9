/** Sends batches over a number of connections for a time and counts the answers. */
import { Pool } from 'undici';
import { BATCH } from './events.ts';
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

export interface FloodOptions {
  connections: number;
  seconds: number;
  /** Batches per second at most; unlimited unless given. */
  batchesPerSecond?: number;
  next: () => Buffer;
}

export async function flood(service: BenchService, options: FloodOptions): Promise<FloodResult> {
  const pool = new Pool(service.address, {
    connections: options.connections,
    pipelining: 1,
    headersTimeout: 60_000,
  });
  const statuses: Record<number, number> = {};
  let withoutRetryAfter = 0;
  let sent = 0;
  const start = performance.now();
  const end = start + options.seconds * 1000;
  const lane = async () => {
    while (performance.now() < end) {
      const ahead = options.batchesPerSecond
        ? start + (sent / options.batchesPerSecond) * 1000 - performance.now()
        : 0;
      sent += 1;
      if (ahead > 0) await new Promise((resolve) => setTimeout(resolve, ahead));
      const { statusCode, headers, body } = await pool.request({
        method: 'POST',
        path: '/v1/ereignisse',
        headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
        body: options.next(),
      });
      await body.dump();
      statuses[statusCode] = (statuses[statusCode] ?? 0) + 1;
      if ((statusCode === 429 || statusCode === 503) && !headers['retry-after']) withoutRetryAfter += 1;
    }
  };
  await Promise.all(Array.from({ length: options.connections }, lane));
  const seconds = (performance.now() - start) / 1000;
  await pool.close();
  const acceptedEvents = (statuses[202] ?? 0) * BATCH;
  return {
    seconds,
    statuses,
    withoutRetryAfter,
    acceptedEvents,
    eventsPerSecond: Math.round(acceptedEvents / seconds),
  };
}
