import type { KeptStep } from '#domains/laeufe/index.ts';
import type { Regel } from '#domains/regeln/index.ts';
import { bits as bitsOf } from '../calls/columns.ts';
import type { RunDetector } from '../detector.ts';
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

function bitsApart(a: bigint, b: bigint): number {
  let count = 0;
  for (let rest = a ^ b; rest > 0n; rest &= rest - 1n) count += 1;
  return count;
}

/** How many of the last steps resemble the latest one, itself included; tokens apart, which only narrows. */
function similarSteps(recent: readonly KeptStep[], most: number): number {
  const latest = recent.at(-1);
  if (!latest || latest.prompt === null) return 0;
  const { prompt, werkzeug } = latest;
  return recent.filter(
    (step) => step.prompt !== null && step.werkzeug === werkzeug && bitsApart(step.prompt, prompt) <= most,
  ).length;
}

/** Steps with the same tools that are compared with one another before the run is read; their pairs grow with the square. */
const MOST_COMPARED = 64;

/**
 * Steps that resemble one of the next few. A step fires when enough of the last ones (itself included) resemble it; firing steps
 * that are no further apart than is looked back are one finding, about all steps they resemble. All but the first could be saved.
 */
export const schleifeNah: RunDetector<'schleife_nah'> = {
  needsPrices: false,
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
  trigger: ({ schwelle, parameter }, { state }) =>
    similarSteps(state.recent, parameter.abstand) >= Number(schwelle),
  // Of steps with the same tools, one that enough others resemble; many steps are left to the detector.
  preselect: ({ schwelle, parameter }) => ({
    calls: Number(schwelle),
    among: (values) => {
      const enough = values.of(schwelle, 'numeric');
      return `SELECT lauf_id FROM (SELECT lauf_id, array_agg(${bitsOf('prompt')}) AS prompts FROM c WHERE prompt IS NOT NULL
          GROUP BY lauf_id, werkzeug HAVING count(*) >= ${enough}) AS gleiche
        WHERE cardinality(prompts) > ${MOST_COMPARED} OR EXISTS (
          SELECT FROM unnest(prompts) AS i CROSS JOIN unnest(prompts) AS j
          WHERE bit_count((i # j)::bit(64)) <= ${values.of(parameter.abstand, 'integer')} GROUP BY i HAVING count(*) >= ${enough})`;
    },
    sums: null,
  }),
  calls: null,
};
