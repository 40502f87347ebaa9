import type { RunDetector } from '../detector.ts';
import { findSteps, STELLEN_DER_INSELN } from './steps.ts';

/** Steps of a cycle: A, B. */
const CYCLE = 2;

/** Tools that alternate. Whatever comes after the first cycle could be saved. */
export const pingpong: RunDetector<'pingpong'> = {
  needsPrices: false,
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
  trigger: ({ schwelle }, { state }) => state.alternating >= CYCLE * Number(schwelle),
  preselect: ({ schwelle }) => ({
    calls: CYCLE * Number(schwelle),
    among: (values) => `SELECT lauf_id FROM (
        SELECT lauf_id, werkzeug = lag(werkzeug, ${CYCLE}) OVER w
          AND werkzeug <> lag(werkzeug) OVER w AS pendelt
        FROM c WINDOW w AS (PARTITION BY lauf_id ORDER BY schritt_nr, zeitpunkt, ereignis_id)) AS schritte
      WHERE pendelt GROUP BY lauf_id HAVING count(*) + ${CYCLE} >= ${CYCLE} * ${values.of(schwelle, 'numeric')}`,
    sums: null,
  }),
  calls: null,
};
