import { type JobContext, onSchedule } from '#jobs/index.ts';

/** Sessions past their absolute age are refused anyway; this only takes their rows away. */
export const alteSitzungenEntfernenJob = ({ owner }: Pick<JobContext, 'owner'>) =>
  onSchedule({
    id: 'zugang.alte_sitzungen_entfernen',
    cron: '17 3 * * *',
    atStart: false,
    async run() {
      const { rowCount } = await owner.query(
        `DELETE FROM sitzungen WHERE erstellt_am < now() - interval '14 days'`,
      );
      return { entfernt: rowCount };
    },
  });
