import { forEveryMandant, type JobContext, onSchedule, passedBefore } from '#jobs/index.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import { DELETION_AFTER_DAYS, REMINDER_DAYS } from '../rules.ts';
import { remindOfDeletion } from '../service.ts';

const DUE = `SELECT mandant_id FROM mandanten WHERE status = 'gekündigt' AND loeschung IS NULL
  AND gekuendigt_am <= $1 AND gekuendigt_am > $1::timestamptz - interval '${REMINDER_DAYS * 24} hours'`;

/** Seven days before the data are removed, those who ran the account hear of it once more. */
export const erinnernJob = (context: Omit<JobContext, 'mailer'>) =>
  onSchedule({
    id: 'kuendigung.erinnern',
    cron: '33 * * * *',
    atStart: true,
    async run() {
      const before = await passedBefore(context.owner, (DELETION_AFTER_DAYS - REMINDER_DAYS) * 24);
      const remind = (mandant: MandantId) => remindOfDeletion(context, mandant);
      const reminded = await forEveryMandant(context, DUE, remind, [before]);
      return { erinnert: reminded.filter(Boolean).length };
    },
  });
