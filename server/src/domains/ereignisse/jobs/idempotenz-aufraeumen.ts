import { CERTAIN_AFTER_HOURS, type JobContext, onSchedule, passedBefore } from '#jobs/index.ts';

const KEPT_HOURS = 48;

/** Idempotency keys are kept for 48 hours at least: one that goes too early lets a batch be counted twice. */
export const idempotenzAufraeumenJob = ({ owner }: Pick<JobContext, 'owner'>) =>
  onSchedule({
    id: 'ereignisse.idempotenz_aufraeumen',
    cron: '7 * * * *',
    atStart: true,
    async run() {
      const { rowCount } = await owner.query('DELETE FROM idempotenz WHERE erstellt_am < $1', [
        await passedBefore(owner, KEPT_HOURS - CERTAIN_AFTER_HOURS),
      ]);
      return { entfernt: rowCount };
    },
  });
