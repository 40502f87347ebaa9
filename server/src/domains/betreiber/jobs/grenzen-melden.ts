import { type JobContext, onSchedule } from '#jobs/index.ts';
import { tellOverLimits } from '../owner/over-limits.ts';

type Context = Pick<JobContext, 'owner' | 'secrets' | 'clock' | 'config' | 'log'>;

/** Tells operators by mail which Mandanten are beyond their package, each once a month. */
export const grenzenMeldenJob = (context: Context) =>
  onSchedule({
    id: 'betreiber.grenzen_melden',
    cron: '42 6 * * *',
    atStart: false,
    async run() {
      return { gemeldet: await tellOverLimits(context) };
    },
  });
