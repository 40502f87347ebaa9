import { type JobContext, onSchedule, passedBefore } from '#jobs/index.ts';

/**
 * Links of mails and counters of attempts that are over have no effect any more; this only takes their rows away. A counter that goes
 * while the clock is ahead has lost nothing: it fills up by itself.
 */
export const abgelaufenesEntfernenJob = ({ owner }: Pick<JobContext, 'owner'>) =>
  onSchedule({
    id: 'zugang.abgelaufenes_entfernen',
    cron: '37 * * * *',
    atStart: false,
    async run() {
      const before = [await passedBefore(owner, 0)];
      const links = await owner.query('DELETE FROM passwort_ruecksetzungen WHERE gueltig_bis < $1', before);
      const confirmations = await owner.query(
        'DELETE FROM email_bestaetigungen WHERE gueltig_bis < $1',
        before,
      );
      const counters = await owner.query(
        'DELETE FROM drosselung WHERE expire < extract(epoch FROM now()) * 1000',
      );
      return { links: (links.rowCount ?? 0) + (confirmations.rowCount ?? 0), zaehler: counters.rowCount };
    },
  });
