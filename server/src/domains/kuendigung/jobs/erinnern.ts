import { forEveryMandant, type JobContext, onSchedule } from '#jobs/index.ts';
import { DELETION_AFTER_DAYS, REMINDER_DAYS } from '../rules.ts';
import { remindOfDeletion } from '../service.ts';

const hours = (days: number) => `interval '${days * 24} hours'`;

const DUE = `SELECT mandant_id FROM mandanten WHERE status = 'gekündigt' AND loeschung IS NULL
  AND gekuendigt_am <= now() - ${hours(DELETION_AFTER_DAYS - REMINDER_DAYS)}
  AND gekuendigt_am > now() - ${hours(DELETION_AFTER_DAYS)}`;

/** Seven days before the data are removed, those who ran the account hear of it once more. */
export const erinnernJob = (context: Omit<JobContext, 'mailer'>) =>
  onSchedule({
    id: 'kuendigung.erinnern',
    cron: '33 * * * *',
    atStart: true,
    async run() {
      const reminded = await forEveryMandant(context, DUE, (mandant) => remindOfDeletion(context, mandant));
      return { erinnert: reminded.filter(Boolean).length };
    },
  });
