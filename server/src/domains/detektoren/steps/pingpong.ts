import type { Detector } from '../detector.ts';
import { findSteps, STELLEN_DER_INSELN } from './steps.ts';

/** Steps of a cycle: A, B. */
const CYCLE = 2;

/** Tools that alternate. Whatever comes after the first cycle could be saved. */
export const pingpong: Detector<'pingpong'> = {
  source: 'schritte',
  find: (look, regel) =>
    findSteps(look, regel, { priced: false }, (values) => ({
      stellen: `
        folgen AS (SELECT lauf_id, nr, nr - row_number() OVER (PARTITION BY lauf_id ORDER BY nr) AS insel
          FROM detektoren_schritte WHERE pendelt),
        inseln AS (SELECT lauf_id, min(nr) - ${CYCLE} AS von_nr, max(nr) AS bis_nr FROM folgen
          GROUP BY lauf_id, insel HAVING count(*) + ${CYCLE} >= ${CYCLE} * ${values.of(regel.schwelle, 'numeric')}),
        ${STELLEN_DER_INSELN}`,
      feuert: `s.platz >= ${CYCLE} * ${values.of(regel.schwelle, 'numeric')}`,
      werte: `'zyklen', count(*) / ${CYCLE}`,
      potential: `CASE WHEN s.platz > ${CYCLE} THEN a.kosten_eur END`,
    })),
};
