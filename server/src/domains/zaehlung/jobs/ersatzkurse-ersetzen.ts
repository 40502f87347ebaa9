import { type JobContext, onSchedule } from '#jobs/index.ts';
import { applyReferenceRates } from '../reference-rates.ts';

/** After the daily rates, and at the start: what was counted without them gets them where its Mandant allows it. */
export const ersatzkurseErsetzenJob = (context: Pick<JobContext, 'owner' | 'log'>) =>
  onSchedule({
    id: 'zaehlung.ersatzkurse_ersetzen',
    cron: '44 16 * * *',
    atStart: true,
    run: async () => ({ ersetzt: await applyReferenceRates(context) }),
  });
