/** When a server process answers, or has ended before. */
import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { setUpRoles } from './roles.ts';

/** How long a server may say nothing at all before it is ready. */
const START_PATIENCE = 60_000;
const STARTING_UP = '57P03';
export const hasEnded = (child: ChildProcess): boolean =>
  child.pid === undefined || child.exitCode !== null || child.signalCode !== null;

/** Waits until a server answers, and has roles and database. */
export async function waitUntilReady(
  socket: string,
  child: ChildProcess,
  lastWords: () => string,
): Promise<void> {
  let deadline = Date.now() + START_PATIENCE;
  for (;;) {
    if (hasEnded(child)) {
      throw new Error(`PostgreSQL did not start: ${lastWords()}`);
    }
    try {
      return await setUpRoles(socket);
    } catch (error) {
      // Recovery after a crash takes as long as it takes; it must not be cut short and begun again and again.
      if ((error as { code?: string }).code === STARTING_UP) deadline = Date.now() + START_PATIENCE;
      if (Date.now() > deadline) throw error;
      await delay(50);
    }
  }
}
