/** Work for somebody who may hang up before it is done. */
import type { FastifyReply } from 'fastify';
import type { Operation } from '#contracts';
import { CallerGone, forCaller } from '#platform/caller.ts';

/** Aborted, with a `CallerGone`, when the client hangs up before it has its answer. */
export function goneSignal({ raw }: FastifyReply): AbortSignal {
  const caller = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) caller.abort(new CallerGone());
  });
  return caller.signal;
}

/**
 * Runs what answers a request; what only reads ends when the client hangs up. A change that has arrived is made, read or not, and
 * what anybody may ask is shared by many.
 */
export function whileConnected<T>(
  { method, access }: Operation,
  reply: FastifyReply,
  work: () => Promise<T>,
): Promise<T> {
  if (method !== 'GET' || access.kind === 'public') return work();
  return forCaller(goneSignal(reply), work);
}
