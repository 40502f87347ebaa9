import { job } from '#jobs/index.ts';

/** Makes the partitions of the coming two months, long before an event can be dated into them. */
export const monateAnlegen = job({
  id: 'ereignisse.monate_anlegen',
  cron: '23 2 * * *',
  atStart: true,
  async run({ db }) {
    await db.query(`SELECT zw_monate_anlegen(now()::date, (now() + interval '2 months')::date)`);
    return {};
  },
});
