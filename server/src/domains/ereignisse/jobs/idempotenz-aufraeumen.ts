import { job } from '#jobs/index.ts';

/** Idempotency keys are kept for 48 hours. */
export const idempotenzAufraeumen = job({
  id: 'ereignisse.idempotenz_aufraeumen',
  cron: '7 * * * *',
  atStart: true,
  async run({ db }) {
    const { rowCount } = await db.query(
      `DELETE FROM idempotenz WHERE erstellt_am < now() - interval '48 hours'`,
    );
    return { entfernt: rowCount };
  },
});
