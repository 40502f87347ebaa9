import { minutesOf } from '#domains/regeln/index.ts';
import { asRule, type Detector, scopeObject } from '../detector.ts';
import { isoOf, localBegin } from '../local-time.ts';
import { readSeries } from './series.ts';

const DAY = 1_440;
/** Sums by the minute reach back at least so far. */
const MINUTES_KEPT = { hours: 47 };

/**
 * Nobody has called for a window, although there were calls on each of the days up to the last call. Told once for a silence, within
 * the look in which it becomes one; not while calls wait to be counted, since then nobody knows.
 */
export const stille: Detector<'stille'> = {
  needs: 'summen',
  async find(look, regel) {
    const { client, mandant, zone, bis } = look;
    const { tage } = regel.parameter;
    const window = minutesOf(regel.zeitfenster ?? '') ?? DAY;
    const waiting = await client.query('SELECT 1 FROM eingang WHERE mandant_id = $1 LIMIT 1', [mandant]);
    if (waiting.rows.length > 0) return [];
    const period = (von: Temporal.Instant) => ({ von: isoOf(von), bis: isoOf(bis) });
    const minutes = await readSeries(look, regel, 'minute', period(bis.subtract(MINUTES_KEPT)));
    const lastMinute = minutes.at(-1);
    const lastHour = lastMinute
      ? null
      : (await readSeries(look, regel, 'stunde', period(look.von.subtract({ minutes: window + 60 })))).at(-1);
    const last = lastMinute ?? lastHour;
    if (!last) return [];
    const since = Temporal.Instant.from(last.beginn).add(lastMinute ? { minutes: 1 } : { hours: 1 });
    const fires = since.add({ minutes: window });
    if (Temporal.Instant.compare(fires, bis) > 0 || Temporal.Instant.compare(fires, look.von) < 0) return [];
    const begin = Temporal.Instant.from(last.beginn);
    const day = localBegin(begin, 'day', zone).toPlainDate();
    const days = await readSeries(look, regel, 'tag', {
      von: day.subtract({ days: tage - 1 }).toString(),
      bis: day.add({ days: 1 }).toString(),
    });
    if (days.length < tage) return [];
    return [
      {
        regel: asRule(regel),
        ...scopeObject(regel),
        lauf: null,
        fensterBeginn: isoOf(localBegin(begin, 'hour', zone)),
        werte: { letzter_aufruf: isoOf(since), tage },
        kostenEur: null,
        verbranntEur: null,
        potentialEur: null,
      },
    ];
  },
};
