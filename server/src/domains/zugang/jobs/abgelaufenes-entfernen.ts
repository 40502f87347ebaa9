import { job } from '#jobs/index.ts';

/** Reset links and counters of attempts that are over have no effect any more; this only takes their rows away. */
export const abgelaufenesEntfernen = job({
  id: 'zugang.abgelaufenes_entfernen',
  cron: '37 * * * *',
  atStart: false,
  async run({ db }) {
    const links = await db.query('DELETE FROM passwort_ruecksetzungen WHERE gueltig_bis < now()');
    const counters = await db.query('DELETE FROM drosselung WHERE expire < extract(epoch FROM now()) * 1000');
    return { links: links.rowCount, zaehler: counters.rowCount };
  },
});
