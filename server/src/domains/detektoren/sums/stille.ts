import { minutesOf, type Regel } from '#domains/regeln/index.ts';
import type { Found } from '../candidate.ts';
import { asRule, type Look, type SumDetector, scopeObject } from '../detector.ts';
import { isoOf, localBegin } from '../local-time.ts';
import { countDays, readSeries } from './series.ts';

const DAY = 1_440;
/** Sums by the minute reach back at least so far. */
const MINUTES_KEPT = { hours: 47 };

const finding = (
  look: Look,
  regel: Regel<'stille'>,
  { begin, since }: { begin: Temporal.Instant; since: Temporal.Instant },
): Found => ({
  regel: asRule(regel),
  ...scopeObject(regel),
  lauf: null,
  fensterBeginn: isoOf(localBegin(begin, 'hour', look.zone)),
  werte: { letzter_aufruf: isoOf(since), tage: regel.parameter.tage },
  kostenEur: null,
  verbranntEur: null,
  potentialEur: null,
});

/** Whether there were calls on each of the days up to an instant. */
async function hadCalls(look: Look, regel: Regel<'stille'>, until: Temporal.Instant): Promise<boolean> {
  const day = localBegin(until, 'day', look.zone).toPlainDate();
  const { tage } = regel.parameter;
  const days = { von: day.subtract({ days: tage - 1 }), bis: day.add({ days: 1 }) };
  return (await countDays(look, regel, days)) >= tage;
}

/** Silences that became one within the look, to the hour: also those that have ended since. */
async function findPast(look: Look, regel: Regel<'stille'>, window: number): Promise<Found[]> {
  const von = isoOf(look.von.subtract({ minutes: window + 60 }));
  const hours = await readSeries(look, regel, 'stunde', { von, bis: isoOf(look.bis) });
  const found: Found[] = [];
  for (const [index, { beginn }] of (hours ?? []).entries()) {
    const begin = Temporal.Instant.from(beginn);
    const since = begin.add({ hours: 1 });
    const fires = since.add({ minutes: window });
    const next = hours?.[index + 1];
    const isOver = next && Temporal.Instant.compare(next.beginn, fires) < 0;
    // As all that belongs to the day on which it came to hold: the last instant of a day is its end.
    if (isOver || Temporal.Instant.compare(fires, look.von) <= 0) continue;
    if (Temporal.Instant.compare(fires, look.bis) > 0 || !(await hadCalls(look, regel, begin))) continue;
    found.push({ ...finding(look, regel, { begin, since }), feuertAm: isoOf(fires) });
  }
  return found;
}

/**
 * Nobody has called for a window, although there were calls on each of the days up to the last call. Told once for a silence, within
 * the look in which it becomes one; not while calls wait to be counted, since then nobody knows.
 */
export const stille: SumDetector<'stille'> = {
  needsPrices: false,
  async find(look, regel) {
    const { client, mandant, bis } = look;
    const window = minutesOf(regel.zeitfenster ?? '') ?? DAY;
    if (look.istRueckblick) return findPast(look, regel, window);
    const waiting = await client.query('SELECT 1 FROM eingang WHERE mandant_id = $1 LIMIT 1', [mandant]);
    if (waiting.rows.length > 0) return [];
    const period = (von: Temporal.Instant) => ({ von: isoOf(von), bis: isoOf(bis) });
    const minutes = await readSeries(look, regel, 'minute', period(bis.subtract(MINUTES_KEPT)));
    const lastMinute = minutes?.at(-1);
    const lastHour = lastMinute
      ? null
      : (await readSeries(look, regel, 'stunde', period(look.von.subtract({ minutes: window + 60 }))))?.at(
          -1,
        );
    const last = lastMinute ?? lastHour;
    if (!last) return [];
    const begin = Temporal.Instant.from(last.beginn);
    const since = begin.add(lastMinute ? { minutes: 1 } : { hours: 1 });
    const fires = since.add({ minutes: window });
    if (Temporal.Instant.compare(fires, bis) > 0 || Temporal.Instant.compare(fires, look.von) < 0) return [];
    return (await hadCalls(look, regel, begin)) ? [finding(look, regel, { begin, since })] : [];
  },
  trigger: false,
  reached: null,
  dayBy: () => 'feuertAm',
  calls: null,
};
