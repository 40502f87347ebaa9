import { type JobContext, onSchedule, passedBefore } from '#jobs/index.ts';

const REMOVE = 'DELETE FROM reservierungen WHERE verfaellt_am <= $1 OR betrag_eur <= 0';

/** Removes reservations that have lapsed or are booked, of Mandanten that ask for none any more: who asks removes his own (`removeOver`). */
export const verfalleneEntfernenJob = ({ owner }: Pick<JobContext, 'owner'>) =>
  onSchedule({
    id: 'reservierungen.verfallene_entfernen',
    cron: '57 * * * *',
    atStart: false,
    async run() {
      const { rowCount } = await owner.query(REMOVE, [await passedBefore(owner, 0)]);
      return { entfernt: rowCount ?? 0 };
    },
  });
