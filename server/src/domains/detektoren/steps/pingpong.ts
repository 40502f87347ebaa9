import { notExcepted } from '../calls/statement.ts';
import type { RunDetector } from '../detector.ts';
import { findSteps, inARow, isPrompt } from './steps.ts';

/** Steps of a cycle: A, B. */
const CYCLE = 2;

/**
 * Tools that alternate. Whatever comes after the first cycle could be saved. Where the steps of most cycles were asked for something else
 * than those of the cycle before, they may well have got further: it warns at most.
 */
export const pingpong: RunDetector<'pingpong'> = {
  needsPrices: false,
  find: (look, regel) =>
    findSteps(look, regel, { priced: false }, (values) => {
      const enough = `${CYCLE} * ${values.of(regel.schwelle, 'numeric')}`;
      return {
        stellen: inARow({
          before: CYCLE,
          where: `a.pendelt AND ${isPrompt(regel, values)} AND ${notExcepted(regel, 'a', values)}`,
          having: `count(*) + ${CYCLE} >= ${enough}`,
          more: 'a.gleich_gefragt',
        }),
        feuert: `s.platz >= ${enough}`,
        werte: `'zyklen', count(*) / ${CYCLE}`,
        nurWarnen: `count(*) FILTER (WHERE s.gleich_gefragt AND s.platz > ${CYCLE}) * 2 < count(*) - ${CYCLE}`,
        potential: `CASE WHEN s.platz > ${CYCLE} THEN a.kosten_eur END`,
      };
    }),
  trigger: ({ schwelle }, { state }) => state.alternating >= CYCLE * Number(schwelle),
  preselect: ({ schwelle }) => ({
    calls: CYCLE * Number(schwelle),
    among: (values) => `SELECT lauf_id FROM (
        SELECT lauf_id, werkzeug = lag(werkzeug, ${CYCLE}) OVER w
          AND werkzeug <> lag(werkzeug) OVER w AS pendelt
        FROM c WHERE NOT failed WINDOW w AS (PARTITION BY lauf_id ORDER BY schritt_nr, zeitpunkt, ereignis_id)) AS schritte
      WHERE pendelt GROUP BY lauf_id HAVING count(*) + ${CYCLE} >= ${CYCLE} * ${values.of(schwelle, 'numeric')}`,
    sums: null,
  }),
  calls: null,
};
