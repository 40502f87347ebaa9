import { type JobContext, onSchedule, passedBefore } from '#jobs/index.ts';

const KEPT_HOURS = 14 * 24;

/** Sessions past their absolute age are refused anyway; this only takes their rows away. */
export const alteSitzungenEntfernenJob = ({ owner }: Pick<JobContext, 'owner'>) =>
  onSchedule({
    id: 'zugang.alte_sitzungen_entfernen',
    cron: '17 3 * * *',
    atStart: false,
    async run() {
      const { rowCount } = await owner.query('DELETE FROM sitzungen WHERE erstellt_am < $1', [
        await passedBefore(owner, KEPT_HOURS),
      ]);
      return { entfernt: rowCount };
    },
  });
