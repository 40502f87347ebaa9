import type { Regel } from '#domains/regeln/index.ts';
import type { Values } from '../calls/statement.ts';
import type { RunDetector } from '../detector.ts';
import { callsOfSteps, findSteps, STELLEN_DER_INSELN, type Stellen } from './steps.ts';

/** From this step of a streak on its cost is burnt (`run-state.ts` of the slice laeufe has the same). */
const FIRST_REPEAT = 3;

const streaks =
  (regel: Regel<'schleife_exakt'>) =>
  (values: Values): Stellen => {
    const enough = values.of(regel.schwelle, 'numeric');
    return {
      stellen: `
        folgen AS (SELECT lauf_id, nr, nr - row_number() OVER (PARTITION BY lauf_id ORDER BY nr) AS insel
          FROM detektoren_schritte WHERE wiederholt),
        inseln AS (SELECT lauf_id, min(nr) - 1 AS von_nr, max(nr) AS bis_nr FROM folgen
          GROUP BY lauf_id, insel HAVING count(*) + 1 >= ${enough}),
        ${STELLEN_DER_INSELN}`,
      feuert: `s.platz >= ${enough}`,
      werte: `'wiederholungen', count(*) FILTER (WHERE s.platz >= ${FIRST_REPEAT})`,
      verbrannt: `CASE WHEN s.platz >= ${FIRST_REPEAT} THEN a.kosten_eur END`,
      gemeint: `s.platz >= ${FIRST_REPEAT}`,
    };
  };

/** Consecutive steps with the same prompt, tools and model. Its calls are the repeats, which are burnt. */
export const schleifeExakt: RunDetector<'schleife_exakt'> = {
  needsPrices: false,
  find: (look, regel) => findSteps(look, regel, { priced: false }, streaks(regel)),
  trigger: ({ schwelle }, { state }) => state.streak.length >= Number(schwelle),
  // Fingerprints as they lie: to make numbers of them takes longer than to compare them.
  preselect: ({ schwelle }) => ({
    calls: Number(schwelle),
    among: (values) => `SELECT lauf_id FROM c WHERE prompt IS NOT NULL
      GROUP BY lauf_id, prompt, werkzeug, modell HAVING count(*) >= ${values.of(schwelle, 'numeric')}`,
    sums: null,
  }),
  calls: (_, regel) => callsOfSteps(regel, { priced: false }, streaks(regel)),
};
