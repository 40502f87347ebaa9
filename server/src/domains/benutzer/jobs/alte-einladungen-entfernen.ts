import { type JobContext, onSchedule, passedBefore } from '#jobs/index.ts';

/** Stays in the list for a while after it has ended, so that the inviting user sees that nobody came. */
const SHOWN_HOURS = 7 * 24;

/** Ended invitations are refused anyway; this takes their rows, and the addresses in them, away. */
export const alteEinladungenEntfernenJob = ({ owner }: Pick<JobContext, 'owner'>) =>
  onSchedule({
    id: 'benutzer.alte_einladungen_entfernen',
    cron: '29 3 * * *',
    atStart: false,
    async run() {
      const { rowCount } = await owner.query('DELETE FROM einladungen WHERE gueltig_bis < $1', [
        await passedBefore(owner, SHOWN_HOURS),
      ]);
      return { entfernt: rowCount };
    },
  });
