/** What detectors over the calls of a local day have in common. */
import type { DetectedType, Objektart } from '#contracts';
import type { Regel } from '#domains/regeln/index.ts';
import { beginOf, createValues, findBy, scopeOf, type Values, windowMinutes } from '../calls/statement.ts';
import type { Candidate } from '../candidate.ts';
import type { Look } from '../detector.ts';

const HOUR = 60;

/**
 * Runs a statement over `tage`: the loaded calls the rule holds for, with `beginn`, the local day (hour, where the window of the rule
 * is no longer than one) they belong to. Only those that were loaded from their beginning on are there: a finding of one that has
 * slid out of the window in part would shrink.
 */
export function findByDay<T extends DetectedType>(
  look: Look,
  regel: Regel<T>,
  objektArt: Objektart,
  of: (values: Values) => string,
): Promise<Candidate[]> {
  const values = createValues();
  const unit = windowMinutes(regel) <= HOUR ? 'hour' : 'day';
  const begin = beginOf(unit, 'a.zeitpunkt', values.of(look.zone, 'text'));
  const tage = `tage AS (SELECT a.*, ${begin} AS beginn FROM detektoren_aufrufe a
    WHERE a.im_fenster AND ${scopeOf(regel, 'a', values)} AND ${begin} >= ${values.of(look.von.toString(), 'timestamptz')})`;
  return findBy(look, regel, objektArt, { text: `WITH ${tage}, ${of(values)}`, values });
}
