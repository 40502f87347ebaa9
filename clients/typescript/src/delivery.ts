import { type Eingriff, eingriffeIn } from './eingriffe/eingriff.ts';
import { at, list } from './json.ts';

/** The fate of one request. */
export interface Delivery {
  kind: 'accepted' | 'retry' | 'refused';
  /** HTTP status, null where no answer came. */
  status: number | null;
  /** What the service asked to wait, null where it did not say. */
  retryAfterMs: number | null;
  /** Positions in the batch of the events that the service found invalid. */
  faulty: number[];
  /** In force for the agents of the batch; null where the answer does not say. */
  eingriffe: Eingriff[] | null;
  error: string | null;
}

const MAX_BACKOFF_MS = 30_000;
const MAX_RETRY_AFTER_MS = 600_000;

/** Temporary: 409 says that the same key is still being worked on, 421 that the service has yet to be told its name. */
const RETRYABLE = new Set([408, 409, 421, 425, 429]);

/** Milliseconds of a Retry-After header (seconds or HTTP date), at most ten minutes; null where it has neither form. */
export function retryAfterOf(header: string | null, now: number = Date.now()): number | null {
  if (header === null) return null;
  const ms = /^\s*\d+\s*$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - now;
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), MAX_RETRY_AFTER_MS);
}

/**
 * How long to wait. Jitter keeps many clients from coming back in the same instant: after what the service asked for,
 * never before it; else anywhere in the upper half of the delay.
 */
export function backoffMs(delayMs: number, asked: boolean): number {
  if (asked) return delayMs + Math.random() * 0.1 * delayMs;
  return Math.min(delayMs, MAX_BACKOFF_MS) * (0.5 + Math.random() * 0.5);
}

/** Positions named by a 422: entries at `["body", "ereignisse", <position>, …]`. */
function faultyIn(body: string): number[] {
  try {
    const places = list(at(JSON.parse(body), 'detail')).map((entry) => list(at(entry, 'loc')));
    return places
      .filter((loc) => loc[1] === 'ereignisse')
      .flatMap((loc) => (typeof loc[2] === 'number' ? [loc[2]] : []));
  } catch {
    return [];
  }
}

/** What an answer of the service means for the batch. Reads the body, which also frees the connection. */
export async function deliveryOf(response: Response): Promise<Delivery> {
  const { status } = response;
  const body = await response.text();
  const retry = RETRYABLE.has(status) || status >= 500;
  return {
    kind: response.ok ? 'accepted' : retry ? 'retry' : 'refused',
    status,
    retryAfterMs: retryAfterOf(response.headers.get('retry-after')),
    faulty: status === 422 ? faultyIn(body) : [],
    eingriffe: response.ok ? eingriffeIn(body) : null,
    error: response.ok ? null : `HTTP ${status}: ${body.slice(0, 200)}`,
  };
}

/** A request without an answer: refused connection, broken connection, timeout. */
export function failedDelivery(error: unknown): Delivery {
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return {
    kind: 'retry',
    status: null,
    retryAfterMs: null,
    faulty: [],
    eingriffe: null,
    error: `${String(error)}${cause}`,
  };
}
