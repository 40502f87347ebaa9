import { type Job, job } from '#jobs/index.ts';
import { mandantId } from '#kernel/mandant-id.ts';
import { DELETION_AFTER_DAYS, REMINDER_DAYS } from '../rules.ts';
import { type LeavingContext, remindOfDeletion } from '../service.ts';

const hours = (days: number) => `interval '${days * 24} hours'`;

const DUE = `SELECT mandant_id FROM mandanten WHERE status = 'gekündigt' AND loeschung IS NULL
  AND gekuendigt_am <= now() - ${hours(DELETION_AFTER_DAYS - REMINDER_DAYS)}
  AND gekuendigt_am > now() - ${hours(DELETION_AFTER_DAYS)}`;

/** Seven days before the data are removed, those who ran the account hear of it once more. */
export const createErinnern = (context: LeavingContext): Job =>
  job({
    id: 'kuendigung.erinnern',
    cron: '33 * * * *',
    atStart: true,
    async run({ db }) {
      const { rows } = await db.query<{ mandant_id: string }>(DUE);
      let erinnert = 0;
      for (const { mandant_id } of rows)
        if (await remindOfDeletion(context, mandantId(mandant_id))) erinnert += 1;
      return { erinnert };
    },
  });
