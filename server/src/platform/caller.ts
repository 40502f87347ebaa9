/**
 * Who waits for an answer, and whether it still does: known to the work that is done for it without being handed on, so that what
 * it holds of few things (a place, a statement of the database, a thread) goes back when nobody will read what comes of it.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

/** The one who asked has hung up; nobody gets an answer. */
export class CallerGone extends Error {
  constructor() {
    super('the caller has hung up');
    this.name = 'CallerGone';
  }
}

const signals = new AsyncLocalStorage<AbortSignal>();

/** Does work for a caller; `signal` is aborted, with a `CallerGone`, once it has hung up. */
export const forCaller = <T>(signal: AbortSignal, work: () => T): T => signals.run(signal, work);

/** Does work that others wait for as well: it goes on when the first of them hangs up. */
export const forSeveral = <T>(work: () => T): T => signals.exit(work);

/** Aborted once the caller has hung up; undefined where there is none, or where the work must be done anyway. */
export const callerSignal = (): AbortSignal | undefined => signals.getStore();

/** Throws `CallerGone` when nobody waits any more. */
export const requireCaller = (): void => callerSignal()?.throwIfAborted();
