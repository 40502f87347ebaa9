import type { KeptStep } from '#domains/laeufe/index.ts';
import type { Regel } from '#domains/regeln/index.ts';
import type { RunDetector } from '../detector.ts';
import { findSteps, stepsOfIslands } from './steps.ts';

/** Two steps in turn are what `pingpong` is about. */
const PINGPONG = 2;

/** How many steps cycles of a length come to at least. */
const least = ({ schwelle, parameter }: Regel<'zyklus'>, length: number): number =>
  Math.max(parameter.mindest_schritte, Math.ceil(length * Number(schwelle)));

const lengthsOf = ({ parameter }: Regel<'zyklus'>): number[] =>
  Array.from({ length: parameter.laenge }, (_, index) => index + 1);

/** Whether a step goes on where the one before stopped, shortly after it and with hardly anything new. */
const goesOn = ({ parameter }: Regel<'zyklus'>, step: KeptStep, before: KeptStep): boolean =>
  step.eingabe > before.eingabe &&
  step.eingabe - before.eingabe <= parameter.zuwachs_token &&
  step.zeit - before.zeit <= parameter.pause_sekunden * 1_000_000;

/** How many of the last steps have the tools of the step one period before, each going on from the one before. */
function trailing(regel: Regel<'zyklus'>, recent: readonly KeptStep[], length: number): number {
  let count = 0;
  for (let at = recent.length - 1; at >= length; at -= 1) {
    const step = recent[at] as KeptStep;
    if (step.werkzeug === null || step.werkzeug !== recent[at - length]?.werkzeug) break;
    if (!goesOn(regel, step, recent[at - 1] as KeptStep)) break;
    count += 1;
  }
  return count;
}

/**
 * Tools with the same arguments that come again in the same order, in one conversation that goes on without learning anything: the input
 * grows with every step (what is worked through piece by piece has an input that goes up and down), by little, and nobody waits in between.
 * Whatever comes after the first cycle could be saved.
 */
export const zyklus: RunDetector<'zyklus'> = {
  needsPrices: false,
  find: (look, regel) =>
    findSteps(look, regel, { priced: false }, (values) => {
      const enough = (laenge: string) =>
        `greatest(${values.of(regel.parameter.mindest_schritte, 'integer')}, ${laenge} * ${values.of(regel.schwelle, 'numeric')})`;
      const lags = lengthsOf(regel).map((length) => `lag(werkzeug, ${length}) OVER w AS vor_${length}`);
      const each = lengthsOf(regel).map((length) => `(${length}, vor_${length})`);
      return {
        // In a cycle each tool comes as often as it has rounds: few runs have that, the others are not read any further.
        stellen: `
          verdacht AS (SELECT DISTINCT lauf_id FROM detektoren_schritte WHERE werkzeug IS NOT NULL AND NOT failed
            GROUP BY lauf_id, werkzeug HAVING count(*) >= ${values.of(regel.schwelle, 'numeric')}),
          davor AS (SELECT lauf_id, nr, erfolg_nr, werkzeug, eingabe - eingabe_vor AS mehr, zeitpunkt - zeit_vor AS pause,
              ${lags.join(', ')}
            FROM detektoren_schritte JOIN verdacht USING (lauf_id) WHERE NOT failed WINDOW w AS (PARTITION BY lauf_id ORDER BY nr)),
          folgen AS (SELECT lauf_id, laenge, nr, erfolg_nr,
              erfolg_nr - row_number() OVER (PARTITION BY lauf_id, laenge ORDER BY nr) AS insel
            FROM davor CROSS JOIN LATERAL (VALUES ${each.join(', ')}) AS v (laenge, vor)
            WHERE werkzeug = vor AND mehr BETWEEN 1 AND ${values.of(regel.parameter.zuwachs_token, 'bigint')}
              AND pause <= ${values.of(regel.parameter.pause_sekunden, 'integer')} * interval '1 second'),
          zyklen AS (SELECT lauf_id, laenge, min(erfolg_nr) - laenge AS von, max(nr) AS bis_nr, max(erfolg_nr) AS bis_erfolg FROM folgen
            GROUP BY lauf_id, laenge, insel HAVING count(*) + laenge >= ${enough('laenge')}),
          -- The shortest one: A, B, C in turn are six in turn, too.
          kuerzeste AS (SELECT * FROM zyklen z WHERE laenge <> ${PINGPONG} AND NOT EXISTS (SELECT FROM zyklen k
            WHERE k.lauf_id = z.lauf_id AND k.laenge < z.laenge AND k.von <= z.von AND k.bis_nr >= z.bis_nr)),
          -- Of two that overlap the one that began first.
          inseln AS (SELECT z.*, (SELECT min(k.von + ceil(${enough('k.laenge')})) - z.von FROM zyklen k WHERE k.lauf_id = z.lauf_id
              AND k.laenge <> ${PINGPONG} AND k.von <= z.bis_erfolg AND k.bis_erfolg >= z.von) AS ab
            FROM kuerzeste z WHERE NOT EXISTS (SELECT FROM kuerzeste f WHERE f.lauf_id = z.lauf_id
            AND (f.von, f.laenge) < (z.von, z.laenge) AND f.bis_erfolg >= z.von)),
          ${stepsOfIslands('i.laenge, i.ab')}`,
        // A shorter cycle within may have been found before: the run was stopped then, although the longer one stands in the finding.
        feuert: 's.platz >= s.ab',
        werte: `'laenge', max(s.laenge), 'zyklen', count(*) / max(s.laenge)`,
        potential: 'CASE WHEN s.platz > s.laenge THEN a.kosten_eur END',
      };
    }),
  trigger: (regel, { succeeded: kept, state: { calls } }) => {
    const most = Math.min(regel.parameter.laenge, kept.length - 1);
    for (let length = 1; length <= most; length += 1) {
      const enough = least(regel, length);
      if (length === PINGPONG || calls < enough) continue;
      if (trailing(regel, kept, length) >= Math.min(enough, kept.length) - length) return true;
    }
    return false;
  },
  preselect: (regel) => ({
    calls: least(regel, 1),
    among: (values) => `SELECT lauf_id FROM c WHERE werkzeug IS NOT NULL AND NOT failed
      GROUP BY lauf_id, werkzeug HAVING count(*) >= ${values.of(regel.schwelle, 'numeric')}`,
    sums: null,
  }),
  calls: null,
};
