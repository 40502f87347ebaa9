/** Whether batches can be stored, by what the writes of this process met with. */
import { randomUUID } from 'node:crypto';
import { type MandantId, mandantId } from '#kernel/mandant-id.ts';
import { isDiskFull, isUnreachable, type RequestDatabase } from '#platform/database/index.ts';

/** Why batches cannot be stored; null while they can, as far as anybody has tried. `partly`: of some workers of a cluster only. */
export type Trouble = 'disk-full' | 'unreachable' | 'partly' | null;

class Undone extends Error {}

/** Whose key a batch has that never comes to be. */
const NOBODY = '00000000-0000-0000-0000-000000000000';
/** More than there may be room for in pages that are there already. */
const TRIAL_BYTES = 256 * 1024;

/** Writes a batch of a Mandant and takes it back. Throws what the database refuses it with. */
async function tryToWrite(db: RequestDatabase, mandant: MandantId): Promise<void> {
  try {
    await db.forMandant(mandant, async (tx) => {
      await tx
        .insertInto('eingang')
        .values({
          mandant_id: tx.mandant,
          eingang_id: randomUUID(),
          empfangen_am: new Date().toISOString(),
          schluessel_id: NOBODY,
          anzahl: 0,
          umfang: 0,
          daten: Buffer.alloc(TRIAL_BYTES),
        })
        .execute();
      throw new Undone();
    });
  } catch (error) {
    if (!(error instanceof Undone)) throw error;
  }
}

/** Of one batch alone the failure may be its own; that the database cannot write concerns all. */
const troubleOf = (error: unknown): Trouble => {
  if (isDiskFull(error)) return 'disk-full';
  return isUnreachable(error) ? 'unreachable' : null;
};

export interface TroubleWatch {
  noteSuccess(): void;
  /** `mandant`: one of those whose batches were not written. */
  noteFailure(error: unknown, mandant: MandantId): void;
  /** What the latest write met with. After a failure one is tried, so that it ends though nobody sends. */
  current(): Promise<Trouble>;
}

export function createTroubleWatch(db: RequestDatabase): TroubleWatch {
  let trouble: Trouble = null;
  let trial: Promise<void> | null = null;
  let failed: MandantId = mandantId(NOBODY);
  const noteSuccess = () => {
    trouble = null;
  };
  const tryAgain = () => {
    trial ??= tryToWrite(db, failed)
      .then(noteSuccess, (error: unknown) => {
        trouble = troubleOf(error) ?? 'unreachable';
      })
      .finally(() => {
        trial = null;
      });
    return trial;
  };
  return {
    noteSuccess,
    noteFailure(error, mandant) {
      failed = mandant;
      trouble = troubleOf(error) ?? trouble;
    },
    async current(): Promise<Trouble> {
      if (trouble !== null) await tryAgain();
      return trouble;
    },
  };
}
