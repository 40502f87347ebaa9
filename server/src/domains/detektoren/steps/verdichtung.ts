import { RECENT_STEPS } from '#domains/laeufe/index.ts';
import type { RunDetector } from '../detector.ts';
import { findSteps, stepsOfIslands } from './steps.ts';

/**
 * A context that is compacted, is full again after a few steps, and is compacted again: input of a least number of tokens that falls by
 * half and more, each time within a few steps of the last. What comes after the first time could be saved.
 */
export const verdichtung: RunDetector<'verdichtung'> = {
  needsPrices: false,
  find: (look, regel) =>
    findSteps(look, regel, { priced: false }, (values) => {
      const enough = values.of(regel.schwelle, 'numeric');
      const { mindest_eingabe, hoechstens_schritte } = regel.parameter;
      return {
        stellen: `
          einbrueche AS (SELECT lauf_id, nr, erfolg_nr, erfolg_nr - lag(erfolg_nr) OVER w <= ${values.of(hoechstens_schritte, 'integer')} AS bald
            FROM detektoren_schritte
            WHERE NOT failed AND eingabe_vor >= ${values.of(mindest_eingabe, 'bigint')} AND eingabe * 2 <= eingabe_vor
            WINDOW w AS (PARTITION BY lauf_id ORDER BY nr)),
          gruppen AS (SELECT *, count(*) FILTER (WHERE bald IS NOT TRUE) OVER (PARTITION BY lauf_id ORDER BY nr) AS reihe FROM einbrueche),
          inseln AS (SELECT lauf_id, min(erfolg_nr) AS von, max(nr) AS bis_nr, count(*) AS einbrueche,
              (array_agg(nr ORDER BY nr))[ceil(${enough})::integer] AS ab_nr
            FROM gruppen GROUP BY lauf_id, reihe HAVING count(*) >= ${enough}),
          ${stepsOfIslands('i.einbrueche, i.ab_nr')}`,
        feuert: 's.nr >= s.ab_nr',
        werte: `'verdichtungen', max(s.einbrueche)`,
        potential: 'CASE WHEN s.platz > 1 THEN a.kosten_eur END',
      };
    }),
  // Of a long run the last steps only are kept, with as many falls as there must be among them.
  trigger: ({ schwelle, parameter }, { succeeded, state: { recent } }) => {
    const falls = succeeded.filter(({ eingabe }, at, all) => {
      const full = all[at - 1]?.eingabe ?? 0;
      return full >= parameter.mindest_eingabe && eingabe * 2 <= full;
    });
    const kept =
      recent.length < RECENT_STEPS
        ? Infinity
        : 1 + Math.floor((RECENT_STEPS - 2) / parameter.hoechstens_schritte);
    return falls.length >= Math.min(Number(schwelle), kept);
  },
  preselect: ({ schwelle, parameter }) => ({
    calls: Math.ceil(Number(schwelle)) + 1,
    among: (values) => `SELECT lauf_id FROM c GROUP BY lauf_id
      HAVING count(*) FILTER (WHERE eingabe >= ${values.of(parameter.mindest_eingabe, 'bigint')}) >= ${values.of(schwelle, 'numeric')}`,
    sums: null,
  }),
  calls: null,
};
