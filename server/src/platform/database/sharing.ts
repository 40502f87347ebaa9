/**
 * How requests share their connections: a Mandant has its share of them, and what nobody waits for any more is cancelled. A Mandant that
 * has kept the database busy takes turns with its like on the processors, so that one of them is left to batches, logins and the questions of others.
 */
import type pg from 'pg';
import { unavailable } from '#kernel/errors.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import { callerSignal } from '../caller.ts';
import { createShares, PROCESSORS, refuseShared, type Shares } from '../shares.ts';
import { createUsage, type Usage, type UsageLimits } from '../usage.ts';
import { isTooSlow, withClient } from './pool.ts';

/** Work without a Mandant (login, health, keys) finds this number of connections, whatever Mandanten do. */
const RESERVED = 4;
/** Besides: writers of batches, which never wait for requests, and what cancels statements. */
const APART = 4;
const WAITING = 1_000;
/** Longest that a request waits for a connection, in milliseconds. */
const LONGEST = 5_000;
/** Seconds after which a question that took too long may find the database less busy. */
const TOO_SLOW_AGAIN = 30;

const tookTooLong = () =>
  unavailable(
    'abfrage_zu_lang',
    {
      de: 'Diese Abfrage dauert zu lange. Ein kürzerer Zeitraum oder ein engerer Filter hilft.',
      en: 'This query takes too long. A shorter period or a narrower filter helps.',
    },
    TOO_SLOW_AGAIN,
  );

/** Milliseconds for which a Mandant's transactions may last, all together, before they take turns: half of the processors all the time. */
const busyOf = (processors: number): UsageLimits => ({
  burst: 2_000,
  perSecond: (1_000 * processors) / 2,
});

export interface ConnectionShares {
  connections: Shares<MandantId>;
  /** Of those that have kept the database busy. */
  processors: Shares<MandantId>;
  lasted: Usage;
}

/** Of a pool of `max` connections; requests wait for one of them for `longest` milliseconds at most. */
export function createConnectionShares(
  max: number,
  {
    longest = LONGEST,
    processors = PROCESSORS,
    now,
  }: { longest?: number; processors?: number; now?: () => number } = {},
): ConnectionShares {
  const waits = { waiting: WAITING, longest, refuse: refuseShared };
  return {
    connections: createShares({ ...waits, places: max - APART, reserved: RESERVED }),
    processors: createShares({ ...waits, places: processors }),
    lasted: createUsage(busyOf(processors), now),
  };
}

/** Does the work in a turn where the holder has kept the database busy, and counts how long it lasts. */
async function inTurn<T>(
  { processors, lasted }: ConnectionShares,
  holder: MandantId,
  work: () => Promise<T>,
): Promise<T> {
  const counted = async () => {
    const began = performance.now();
    try {
      return await work();
    } finally {
      lasted.add(holder, performance.now() - began);
    }
  };
  return lasted.excess(holder) > 0 ? processors.inTurn(holder, counted) : counted();
}

/** Has the database end what the connection works on once the caller hangs up. Nobody gets the connection while that is on its way. */
async function whileCalled<T>(pool: pg.Pool, client: pg.PoolClient, work: () => Promise<T>): Promise<T> {
  const signal = callerSignal();
  const { processID } = client as unknown as { processID: number };
  let cancelling: Promise<unknown> | undefined;
  const cancel = () => {
    cancelling = pool.query('SELECT pg_cancel_backend($1)', [processID]).catch(() => undefined);
  };
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    signal?.throwIfAborted();
    return await work();
  } finally {
    signal?.removeEventListener('abort', cancel);
    await cancelling;
  }
}

/** Whose work is done on a connection. */
export interface Held {
  holder: MandantId | null;
  /** It reads page by page, as slowly as it is taken: it takes no turns, and its callers limit how many there are. */
  slowly?: boolean;
}

/**
 * Runs `work` on a connection of the pool when it is the holder's turn (null: without a Mandant). Throws 429 `anteil_verbraucht` or 503
 * `ueberlastet` when that takes too long, 503 `abfrage_zu_lang` when a statement does, `CallerGone` when nobody waits any more.
 */
export async function onConnection<T>(
  { pool, shares }: { pool: pg.Pool; shares: ConnectionShares | undefined },
  { holder, slowly = false }: Held,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const connected = () => withClient(pool, (client) => whileCalled(pool, client, () => work(client)));
  const taking = (held: ConnectionShares) =>
    holder === null || slowly ? connected() : inTurn(held, holder, connected);
  try {
    return await (shares ? shares.connections.inTurn(holder, () => taking(shares)) : connected());
  } catch (error) {
    callerSignal()?.throwIfAborted();
    throw isTooSlow(error) && holder !== null ? tookTooLong() : error;
  }
}
