import type { Detector } from '../detector.ts';
import { findSteps } from './steps.ts';

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
          lang AS (SELECT lauf_id, max(nr) AS letzte FROM detektoren_aufrufe WHERE lauf_id IS NOT NULL
            GROUP BY lauf_id HAVING max(nr) >= ${values.of(least, 'integer')}),
          gewachsen AS (SELECT l.lauf_id, e.eingabe AS erste_eingabe, z.eingabe AS letzte_eingabe FROM lang l
            JOIN detektoren_aufrufe e ON e.lauf_id = l.lauf_id AND e.nr = 1
            JOIN detektoren_aufrufe z ON z.lauf_id = l.lauf_id AND z.nr = l.letzte
            WHERE z.eingabe >= e.eingabe::numeric * ${values.of(factor, 'integer')}),
          summen AS (SELECT a.lauf_id, count(*)::numeric AS n, sum((a.nr - 1)::bigint) AS x, sum(a.eingabe) AS y,
              sum((a.nr - 1)::numeric * (a.nr - 1)) AS xx, sum((a.nr - 1)::numeric * a.eingabe) AS xy
            FROM gewachsen JOIN detektoren_aufrufe a USING (lauf_id) GROUP BY a.lauf_id),
          steil AS (SELECT *, n * xy - x * y AS zaehler, n * xx - x * x AS nenner FROM summen),
          stellen AS (SELECT a.lauf_id, a.nr, 0 AS gruppe, g.erste_eingabe, g.letzte_eingabe, st.zaehler / st.nenner AS steigung,
              greatest(a.eingabe - g.erste_eingabe, 0)::numeric AS mehr
            FROM steil st JOIN gewachsen g USING (lauf_id) JOIN detektoren_aufrufe a USING (lauf_id)
            WHERE st.nenner > 0 AND st.zaehler >= ${values.of(regel.schwelle, 'numeric')} * st.nenner)`,
        werte: `'steigung', trim_scale(round(max(s.steigung), 1))::text,
          'erste_eingabe', max(s.erste_eingabe), 'letzte_eingabe', max(s.letzte_eingabe)`,
        potential: `(least(s.mehr, a.lese) * p.lesen
          + least(greatest(s.mehr - a.lese, 0), a.ohne_cache) * p.eingabe
          + greatest(s.mehr - a.lese - a.ohne_cache, 0) * p.schreiben) * a.kurs`,
      };
    }),
};
