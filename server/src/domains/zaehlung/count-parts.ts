/**
 * Counts what failed together in parts: halves of the batches, then halves of the batch that fails alone. What cannot be counted is
 * set aside: the events at fault as a batch of their own, the batch as a whole where nothing of it can be counted.
 */
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import type { Log } from '#platform/log.ts';
import {
  type CountResult,
  countStretch,
  countTheRest,
  isPassing,
  rehearse,
  setAside,
} from './count-stretch.ts';
import { FUTILE, findFaulty } from './faulty-events.ts';
import type { InboxReader } from './inbox-reader.ts';
import type { Merkmale } from './merkmale.ts';
import type { OpenBatch } from './stretch.ts';

/** After a batch of which no part could be counted, two halves of the next one tell whether that goes on. */
const STILL_FUTILE = 2;

export interface PartCounter {
  /** Counts batches of a Mandant that could not be counted together, for this reason. Throws what passes. */
  countApart(mandant: string, eingangIds: readonly string[], reason: unknown): Promise<void>;
}

export function createPartCounter(options: {
  db: OwnerDatabase;
  log: Log;
  reader: InboxReader;
  merkmale: Merkmale;
  /** Told what was counted or set aside. */
  report: (result: CountResult) => void;
}): PartCounter {
  const { db, log, reader, merkmale, report } = options;

  const putAside = async (mandant: string, eingang: string, reason: unknown): Promise<void> => {
    log.error({ mandant, eingang, reason: String(reason) }, 'batch cannot be counted; set aside');
    await setAside(db, mandant, eingang, String(reason));
    report({ kind: 'counted', events: 0, duplicates: 0, due: [] });
  };

  const openOrPutAside = async (mandant: string, eingang: string): Promise<OpenBatch | null> => {
    try {
      return await reader.open(mandant, eingang);
    } catch (error) {
      if (isPassing(error)) throw error;
      await putAside(mandant, eingang, error);
      return null;
    }
  };

  /** Resolves with whether anything of the batch was counted. */
  const countEvents = async (
    mandant: string,
    eingangId: string,
    reason: unknown,
    futile: number,
  ): Promise<boolean> => {
    const batch = await openOrPutAside(mandant, eingangId);
    if (!batch) return false;
    const tryEvents = async (events: readonly number[]) => {
      try {
        return await rehearse(db, merkmale, await batch.only(events));
      } catch (error) {
        if (isPassing(error)) throw error;
        return error;
      }
    };
    const { events } = batch;
    const found = events.length > 1 ? await findFaulty(events, tryEvents, futile) : null;
    if (found) {
      const faulty = new Set(found.events);
      const rest = await batch.only(events.filter((event) => !faulty.has(event)));
      const text = `${found.reason} (${faulty.size} of ${events.length} events)`;
      const packed = await batch.pack(found.events);
      try {
        report(await countTheRest(db, merkmale, rest, { mandant, eingangId, faulty: packed, reason: text }));
        log.error({ mandant, eingang: eingangId, reason: text }, 'events cannot be counted; set aside');
        return true;
      } catch (error) {
        if (isPassing(error)) throw error;
      }
    }
    await putAside(mandant, eingangId, reason);
    return false;
  };

  /** `futile` as `findFaulty` takes it for the next batch; resolves with that of the batch after these. */
  const countHalves = async (
    mandant: string,
    ids: readonly string[],
    reason: unknown,
    futile: number,
  ): Promise<number> => {
    const [only, another] = ids;
    if (only && !another) return (await countEvents(mandant, only, reason, futile)) ? FUTILE : STILL_FUTILE;
    let next = futile;
    const middle = ids.length >> 1;
    for (const half of [ids.slice(0, middle), ids.slice(middle)])
      try {
        const stretch = await reader.some(mandant, half);
        if (!stretch) continue;
        for (const { eingangId, reason: unread } of stretch.unreadable)
          next = await countHalves(mandant, [eingangId], unread, next);
        if (stretch.parts.every(({ eingangIds }) => eingangIds.length === 0)) continue;
        report(await countStretch(db, merkmale, stretch));
        next = FUTILE;
      } catch (error) {
        if (isPassing(error)) throw error;
        next = await countHalves(mandant, half, error, next);
      }
    return next;
  };

  return {
    async countApart(mandant, eingangIds, reason) {
      if (eingangIds.length > 0) await countHalves(mandant, eingangIds, reason, FUTILE);
    },
  };
}
