import { type JobContext, onSchedule } from '#jobs/index.ts';

/** Quotas of which nothing is gone any more are as good as none: this takes their rows away. */
export const abgelaufeneEntfernenJob = ({ owner }: Pick<JobContext, 'owner'>) =>
  onSchedule({
    id: 'kontingente.abgelaufene_entfernen',
    cron: '43 * * * *',
    atStart: false,
    async run() {
      const { rowCount } = await owner.query('DELETE FROM kontingentstaende WHERE bis < now()');
      return { entfernt: rowCount ?? 0 };
    },
  });
