/** Adds up the calls of Mandanten that have many of them kept, beside counting: what fails here keeps nobody from being counted. */
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import type { Log } from '#platform/log.ts';
import { isPassing } from './passing.ts';
import { addUpSingles } from './write/add-up.ts';

/** After a failure it is left to the hourly job, and tried again after so many milliseconds. */
const REST = 600_000;

/** A function that adds up the calls of these Mandanten; it throws nothing. */
export function createAddingUp(db: OwnerDatabase, log: Log): (mandanten: string[]) => Promise<void> {
  const restingUntil = new Map<string, number>();
  return async (mandanten) => {
    for (const mandant of mandanten) {
      if ((restingUntil.get(mandant) ?? 0) > Date.now()) continue;
      restingUntil.delete(mandant);
      try {
        await addUpSingles(db, mandant);
      } catch (error) {
        log.warn({ err: error, mandant }, 'single calls not added up; they are kept');
        if (!isPassing(error)) restingUntil.set(mandant, Date.now() + REST);
      }
    }
  };
}
