import type { RunState } from '#domains/laeufe/index.ts';
import { notExcepted } from '../calls/statement.ts';
import type { RunDetector } from '../detector.ts';
import { findSteps } from './steps.ts';

/** Of few runs: looked up run by run. */
const STEPS_OF_RUN =
  'SELECT v.lauf_id, v.nr, v.erfolg_nr, v.eingabe, v.lese FROM detektoren_schritte v WHERE v.lauf_id = g.lauf_id AND NOT v.failed OFFSET 0';

/**
 * Least range of the input of a run whose regression rises by so much a step: of n steps within a range R it rises by no more than
 * 1.5 · R · n / (n² − 1), which a step function in the middle reaches. As SQL, of numbers.
 */
const leastRange = (slope: string, steps: string) =>
  `${slope} * (${steps} * ${steps} - 1) / (1.5 * ${steps})`;

/** The same as a number, for runs of `steps` steps. */
const leastRangeOf = (slope: string | null, steps: number): number =>
  Math.floor((Number(slope) * (steps * steps - 1)) / (1.5 * steps));

/** Floating-point numbers may come out this much lower than the exact regression. */
const ROUNDING = 0.999;

/** Whether the regression of the run's successful steps rises by so much a step, or nearly. */
function rises({ calls, failed, trend }: RunState, slope: number): boolean {
  const n = calls - failed;
  const { sumX, sumY, sumXX, sumXY } = trend;
  return n * sumXY - sumX * sumY >= ROUNDING * slope * (n * sumXX - sumX * sumX);
}

/** What is asked of a run, as SQL. */
type Asked = Record<'least' | 'factor' | 'slope' | 'uncached' | 'excepted', string>;

/** What the regression of a whole run, counted from step 0, comes to: for those that have grown so much in the end. */
const atTheEnd = ({ least, factor, slope, uncached, excepted }: Asked) => `
  gewachsen AS (SELECT lauf_id, erste_eingabe, eingabe AS letzte_eingabe FROM detektoren_schritte a
    WHERE letzter AND erfolg_nr >= ${least} AND eingabe >= erste_eingabe::numeric * ${factor} AND ${excepted}
      AND groesste_eingabe >= floor(${leastRange(slope, 'erfolg_nr::numeric')})),
  summen AS (SELECT a.lauf_id, count(*)::numeric AS n, sum((a.erfolg_nr - 1)::bigint) AS x, sum(a.eingabe) AS y, sum(a.lese) AS gelesen,
      sum((a.erfolg_nr - 1)::numeric * (a.erfolg_nr - 1)) AS xx, sum((a.erfolg_nr - 1)::numeric * a.eingabe) AS xy
    FROM gewachsen g CROSS JOIN LATERAL (${STEPS_OF_RUN}) AS a GROUP BY a.lauf_id),
  steil AS (SELECT *, n * xy - x * y AS zaehler, n * xx - x * x AS nenner, 0 AS ab_nr FROM summen JOIN gewachsen USING (lauf_id)
    WHERE (y - gelesen) * 100 >= y * ${uncached}),
  g AS (SELECT * FROM steil WHERE nenner > 0 AND zaehler >= ${slope} * nenner)`;

/** The same of the steps so far, for the first step after which a run had grown so much, whatever came after it. */
const atAnyStep = ({ least, factor, slope, uncached, excepted }: Asked) => `
  gelungen AS (SELECT lauf_id, nr, erfolg_nr AS k, eingabe, lese, erste_eingabe, ${excepted} AS gilt
    FROM detektoren_schritte a WHERE NOT failed),
  bisher AS (SELECT lauf_id, nr, k, eingabe, erste_eingabe, gilt, k::numeric AS n, k::numeric * (k - 1) / 2 AS x,
      k::numeric * (k - 1) * (2 * k - 1) / 6 AS xx, sum(eingabe) OVER w AS y, sum(lese) OVER w AS gelesen,
      sum((k - 1)::numeric * eingabe) OVER w AS xy
    FROM gelungen WINDOW w AS (PARTITION BY lauf_id ORDER BY nr)),
  steil AS (SELECT *, n * xy - x * y AS zaehler, n * xx - x * x AS nenner FROM bisher
    WHERE gilt AND k >= ${least} AND eingabe >= erste_eingabe::numeric * ${factor} AND (y - gelesen) * 100 >= y * ${uncached}),
  g AS (SELECT DISTINCT ON (lauf_id) lauf_id, erste_eingabe, eingabe AS letzte_eingabe, zaehler, nenner, nr AS ab_nr FROM steil
    WHERE nenner > 0 AND zaehler >= ${slope} * nenner ORDER BY lauf_id, nr)`;

/**
 * Input that grows with every step, much of it paid in full: what comes from the cache is how agents work. What could be saved is the input above that of the first step, at the lowest rates that it may
 * have had: first as read from the cache, then as uncached, then as written to it.
 */
export const kontextwachstum: RunDetector<'kontextwachstum'> = {
  needsPrices: true,
  find: (look, regel) =>
    findSteps(look, regel, { priced: true }, (values) => {
      const least = values.of(regel.parameter.mindest_schritte, 'integer');
      const factor = values.of(regel.parameter.faktor, 'integer');
      const grown = look.istRueckblick ? atAnyStep : atTheEnd;
      const asked = {
        least,
        factor,
        slope: values.of(regel.schwelle, 'numeric'),
        uncached: values.of(regel.parameter.ohne_cache_prozent, 'integer'),
        excepted: notExcepted(regel, 'a', values),
      };
      return {
        // Few grow so much: the sums of the regression are made for those only.
        stellen: `${grown(asked)},
          stellen AS (SELECT a.lauf_id, a.nr, 0 AS gruppe, g.erste_eingabe, g.letzte_eingabe, g.zaehler / g.nenner AS steigung, g.ab_nr,
              greatest(a.eingabe - g.erste_eingabe, 0)::numeric AS mehr
            FROM g CROSS JOIN LATERAL (${STEPS_OF_RUN}) AS a)`,
        feuert: 's.nr >= s.ab_nr',
        werte: `'steigung', trim_scale(round(max(s.steigung), 1))::text,
          'erste_eingabe', max(s.erste_eingabe), 'letzte_eingabe', max(s.letzte_eingabe)`,
        potential: `(least(s.mehr, a.lese) * p.lesen
          + least(greatest(s.mehr - a.lese, 0), a.ohne_cache) * p.eingabe
          + greatest(s.mehr - a.lese - a.ohne_cache, 0) * p.schreiben) * a.kurs`,
      };
    }),
  trigger: ({ parameter, schwelle }, { state, succeeded }) => {
    const last = succeeded.at(-1);
    return (
      state.calls >= parameter.mindest_schritte &&
      last !== undefined &&
      last.eingabe >= parameter.faktor * state.trend.first &&
      rises(state, Number(schwelle))
    );
  },
  preselect: ({ schwelle, parameter }) => ({
    calls: parameter.mindest_schritte,
    among: (values) => `SELECT lauf_id FROM c WHERE NOT failed GROUP BY lauf_id
      HAVING max(eingabe) >= min(eingabe)::numeric * ${values.of(parameter.faktor, 'integer')}
        AND max(eingabe) - min(eingabe) >= ${values.of(leastRangeOf(schwelle, parameter.mindest_schritte), 'bigint')}`,
    sums: null,
  }),
  calls: null,
};
