import { forEveryMandant, type JobContext, onSchedule, passedBefore, type Selected } from '#jobs/index.ts';
import { type SendContext, sendDueReports } from '../service/send.ts';

/** Mandanten in which somebody wants the report. */
const WANTING = `SELECT m.mandant_id, m.zeitzone FROM mandanten m
  WHERE m.status = 'aktiv' AND EXISTS (SELECT FROM bericht_abos a WHERE a.mandant_id = m.mandant_id)`;

/** A claim is asked for until Wednesday; that it is kept for some weeks more tells what was sent. */
const KEPT_HOURS = 56 * 24;
const FORGET = `DELETE FROM bericht_versendungen WHERE woche < $1::timestamptz::date`;

interface Wanting extends Selected {
  zeitzone: string;
}

/** Looks every hour where it is Monday 7 o'clock or later, and sends the report of the week before. */
export const wocheVersendenJob = (context: SendContext & Pick<JobContext, 'owner'>) =>
  onSchedule({
    id: 'berichte.woche_versenden',
    cron: '2 * * * *',
    atStart: true,
    async run() {
      await context.owner.query(FORGET, [await passedBefore(context.owner, KEPT_HOURS)]);
      const sent = await forEveryMandant(context, WANTING, (mandant, { zeitzone }: Wanting) =>
        sendDueReports(context, mandant, zeitzone),
      );
      return { mails: sent.reduce((sum, each) => sum + each, 0) };
    },
  });
