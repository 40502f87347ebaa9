import { type JobContext, onSchedule, passedBefore } from '#jobs/index.ts';

const KEPT_HOURS = 90 * 24 + 1;

/** Removes what the history of the status page does not show any more: it goes 90 days back, the first of them perhaps an hour longer. */
export const alteZustaendeEntfernenJob = ({ owner }: Pick<JobContext, 'owner'>) =>
  onSchedule({
    id: 'system.alte_zustaende_entfernen',
    cron: '9 4 * * *',
    atStart: false,
    async run() {
      const removed = await owner.query('DELETE FROM zustand_spannen WHERE bis < $1', [
        await passedBefore(owner, KEPT_HOURS),
      ]);
      return { entfernt: removed.rowCount ?? 0 };
    },
  });
