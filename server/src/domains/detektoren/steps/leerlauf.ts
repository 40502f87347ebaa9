import { RECENT_STEPS } from '#domains/laeufe/index.ts';
import type { RunDetector } from '../detector.ts';
import { findSteps, stepsOfIslands } from './steps.ts';

/**
 * Dear steps that come to nothing: no tool, hardly a word but reasoning, and the conversation does not get any further (its input
 * neither falls nor grows by much; documents that are worked through one by one have an input that goes up and down). All but the first could be saved.
 */
export const leerlauf: RunDetector<'leerlauf'> = {
  needsPrices: false,
  find: (look, regel) =>
    findSteps(look, regel, { priced: false }, (values) => {
      const enough = values.of(regel.schwelle, 'numeric');
      const { antwort_token, mindest_schritt_eur, zuwachs_token } = regel.parameter;
      return {
        stellen: `
          leer AS (SELECT lauf_id, nr, erfolg_nr, eingabe FROM detektoren_schritte
            WHERE NOT failed AND werkzeug IS NULL AND prompt IS NOT NULL AND kosten_eur >= ${values.of(mindest_schritt_eur, 'numeric')}
              AND ausgabe - denk <= ${values.of(antwort_token, 'bigint')}),
          davor AS (SELECT *, erfolg_nr - lag(erfolg_nr) OVER w = 1 AND eingabe - lag(eingabe) OVER w
              BETWEEN 0 AND ${values.of(zuwachs_token, 'bigint')} AS weiter
            FROM leer WINDOW w AS (PARTITION BY lauf_id ORDER BY nr)),
          gruppen AS (SELECT lauf_id, nr, erfolg_nr, count(*) FILTER (WHERE weiter IS NOT TRUE) OVER (PARTITION BY lauf_id ORDER BY nr) AS insel
            FROM davor),
          inseln AS (SELECT lauf_id, count(*) AS laenge, min(erfolg_nr) AS von, max(nr) AS bis_nr FROM gruppen
            GROUP BY lauf_id, insel HAVING count(*) >= ${enough}),
          ${stepsOfIslands('i.laenge')}`,
        feuert: `s.platz >= ${enough}`,
        werte: `'denk_token', coalesce(sum(a.denk), 0)`,
        potential: 'CASE WHEN s.platz > 1 THEN a.kosten_eur END',
      };
    }),
  trigger: ({ schwelle, parameter }, { eur, succeeded, state: { recent } }) => {
    const enough = Math.ceil(Number(schwelle));
    if (eur < 0.99 * enough * Number(parameter.mindest_schritt_eur)) return false;
    return (
      (succeeded.length >= enough || recent.length === RECENT_STEPS) &&
      succeeded
        .slice(-enough)
        .every(
          ({ werkzeug, prompt, eingabe }, at, all) =>
            werkzeug === null && prompt !== null && eingabe >= (all[at - 1]?.eingabe ?? 0),
        )
    );
  },
  preselect: ({ schwelle, parameter }) => ({
    calls: Number(schwelle),
    among: (values) => `SELECT lauf_id FROM c
      WHERE NOT failed AND werkzeug IS NULL AND prompt IS NOT NULL AND kosten_eur >= ${values.of(parameter.mindest_schritt_eur, 'numeric')}
        AND ausgabe - denk <= ${values.of(parameter.antwort_token, 'bigint')}
      GROUP BY lauf_id HAVING count(*) >= ${values.of(schwelle, 'numeric')}`,
    sums: null,
  }),
  calls: null,
};
