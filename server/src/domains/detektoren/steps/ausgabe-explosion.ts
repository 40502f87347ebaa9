import type { RunDetector } from '../detector.ts';
import { findSteps } from './steps.ts';

/** Steps with far more output than input. Could be saved: the output beyond what is not looked at, at its rate. */
export const ausgabeExplosion: RunDetector<'ausgabe_explosion'> = {
  needsPrices: true,
  find: (look, regel) =>
    findSteps(look, regel, { priced: true }, (values) => {
      const most = values.of(regel.schwelle, 'numeric');
      const factor = values.of(regel.parameter.faktor, 'integer');
      return {
        // Input of which nothing is known is no measure.
        stellen: `stellen AS (SELECT lauf_id, nr, 0 AS gruppe FROM detektoren_schritte
          WHERE eingabe > 0 AND ausgabe > ${most} AND ausgabe > eingabe::numeric * ${factor})`,
        feuert: 'true',
        werte: `'ausgabe_token', sum(a.ausgabe)`,
        potential: `(a.ausgabe - greatest(${most}, a.eingabe::numeric * ${factor})) * p.ausgabe * a.kurs`,
      };
    }),
  trigger: null,
  preselect: ({ schwelle, parameter }) => ({
    calls: 1,
    among: (values) => `SELECT lauf_id FROM c WHERE ausgabe > ${values.of(schwelle, 'numeric')}
      AND ausgabe > eingabe::numeric * ${values.of(parameter.faktor, 'integer')}`,
    sums: null,
  }),
  calls: null,
};
