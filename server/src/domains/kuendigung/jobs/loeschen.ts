import { job } from '#jobs/index.ts';
import { IS_DUE, removeMandant } from '../owner/removal.ts';

/** Thirty days after a cancellation everything of the Mandant goes; only the receipt of it stays, for the operator. */
export const kontenLoeschen = job({
  id: 'kuendigung.konten_loeschen',
  cron: '43 3 * * *',
  atStart: true,
  async run({ db, log }) {
    const { rows } = await db.query<{ mandant_id: string }>(
      `SELECT mandant_id FROM mandanten WHERE ${IS_DUE}`,
    );
    let geloescht = 0;
    const failures: unknown[] = [];
    for (const { mandant_id: mandant } of rows) {
      try {
        if (!(await removeMandant(db, mandant))) continue;
        geloescht += 1;
        log.info({ mandant }, 'Mandant removed');
      } catch (error) {
        // One that cannot be removed must not keep the others.
        failures.push(error);
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, 'Mandanten not removed');
    return { geloescht };
  },
});
