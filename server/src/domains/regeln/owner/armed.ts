/** Mandanten with a rule that may slow down, stop or block: what they sent is counted without stepping back. Runs as the owner. */
import { setTimeout as delay } from 'node:timers/promises';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import type { Log } from '#platform/log.ts';
import { ARMED_LEVELS } from '../limits.ts';

export interface Armed {
  has(mandant: string): boolean;
  stop(): Promise<void>;
}

/** How old what is known may be, in milliseconds. */
const REFRESH = 2_000;
const ARMED = `SELECT DISTINCT mandant_id FROM regeln
  WHERE aktiv AND NOT schattenbetrieb AND stufe = ANY($1)`;

/** Keeps in memory who has such rules, a moment old. */
export function createArmed({ db, log }: { db: OwnerDatabase; log: Log }): Armed {
  const stopping = new AbortController();
  const { signal } = stopping;
  let armed = new Set<string>();
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      try {
        const { rows } = await db.query<{ mandant_id: string }>(ARMED, [ARMED_LEVELS]);
        armed = new Set(rows.map(({ mandant_id }) => mandant_id));
      } catch (error) {
        log.warn({ err: error }, 'who has armed rules is not known now');
      }
      await delay(REFRESH, undefined, { signal }).catch(() => undefined);
    }
  };
  const running = run();
  return {
    has: (mandant) => armed.has(mandant),
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
