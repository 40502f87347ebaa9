import type { Detector } from '../detector.ts';
import { findSteps } from './steps.ts';

/**
 * Steps that resemble one of the next few. A step fires when enough of the last ones (itself included) resemble it; firing steps
 * that are no further apart than is looked back are one finding, about all steps they resemble. All but the first could be saved.
 */
export const schleifeNah: Detector<'schleife_nah'> = {
  needs: 'aufrufe',
  find: (look, regel) =>
    findSteps(look, regel, 'aufrufe', (values) => {
      const enough = values.of(regel.schwelle, 'numeric');
      const back = values.of(regel.parameter.schritte - 1, 'integer');
      const bits = values.of(regel.parameter.abstand, 'integer');
      // A hundred times the input of three counts fits into 64 bits.
      const percent = values.of(regel.parameter.eingabe_prozent, 'bigint');
      return {
        // OFFSET 0: the few steps before are looked up one by one, however long the run.
        stellen: `
          oft AS (SELECT lauf_id, werkzeug FROM detektoren_aufrufe
            WHERE lauf_id IS NOT NULL AND prompt IS NOT NULL GROUP BY lauf_id, werkzeug HAVING count(*) >= ${enough}),
          aehnlich AS (
            SELECT i.lauf_id, i.nr, j.nr AS andere, count(*) OVER (PARTITION BY i.lauf_id, i.nr) AS zahl
            FROM detektoren_aufrufe i
            JOIN oft ON oft.lauf_id = i.lauf_id AND oft.werkzeug IS NOT DISTINCT FROM i.werkzeug
            CROSS JOIN LATERAL (SELECT v.nr FROM detektoren_aufrufe v
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
