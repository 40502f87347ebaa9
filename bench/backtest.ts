/** A rule of each type held against past days of one Mandant: how long it takes, and what the process needs for it. */
import { DETECTED_TYPES, REGELTYPEN } from '#contracts';
import { lookBack } from '#domains/detektoren/index.ts';
import { createPriceList } from '#domains/preise/index.ts';
import { mandantId } from '#kernel/mandant-id.ts';
import { createPool } from '#platform/database/index.ts';
import { createOwnerDatabase } from '#platform/database/owner-database.ts';
import { createLog } from '#platform/log.ts';
import { addDays } from './day.ts';
import { ruleOf } from './detectors.ts';
import { round } from './ingest.ts';
import { startBenchService } from './service.ts';

const ZONE = 'Europe/Berlin';
const rss = () => Math.round(process.memoryUsage().rss / 2 ** 20);

/** About `events` calls over `days`; each rule at the highest level of its type. */
export async function measureBacktest(events: number, days: number) {
  const service = await startBenchService('api');
  const client = await service.connect();
  const { host, user, database } = client;
  const connection = { host, user: user ?? '', database: database ?? '' };
  const options = { connection, max: 1, statementTimeout: 120_000, name: 'bench' };
  const owner = createOwnerDatabase(createPool(options, createLog('error')));
  try {
    await addDays(client, service.mandant, events, days);
    const bis = Temporal.Now.plainDateISO(ZONE);
    const asked = { zone: ZONE, von: bis.subtract({ days: days - 1 }), bis };
    const types: Record<string, object> = {};
    for (const typ of DETECTED_TYPES) {
      const regel = { ...ruleOf(typ), stufe: REGELTYPEN[typ].hoechstens };
      const begin = performance.now();
      let done = 0;
      const context = { owner, prices: createPriceList() };
      const result = await lookBack(
        context,
        mandantId(service.mandant),
        { ...asked, regel },
        async (count) => {
          done = count;
          return true;
        },
      );
      types[typ] = {
        ms: round(performance.now() - begin),
        days: done,
        found: result?.befunde,
        rss_mib: rss(),
      };
    }
    return { events, days, types };
  } finally {
    await owner.close();
    await client.end();
    await service.stop();
  }
}
