import { type JobContext, onSchedule, passedBefore } from '#jobs/index.ts';

const HOURS = 365 * 24;

const MANDANTEN = 'SELECT mandant_id FROM mandanten ORDER BY mandant_id';
const REMOVE = [
  `DELETE FROM alarm_zustellungen WHERE mandant_id = $1 AND erstellt_am < $2`,
  `DELETE FROM alarme WHERE mandant_id = $1 AND zeitpunkt < $2`,
];

/** Alarms and their deliveries are kept for a year. */
export const alteAlarmeEntfernenJob = ({ owner }: Pick<JobContext, 'owner'>) =>
  onSchedule({
    id: 'alarme.alte_entfernen',
    cron: '7 4 * * *',
    atStart: false,
    async run() {
      const before = await passedBefore(owner, HOURS);
      let removed = 0;
      const { rows } = await owner.query<{ mandant_id: string }>(MANDANTEN);
      for (const { mandant_id } of rows)
        for (const statement of REMOVE)
          removed += (await owner.query(statement, [mandant_id, before])).rowCount ?? 0;
      return { entfernt: removed };
    },
  });
