import type { KeptStep } from '#domains/laeufe/index.ts';
import type { Regel } from '#domains/regeln/index.ts';
import { bits as bitsOf } from '../calls/columns.ts';
import { notExcepted } from '../calls/statement.ts';
import type { RunDetector } from '../detector.ts';
import { findSteps, isPrompt } from './steps.ts';

/**
 * Runs in which the rule may fire at all, found in one pass. Among that many steps that resemble the latest two are this close to each
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

/** How many of the last steps resemble the latest one, itself included, by what is kept of them, which is less than the rule asks for. */
function similarSteps(recent: readonly KeptStep[], most: number): number {
  const latest = recent.at(-1);
  if (!latest) return 0;
  const { prompt, werkzeug, eingabe } = latest;
  return recent.filter((step) =>
    prompt === null || step.prompt === null
      ? prompt === step.prompt && step.eingabe === eingabe
      : step.werkzeug === werkzeug && bitsApart(step.prompt, prompt) <= most,
  ).length;
}

/** Steps with the same tools that are compared with one another before the run is read; their pairs grow with the square. */
const MOST_COMPARED = 64;

/** How many times as many steps it takes where they have no fingerprints. */
const BY_SHAPE = 2;

/** Runs with enough steps of the same shape, told by counts alone. */
const SHAPED = (enough: string) => `SELECT lauf_id FROM detektoren_schritte
  WHERE prompt IS NULL AND werkzeug IS NULL AND NOT failed AND eingabe > 0 AND ausgabe IS NOT NULL
  GROUP BY lauf_id, modell, eingabe, ausgabe HAVING count(*) >= ${BY_SHAPE} * ${enough}`;

/**
 * Steps that resemble one of the next few. A step fires when enough of the last ones (itself included) resemble it; firing steps
 * that are no further apart than is looked back are one finding, about all steps they resemble. All but the first could be saved. Of
 * steps without fingerprints only the shape is known; a step without tools is no evidence of anything: chats are like that.
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
          folgen AS (SELECT lauf_id, prompt, ${steps} FROM detektoren_schritte WHERE NOT failed
            WINDOW w AS (PARTITION BY lauf_id ORDER BY nr)),
          verdacht AS (SELECT DISTINCT lauf_id FROM folgen WHERE ${near} UNION ${SHAPED(enough)}),
          aehnlich AS (
            SELECT a.lauf_id, a.nr, j.nr AS andere, a.prompt IS NULL AS nur_form, count(*) OVER (PARTITION BY a.lauf_id, a.nr) AS zahl
            FROM detektoren_schritte a
            JOIN verdacht ON verdacht.lauf_id = a.lauf_id
            CROSS JOIN LATERAL (SELECT v.nr FROM detektoren_schritte v
              WHERE v.lauf_id = a.lauf_id AND v.nr BETWEEN a.nr - ${back} AND a.nr AND NOT v.failed
                AND CASE WHEN a.prompt IS NULL
                  THEN v.prompt IS NULL AND v.werkzeug IS NULL AND v.modell = a.modell AND v.eingabe = a.eingabe AND v.ausgabe = a.ausgabe
                  ELSE abs(v.eingabe - a.eingabe) * 100 <= greatest(v.eingabe, a.eingabe) * ${percent}
                    AND v.werkzeug = a.werkzeug AND bit_count((v.prompt # a.prompt)::bit(64)) <= ${bits} END
              OFFSET 0) AS j
            WHERE NOT a.failed AND (a.prompt IS NULL AND a.werkzeug IS NULL AND a.eingabe > 0
                OR a.prompt IS NOT NULL AND a.werkzeug IS NOT NULL)
              AND ${isPrompt(regel, values)} AND ${notExcepted(regel, 'a', values)}),
          feuert AS (
            SELECT lauf_id, nr, coalesce(nr - lag(nr) OVER (PARTITION BY lauf_id ORDER BY nr) > ${back}, true) AS neu
            FROM aehnlich WHERE zahl >= CASE WHEN nur_form THEN ${BY_SHAPE} ELSE 1 END * ${enough} GROUP BY lauf_id, nr),
          gruppen AS (SELECT lauf_id, nr, count(*) FILTER (WHERE neu) OVER (PARTITION BY lauf_id ORDER BY nr) AS gruppe FROM feuert),
          stellen AS (SELECT lauf_id, g.gruppe, a.andere AS nr, bool_or(a.andere = nr) AS feuert, bool_or(a.nur_form) AS nur_form
            FROM gruppen g JOIN aehnlich a USING (lauf_id, nr) GROUP BY lauf_id, g.gruppe, a.andere)`,
        feuert: 's.feuert',
        werte: `'nur_form', bool_or(s.nur_form)`,
        nurWarnen: 'bool_or(s.nur_form)',
        potential: 'CASE WHEN s.platz > 1 THEN a.kosten_eur END',
      };
    }),
  trigger: ({ schwelle, parameter }, { succeeded }) => {
    const factor = succeeded.at(-1)?.prompt == null ? BY_SHAPE : 1;
    return similarSteps(succeeded, parameter.abstand) >= factor * Number(schwelle);
  },
  // Of steps with the same tools, one that enough others resemble; many steps are left to the detector.
  preselect: ({ schwelle, parameter }) => ({
    calls: Number(schwelle),
    among: (values) => {
      const enough = values.of(schwelle, 'numeric');
      return `SELECT lauf_id FROM (SELECT lauf_id, array_agg(${bitsOf('prompt')}) AS prompts FROM c
          WHERE prompt IS NOT NULL AND werkzeug IS NOT NULL AND NOT failed
          GROUP BY lauf_id, werkzeug HAVING count(*) >= ${enough}) AS gleiche
        WHERE cardinality(prompts) > ${MOST_COMPARED} OR EXISTS (
          SELECT FROM unnest(prompts) AS i CROSS JOIN unnest(prompts) AS j
          WHERE bit_count((i # j)::bit(64)) <= ${values.of(parameter.abstand, 'integer')} GROUP BY i HAVING count(*) >= ${enough})
        UNION SELECT lauf_id FROM c WHERE prompt IS NULL AND werkzeug IS NULL AND NOT failed AND eingabe > 0
        GROUP BY lauf_id, modell, eingabe, ausgabe HAVING count(*) >= ${BY_SHAPE} * ${enough}`;
    },
    sums: null,
  }),
  calls: null,
};
