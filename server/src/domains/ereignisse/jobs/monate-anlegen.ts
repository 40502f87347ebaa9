import { type JobContext, onSchedule } from '#jobs/index.ts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';

/** Makes the partitions of this month and the coming two. Also before anything is accepted after a long rest. */
export async function makeMonths(db: OwnerDatabase): Promise<void> {
  await db.query(`SELECT zw_monate_anlegen(now()::date, (now() + interval '2 months')::date)`);
}

/** Long before an event can be dated into them. */
export const monateAnlegenJob = ({ owner }: Pick<JobContext, 'owner'>) =>
  onSchedule({
    id: 'ereignisse.monate_anlegen',
    cron: '23 2 * * *',
    atStart: false,
    async run() {
      await makeMonths(owner);
      return {};
    },
  });
