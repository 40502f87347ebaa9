/**
 * Asks something of the database without waiting long for it. Only one question of a kind is under way at a time: with
 * a database that hangs, every further one would hold a connection that requests need.
 */
import { setTimeout as delay } from 'node:timers/promises';

const PATIENCE_MS = 2_000;

export function createProbe<T>(ask: () => Promise<T>, patienceMs = PATIENCE_MS): () => Promise<T> {
  let pending: Promise<T> | null = null;
  return async () => {
    pending ??= ask().finally(() => {
      pending = null;
    });
    const answered = new AbortController();
    const expired = async (): Promise<never> => {
      await delay(patienceMs, undefined, { signal: answered.signal });
      throw new Error('the database did not answer in time');
    };
    try {
      return await Promise.race([pending, expired()]);
    } finally {
      answered.abort();
    }
  };
}
