import type { Detector } from '../detector.ts';
import { findSteps } from './steps.ts';

/** Of few runs: looked up run by run. */
const STEPS_OF_RUN =
  'SELECT v.lauf_id, v.nr, v.eingabe FROM detektoren_aufrufe v WHERE v.lauf_id = g.lauf_id OFFSET 0';

/**
 * Input that grows with every step. What could be saved is the input above that of the first step, at the lowest rates that it may
 * have had: first as read from the cache, then as uncached, then as written to it.
 */
export const kontextwachstum: Detector<'kontextwachstum'> = {
  needs: 'preise',
  find: (look, regel) =>
    findSteps(look, regel, 'preise', (values) => {
      const { mindest_schritte: least, faktor: factor } = regel.parameter;
      return {
        // Few grow so much: the sums of the regression (steps counted from 0) are made for those only.
        stellen: `
          gewachsen AS (SELECT lauf_id, erste_eingabe, eingabe AS letzte_eingabe FROM detektoren_aufrufe
            WHERE lauf_id IS NOT NULL AND letzter AND nr >= ${values.of(least, 'integer')}
              AND eingabe >= erste_eingabe::numeric * ${values.of(factor, 'integer')}),
          summen AS (SELECT a.lauf_id, count(*)::numeric AS n, sum((a.nr - 1)::bigint) AS x, sum(a.eingabe) AS y,
              sum((a.nr - 1)::numeric * (a.nr - 1)) AS xx, sum((a.nr - 1)::numeric * a.eingabe) AS xy
            FROM gewachsen g CROSS JOIN LATERAL (${STEPS_OF_RUN}) AS a GROUP BY a.lauf_id),
          steil AS (SELECT *, n * xy - x * y AS zaehler, n * xx - x * x AS nenner FROM summen),
          stellen AS (SELECT a.lauf_id, a.nr, 0 AS gruppe, g.erste_eingabe, g.letzte_eingabe, st.zaehler / st.nenner AS steigung,
              greatest(a.eingabe - g.erste_eingabe, 0)::numeric AS mehr
            FROM steil st JOIN gewachsen g USING (lauf_id) CROSS JOIN LATERAL (${STEPS_OF_RUN}) AS a
            WHERE st.nenner > 0 AND st.zaehler >= ${values.of(regel.schwelle, 'numeric')} * st.nenner)`,
        werte: `'steigung', trim_scale(round(max(s.steigung), 1))::text,
          'erste_eingabe', max(s.erste_eingabe), 'letzte_eingabe', max(s.letzte_eingabe)`,
        potential: `(least(s.mehr, a.lese) * p.lesen
          + least(greatest(s.mehr - a.lese, 0), a.ohne_cache) * p.eingabe
          + greatest(s.mehr - a.lese - a.ohne_cache, 0) * p.schreiben) * a.kurs`,
      };
    }),
};
