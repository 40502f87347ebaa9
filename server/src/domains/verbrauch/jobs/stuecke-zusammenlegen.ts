import { forEveryMandant, type JobContext, onSchedule, type Selected } from '#jobs/index.ts';
import { putTogether, type Whose } from '../owner/put-together.ts';

type Context = Pick<JobContext, 'owner' | 'log'>;
type SelectedMandant = Selected & Whose;

/** Few pieces with little in them wait for an hour: a Mandant that is counted all the time is not worth a look each time. */
const WORTH_PIECES = 100;
const WORTH_ROWS = 20_000;
const PATIENCE = '50 minutes';

/** Mandanten with pieces that are due, of which one is worth it: those longest due first. */
const DUE = `SELECT s.mandant_id, m.zeitzone FROM verbrauch_stuecke s JOIN mandanten m USING (mandant_id)
  WHERE s.faellig_am <= now()
  GROUP BY s.mandant_id, m.zeitzone
  HAVING bool_or(NOT s.roh) OR count(*) >= ${WORTH_PIECES} OR sum(s.anzahl) >= ${WORTH_ROWS} OR min(s.faellig_am) <= now() - interval '${PATIENCE}'
  ORDER BY min(s.faellig_am)`;

/** Transactions for each Mandant in a run; what is not done by then is the next run's, after the others. */
const MOST_TURNS = 20;

/** Puts pieces together that are due; resolves with the number of Mandanten that had some. */
async function putAllTogether({ owner, log }: Context): Promise<number> {
  const done = await forEveryMandant({ owner, log }, DUE, async (_, whose: SelectedMandant) => {
    for (let turn = 1; await putTogether(owner, whose); turn += 1) if (turn === MOST_TURNS) break;
  });
  return done.length;
}

/** Pieces that counting leaves become one by the local day, and those of few calls one by the month. */
export const stueckeZusammenlegenJob = (context: Context) =>
  onSchedule({
    id: 'verbrauch.stuecke_zusammenlegen',
    cron: '*/5 * * * *',
    atStart: true,
    run: async () => ({ mandanten: await putAllTogether(context) }),
  });
