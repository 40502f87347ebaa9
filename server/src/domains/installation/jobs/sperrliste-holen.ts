import { type JobContext, onSchedule } from '#jobs/index.ts';
import { installedLicence } from '../licence.ts';
import { fetchList } from '../owner/fetch-list.ts';
import { noteUse, readKnownList } from '../owner/known-list.ts';

type Context = Pick<JobContext, 'owner' | 'outbound' | 'clock' | 'config' | 'log'>;

/** Two runs are not a whole hour apart to the second. */
const EARLY_MS = 60_000;

/**
 * Notes the time, and fetches the revocation list of the licence as often as its server wants, after a failure every hour. What it
 * refuses, or does not reach, it notes and tells the log: the licence goes on for 14 days.
 */
export const sperrlisteHolenJob = (context: Context) =>
  onSchedule({
    id: 'installation.sperrliste_holen',
    cron: '26 * * * *',
    atStart: true,
    async run() {
      const { owner, clock, config, log } = context;
      const installed = await installedLicence(config);
      if (installed === null) return { geholt: false };
      if ('invalid' in installed) {
        log.error({ err: installed.invalid }, 'the licence proves nothing');
        return { geholt: false };
      }
      const now = await noteUse(owner, installed.licence, clock.now());
      const { frisch_bis } = await readKnownList(owner, installed.keys);
      if (frisch_bis !== null && Date.parse(frisch_bis) - EARLY_MS > now.getTime()) return { geholt: false };
      const outcome = await fetchList(context, installed, now);
      if (outcome.hindernis === null) return { geholt: outcome.neu };
      const { hindernis, reason } = outcome;
      const said = { hindernis, err: reason };
      if (hindernis === 'nicht_erreichbar') log.warn(said, 'revocation list not reached');
      else log.error(said, 'revocation list refused');
      return { geholt: false };
    },
  });
