/** What detectors over the calls of a local day have in common. */
import type { DetectedType, Objektart } from '#contracts';
import type { Regel } from '#domains/regeln/index.ts';
import {
  callsOfLook,
  createValues,
  findBy,
  scopeOf,
  type Values,
  windowMinutes,
} from '../calls/statement.ts';
import type { Found } from '../candidate.ts';
import type { Calls, Look } from '../detector.ts';
import { isoOf, localBegin } from '../local-time.ts';

const HOUR = 60;

/** The local hours or days that begin in the look, as instants. */
function beginsOf(look: Look, unit: 'hour' | 'day'): string[] {
  const begins: string[] = [];
  const step = unit === 'day' ? { days: 1 } : { hours: 1 };
  let at = localBegin(look.von, unit, look.zone);
  for (
    ;
    Temporal.Instant.compare(at.toInstant(), look.bis) < 0;
    at = localBegin(at.add(step).toInstant(), unit, look.zone)
  )
    if (Temporal.Instant.compare(at.toInstant(), look.von) >= 0) begins.push(isoOf(at));
  return begins;
}

/**
 * A statement over `tage`: the calls the rule holds for, with `beginn`, the local day (hour, where the window of the rule
 * is no longer than one) they belong to. Only those that the look holds from their beginning on are there: a finding of one that has
 * slid out of the window in part would shrink. Null where there are none.
 */
function statementByDay(look: Look, regel: Regel, of: (values: Values) => string) {
  const begins = beginsOf(look, windowMinutes(regel) <= HOUR ? 'hour' : 'day');
  if (begins.length === 0) return null;
  const values = createValues();
  const all = values.of(begins, 'timestamptz[]');
  // Asking the calendar for each call takes longer than all the rest. Not materialised: nobody reads all of its columns.
  const tage = `tage AS NOT MATERIALIZED (
    SELECT a.*, (${all})[width_bucket(a.zeitpunkt, ${all})] AS beginn FROM aufrufe a
    WHERE a.zeitpunkt >= (${all})[1] AND ${scopeOf(regel, 'a', values)})`;
  return { text: `WITH ${callsOfLook(look, values)}, ${tage}, ${of(values)}`, values };
}

/** Runs such a statement. */
export async function findByDay<T extends DetectedType>(
  look: Look,
  regel: Regel<T>,
  objektArt: Objektart,
  of: (values: Values) => string,
): Promise<Found[]> {
  const statement = statementByDay(look, regel, of);
  return statement ? findBy(look, regel, objektArt, statement) : [];
}

/** The calls that such a statement names. */
export function callsByDay(look: Look, regel: Regel, of: (values: Values) => string): Calls | null {
  const statement = statementByDay(look, regel, of);
  return statement && { text: statement.text, values: statement.values.all };
}
