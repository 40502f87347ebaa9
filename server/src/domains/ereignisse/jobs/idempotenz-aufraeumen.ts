import { type JobContext, onSchedule } from '#jobs/index.ts';

/** Idempotency keys are kept for 48 hours. */
export const idempotenzAufraeumenJob = ({ owner }: Pick<JobContext, 'owner'>) =>
  onSchedule({
    id: 'ereignisse.idempotenz_aufraeumen',
    cron: '7 * * * *',
    atStart: true,
    async run() {
      const { rowCount } = await owner.query(
        `DELETE FROM idempotenz WHERE erstellt_am < now() - interval '48 hours'`,
      );
      return { entfernt: rowCount };
    },
  });
