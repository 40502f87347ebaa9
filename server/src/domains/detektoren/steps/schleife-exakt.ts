import type { Detector } from '../detector.ts';
import { findSteps, STELLEN_DER_INSELN } from './steps.ts';

/** From this step of a streak on its cost is burnt (`run-state.ts` of the slice laeufe has the same). */
export const FIRST_REPEAT = 3;

/** Consecutive steps with the same prompt, tools and model. */
export const schleifeExakt: Detector<'schleife_exakt'> = {
  source: 'schritte',
  find: (look, regel) =>
    findSteps(look, regel, { priced: false }, (values) => ({
      stellen: `
        folgen AS (SELECT lauf_id, nr, nr - row_number() OVER (PARTITION BY lauf_id ORDER BY nr) AS insel
          FROM detektoren_schritte WHERE wiederholt),
        inseln AS (SELECT lauf_id, min(nr) - 1 AS von_nr, max(nr) AS bis_nr FROM folgen
          GROUP BY lauf_id, insel HAVING count(*) + 1 >= ${values.of(regel.schwelle, 'numeric')}),
        ${STELLEN_DER_INSELN}`,
      feuert: `s.platz >= ${values.of(regel.schwelle, 'numeric')}`,
      werte: `'wiederholungen', count(*) FILTER (WHERE s.platz >= ${FIRST_REPEAT})`,
      verbrannt: `CASE WHEN s.platz >= ${FIRST_REPEAT} THEN a.kosten_eur END`,
    })),
};
