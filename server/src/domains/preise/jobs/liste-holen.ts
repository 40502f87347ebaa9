import { type JobContext, onSchedule } from '#jobs/index.ts';
import { takePackaged } from '../owner/editions.ts';
import { fetchEdition, ListNotFetched } from '../owner/fetch-list.ts';
import { tellAge, tellRefusal } from '../owner/tell-operators.ts';

type Context = Pick<JobContext, 'owner' | 'outbound' | 'clock' | 'config' | 'log' | 'secrets'>;

async function fetchNewest(context: Context): Promise<{ geholt: boolean }> {
  const { config, clock, log } = context;
  if (config.priceListUrl === null) return { geholt: false };
  try {
    const { edition, neu } = await fetchEdition(context, config.priceListUrl, clock.now());
    if (edition.abgelehnt !== null) await tellRefusal(context, edition);
    return { geholt: neu };
  } catch (error) {
    if (!(error instanceof ListNotFetched)) throw error;
    // Many installations have no way out; the list they have holds, and the next day tries again.
    log.warn({ err: error }, 'price list could not be fetched');
    return { geholt: false };
  }
}

/** Notes the installed list, fetches the newest one, and says when the one in force has become old. Fails when it fetched none that is one. */
export const listeHolenJob = (context: Context) =>
  onSchedule({
    id: 'preise.liste_holen',
    cron: '12 5 * * *',
    atStart: true,
    async run() {
      await takePackaged(context.owner, context.clock.now());
      try {
        return await fetchNewest(context);
      } finally {
        await tellAge(context);
      }
    },
  });
