import type { Regel } from '#domains/regeln/index.ts';
import { notExcepted, type Values, windowMinutes } from '../calls/statement.ts';
import type { RunDetector } from '../detector.ts';
import { callsOfSteps, findSteps, type Stellen } from './steps.ts';

/** Bits in which two prompts that begin alike may differ. */
const NEAR = 3;

/**
 * What was in the cache and this step sent past it, in tokens: what the step before had read from it or written to it, or all that
 * had sent, where it had the same prompt. Of other prompts nobody knows whether they begin alike.
 */
const LOST = `greatest(least(CASE WHEN bit_count((a.prompt # a.prompt_vor)::bit(64)) <= ${NEAR} THEN a.eingabe_vor ELSE a.im_cache_vor END,
  a.eingabe) - a.lese, 0)::numeric`;

/** By how much a rate is above that of reading from the cache, at least 0; null where one of them is not known. */
const above = (rate: string) =>
  `CASE WHEN ${rate} IS NOT NULL THEN greatest(${rate} - p.lesen, 0 * p.lesen) END`;

const lostSteps =
  (regel: Regel<'cache_verlust'>) =>
  (values: Values): Stellen => ({
    stellen: `stellen AS (SELECT lauf_id, nr, 0 AS gruppe FROM detektoren_schritte a
      WHERE NOT failed AND eingabe >= ${values.of(regel.parameter.mindest_eingabe, 'bigint')} AND ${notExcepted(regel, 'a', values)}
        AND zeitpunkt <= zeit_vor + ${values.of(windowMinutes(regel), 'integer')} * interval '1 minute'
        AND ${LOST} * 100 > eingabe * ${values.of(regel.schwelle, 'numeric')}
        AND eingabe_vor::numeric * 100 >= eingabe::numeric * ${values.of(regel.parameter.vorher_prozent, 'integer')})`,
    feuert: 'true',
    werte: `'verlorene_token', sum(${LOST})`,
    potential: `(least(${LOST}, a.ohne_cache) * ${above('p.eingabe')}
      + greatest(${LOST} - a.ohne_cache, 0) * ${above('p.schreiben')}) * a.kurs`,
  });

/**
 * Steps that sent past the cache what was in it a moment ago. Could be saved: what was paid for these tokens (as uncached input
 * first, then as written to the cache) above the rate of reading them from it.
 */
export const cacheVerlust: RunDetector<'cache_verlust'> = {
  needsPrices: true,
  find: (look, regel) => findSteps(look, regel, { priced: true }, lostSteps(regel)),
  trigger: null,
  preselect: ({ schwelle, parameter }) => ({
    calls: 2,
    among: (
      values,
    ) => `SELECT lauf_id FROM c WHERE eingabe >= ${values.of(parameter.mindest_eingabe, 'bigint')}
      AND (eingabe - lese)::numeric * 100 > eingabe * ${values.of(schwelle, 'numeric')}`,
    sums: null,
  }),
  calls: (_, regel) => callsOfSteps(regel, { priced: true }, lostSteps(regel)),
};
