import type { Regel } from '#domains/regeln/index.ts';
import { notExcepted, type Values } from '../calls/statement.ts';
import type { RunDetector } from '../detector.ts';
import { callsOfSteps, findSteps, inARow, isPrompt, type Stellen } from './steps.ts';

/** From this step of a streak on its cost is burnt (`run-state.ts` of the slice laeufe has the same). */
const FIRST_REPEAT = 3;

/** How many steps it takes where nothing shows that the run goes on. */
const weakOf = ({ schwelle, parameter }: Regel<'schleife_exakt'>): number =>
  Math.max(Number(schwelle), parameter.ohne_verlauf);

const streaks =
  (regel: Regel<'schleife_exakt'>) =>
  (values: Values): Stellen => {
    const enough = values.of(regel.schwelle, 'numeric');
    const weak = values.of(weakOf(regel), 'integer');
    const growth = values.of(regel.parameter.zuwachs_prozent, 'bigint');
    const tokens = values.of(regel.parameter.zuwachs_token, 'bigint');
    // Nobody knows of the last one whether it was in vain: after it the run may have gone on.
    const isRepeat = `s.platz >= ${FIRST_REPEAT} AND s.platz < s.laenge`;
    return {
      stellen: inARow({
        before: 1,
        where: `a.wiederholt AND ${isPrompt(regel, values)} AND ${notExcepted(regel, 'a', values)}
          AND (a.eingabe::numeric * 100 <= a.eingabe_vor::numeric * (100 + ${growth})
            OR a.eingabe::numeric <= a.eingabe_vor::numeric + ${tokens})`,
        having: `count(*) FILTER (WHERE verlauf) + 1 >= ${enough} OR count(*) + 1 >= ${weak}`,
        more: `count(*) FILTER (WHERE a.verlauf AND a.erfolg_nr > i.von)
          OVER (PARTITION BY i.lauf_id, i.von ORDER BY a.nr) + 1 AS verlaeufe`,
      }),
      feuert: `(s.verlaeufe >= ${enough} OR s.platz >= ${weak})`,
      werte: `'wiederholungen', count(*) FILTER (WHERE ${isRepeat})`,
      verbrannt: `CASE WHEN ${isRepeat} THEN a.kosten_eur END`,
      gemeint: isRepeat,
    };
  };

/**
 * Consecutive steps that succeeded with the same prompt, tools and model, and without new information. Its calls are the repeats, which
 * are burnt.
 */
export const schleifeExakt: RunDetector<'schleife_exakt'> = {
  needsPrices: false,
  find: (look, regel) => findSteps(look, regel, { priced: false }, streaks(regel)),
  trigger: (regel, { succeeded, state: { streak } }) =>
    streak.length >= (succeeded.at(-1)?.werkzeug == null ? weakOf(regel) : Number(regel.schwelle)),
  // Fingerprints as they lie: to make numbers of them takes longer than to compare them.
  preselect: ({ schwelle }) => ({
    calls: Number(schwelle),
    among: (values) => `SELECT lauf_id FROM c WHERE prompt IS NOT NULL AND NOT failed
      GROUP BY lauf_id, prompt, werkzeug, modell HAVING count(*) >= ${values.of(schwelle, 'numeric')}`,
    sums: null,
  }),
  calls: (_, regel) => callsOfSteps(regel, { priced: false }, streaks(regel)),
};
