import type { Regel } from '#domains/regeln/index.ts';
import type { Detector } from '../detector.ts';
import { findSteps } from './steps.ts';

/**
 * Runs in which the rule may fire at all, found in one pass. Among so many steps that resemble the latest two are this close to each
 * other, and differ by no more than both do from the latest: the prompts of the steps before as columns, and the condition on them.
 */
function closePairs({ schwelle, parameter }: Regel<'schleife_nah'>, bits: string) {
  const gap = Math.floor((parameter.schritte - 1) / (Math.ceil(Number(schwelle)) - 1));
  const before = Array.from({ length: gap }, (_, index) => index + 1);
  return {
    steps: before.map((step) => `lag(prompt, ${step}) OVER w AS vor_${step}`).join(', '),
    near: before.map((step) => `bit_count((prompt # vor_${step})::bit(64)) <= 2 * ${bits}`).join(' OR '),
  };
}

/**
 * Steps that resemble one of the next few. A step fires when enough of the last ones (itself included) resemble it; firing steps
 * that are no further apart than is looked back are one finding, about all steps they resemble. All but the first could be saved.
 */
export const schleifeNah: Detector<'schleife_nah'> = {
  source: 'schritte',
  find: (look, regel) =>
    findSteps(look, regel, { priced: false }, (values) => {
      const enough = values.of(regel.schwelle, 'numeric');
      const back = values.of(regel.parameter.schritte - 1, 'integer');
      const bits = values.of(regel.parameter.abstand, 'integer');
      // A hundred times the input of three counts fits into 64 bits.
      const percent = values.of(regel.parameter.eingabe_prozent, 'bigint');
      const { steps, near } = closePairs(regel, bits);
      return {
        // OFFSET 0: the few steps before are looked up one by one, however long the run.
        stellen: `
          folgen AS (SELECT lauf_id, prompt, ${steps} FROM detektoren_schritte 
            WINDOW w AS (PARTITION BY lauf_id ORDER BY nr)),
          verdacht AS (SELECT DISTINCT lauf_id FROM folgen WHERE ${near}),
          aehnlich AS (
            SELECT i.lauf_id, i.nr, j.nr AS andere, count(*) OVER (PARTITION BY i.lauf_id, i.nr) AS zahl
            FROM detektoren_schritte i
            JOIN verdacht ON verdacht.lauf_id = i.lauf_id
            CROSS JOIN LATERAL (SELECT v.nr FROM detektoren_schritte v
              WHERE v.lauf_id = i.lauf_id AND v.nr BETWEEN i.nr - ${back} AND i.nr
                AND abs(v.eingabe - i.eingabe) * 100 <= greatest(v.eingabe, i.eingabe) * ${percent}
                AND v.werkzeug IS NOT DISTINCT FROM i.werkzeug AND bit_count((v.prompt # i.prompt)::bit(64)) <= ${bits}
              OFFSET 0) AS j
            WHERE i.prompt IS NOT NULL),
          feuert AS (
            SELECT lauf_id, nr, coalesce(nr - lag(nr) OVER (PARTITION BY lauf_id ORDER BY nr) > ${back}, true) AS neu
            FROM aehnlich WHERE zahl >= ${enough} GROUP BY lauf_id, nr),
          gruppen AS (SELECT lauf_id, nr, count(*) FILTER (WHERE neu) OVER (PARTITION BY lauf_id ORDER BY nr) AS gruppe FROM feuert),
          stellen AS (SELECT lauf_id, g.gruppe, a.andere AS nr, bool_or(a.andere = nr) AS feuert
            FROM gruppen g JOIN aehnlich a USING (lauf_id, nr) GROUP BY lauf_id, g.gruppe, a.andere)`,
        feuert: 's.feuert',
        werte: '',
        potential: 'CASE WHEN s.platz > 1 THEN a.kosten_eur END',
      };
    }),
};
