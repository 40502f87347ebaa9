import { type JobContext, onSchedule } from '#jobs/index.ts';

/** Links of mails and counters of attempts that are over have no effect any more; this only takes their rows away. */
export const abgelaufenesEntfernenJob = ({ owner }: Pick<JobContext, 'owner'>) =>
  onSchedule({
    id: 'zugang.abgelaufenes_entfernen',
    cron: '37 * * * *',
    atStart: false,
    async run() {
      const links = await owner.query('DELETE FROM passwort_ruecksetzungen WHERE gueltig_bis < now()');
      const confirmations = await owner.query('DELETE FROM email_bestaetigungen WHERE gueltig_bis < now()');
      const counters = await owner.query(
        'DELETE FROM drosselung WHERE expire < extract(epoch FROM now()) * 1000',
      );
      return { links: (links.rowCount ?? 0) + (confirmations.rowCount ?? 0), zaehler: counters.rowCount };
    },
  });
