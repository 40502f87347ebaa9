import { type JobContext, onSchedule } from '#jobs/index.ts';

/** Removes what the history of the status page does not show any more: it goes 90 days back, the first of them perhaps an hour longer. */
export const alteZustaendeEntfernenJob = ({ owner }: Pick<JobContext, 'owner'>) =>
  onSchedule({
    id: 'system.alte_zustaende_entfernen',
    cron: '9 4 * * *',
    atStart: false,
    async run() {
      const removed = await owner.query(
        `DELETE FROM zustand_spannen WHERE bis < now() - interval '90 days 1 hour'`,
      );
      return { entfernt: removed.rowCount ?? 0 };
    },
  });
