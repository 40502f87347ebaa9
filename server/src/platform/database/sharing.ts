/** How requests share their connections: a Mandant has its share of them, and what nobody waits for any more is cancelled. */
import type pg from 'pg';
import { unavailable } from '#kernel/errors.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import { callerSignal } from '../caller.ts';
import { createShares, refuseShared, type Shares } from '../shares.ts';
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

export type ConnectionShares = Shares<MandantId>;

/** Of a pool of `max` connections; requests wait for one of them for `longest` milliseconds at most. */
export const createConnectionShares = (max: number, longest = LONGEST): ConnectionShares =>
  createShares({
    places: max - APART,
    reserved: RESERVED,
    waiting: WAITING,
    longest,
    refuse: refuseShared,
  });

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

/**
 * Runs `work` on a connection of the pool when it is the holder's turn (null: without a Mandant). Throws 429 `anteil_verbraucht` or 503
 * `ueberlastet` when that takes too long, 503 `abfrage_zu_lang` when a statement does, `CallerGone` when nobody waits any more.
 */
export async function onConnection<T>(
  { pool, shares }: { pool: pg.Pool; shares: ConnectionShares | undefined },
  holder: MandantId | null,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const connected = () => withClient(pool, (client) => whileCalled(pool, client, () => work(client)));
  try {
    return await (shares ? shares.inTurn(holder, connected) : connected());
  } catch (error) {
    callerSignal()?.throwIfAborted();
    throw isTooSlow(error) && holder !== null ? tookTooLong() : error;
  }
}
