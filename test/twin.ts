/** The twin without a clock: detectors look, days that have rested are read. */

import { record, runDetectors } from '#domains/detektoren/index.ts';
import { createPriceList } from '#domains/preise/index.ts';
import { readOpenDays } from '#domains/zwilling/jobs/tage-lesen.ts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import type { TestService } from './service.ts';

export function createTwinReader(service: TestService, owner: OwnerDatabase) {
  const prices = createPriceList();
  const { log } = service.context;
  return {
    /** What the detectors do every five minutes. */
    detect: () => runDetectors({ owner, prices, log, record }, service.clock.now()),
    /** What the job does every minute, of what is open by now; resolves with the number of days. */
    readNow: () => readOpenDays({ owner, log }, prices),
    /** The same, once everything has rested. */
    async readRested() {
      await service.sql(`UPDATE verbrauch_tagesstand SET geaendert_am = now() - interval '1 hour'`);
      await service.sql(`UPDATE zwilling_tage SET gelesen_am = now() - interval '40 seconds'`);
      return readOpenDays({ owner, log }, prices);
    },
  };
}
