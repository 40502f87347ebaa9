/** The detectors over sums, from the words of the catalogue, event by event and slowly. */
import type { Decimal } from 'decimal.js';
import type { Regel } from '#domains/regeln/index.ts';
import { minutesOf } from '#domains/regeln/index.ts';
import { Exact } from '../reference-cost.ts';
import { beginOf, by, type Call, cost, isoOf } from './calls.ts';

/** What is compared: what a finding begins with and its highest value. */
export interface Peak {
  fensterBeginn: string;
  wert: string;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const measure = (calls: Call[], einheit: string | null): Decimal =>
  einheit === 'eur'
    ? new Exact(cost(calls) ?? 0)
    : new Exact(
        einheit === 'token'
          ? calls.reduce((sum, { sent }) => sum + (sent.eingabe_token ?? 0) + (sent.ausgabe_token ?? 0), 0)
          : calls.length,
      );

function monthOf(call: Call, zone: string): string {
  const local = Temporal.Instant.fromEpochMilliseconds(call.ms).toZonedDateTimeISO(zone);
  return local.with({ day: 1 }).startOfDay().toInstant().toString();
}

/** Limits of the calendar: hours and days that touch the look, months of which a day does. */
function byCalendar(
  calls: Call[],
  regel: Regel<'kosten_grenze' | 'raten_grenze'>,
  von: number,
  zone: string,
): Peak[] {
  const key = (call: Call) =>
    regel.zeitfenster === 'monat'
      ? monthOf(call, zone)
      : beginOf(call, regel.zeitfenster === 'tag' ? 'day' : 'hour', zone);
  const first = Temporal.Instant.fromEpochMilliseconds(von).toZonedDateTimeISO(zone);
  const since = {
    monat: first.with({ day: 1 }).startOfDay(),
    tag: first.startOfDay(),
    stunde: first.round({ smallestUnit: 'hour', roundingMode: 'floor' }),
  }[regel.zeitfenster as 'tag'].toInstant();
  return by(calls, key)
    .map((group) => ({ key: key(group[0] as Call), wert: measure(group, regel.einheit) }))
    .filter(
      (period) =>
        Temporal.Instant.compare(period.key, since) >= 0 && period.wert.gt(regel.schwelle as string),
    )
    .map((period) => ({ fensterBeginn: period.key, wert: period.wert.toFixed() }));
}

/** Windows that end with each minute (hour, for long ones) that has calls; the highest of each local hour or day. */
function byDuration(
  calls: Call[],
  regel: Regel<'kosten_grenze' | 'raten_grenze'>,
  von: number,
  zone: string,
): Peak[] {
  const minutes = minutesOf(regel.zeitfenster as string) as number;
  const grain = minutes > 20 * 60 ? HOUR : MINUTE;
  const length = grain === HOUR ? Math.floor(minutes / 60) * HOUR : minutes * MINUTE;
  const unit = minutes <= 60 ? 'hour' : 'day';
  const worst = new Map<string, Decimal>();
  for (const last of calls) {
    const end = (Math.floor(last.ms / grain) + 1) * grain;
    const key = beginOf(last, unit, zone);
    if (Date.parse(key) < von) continue;
    const value = measure(
      calls.filter(({ ms }) => ms < end && ms >= end - length),
      regel.einheit,
    );
    if (value.gt(regel.schwelle as string) && value.gt(worst.get(key) ?? -1)) worst.set(key, value);
  }
  return [...worst].map(([fensterBeginn, wert]) => ({ fensterBeginn, wert: wert.toFixed() }));
}

export const grenze = (
  calls: Call[],
  regel: Regel<'kosten_grenze' | 'raten_grenze'>,
  von: number,
  zone: string,
) => (minutesOf(regel.zeitfenster ?? '') === null ? byCalendar : byDuration)(calls, regel, von, zone);

export function schaetzanteil(
  calls: Call[],
  regel: Regel<'schaetzanteil'>,
  von: number,
  zone: string,
): Peak[] {
  const first = beginOf({ ms: von } as Call, 'hour', zone);
  return by(calls, (call) => beginOf(call, 'hour', zone)).flatMap((hour) => {
    const estimated = hour.filter(({ sent }) => sent.geschaetzt).length;
    const fensterBeginn = beginOf(hour[0] as Call, 'hour', zone);
    const fires =
      Date.parse(fensterBeginn) >= Date.parse(first) &&
      hour.length >= regel.parameter.mindest_aufrufe &&
      estimated * 100 > hour.length * Number(regel.schwelle);
    return fires ? [{ fensterBeginn, wert: String(estimated) }] : [];
  });
}

/** `now`: the end of the look. The silence begins with the end of the minute of the last call. */
export function stille(
  calls: Call[],
  regel: Regel<'stille'>,
  von: number,
  now: number,
  zone: string,
): Peak[] {
  const last = [...calls].sort((a, b) => b.ms - a.ms)[0];
  if (!last) return [];
  const since = (Math.floor(last.ms / MINUTE) + 1) * MINUTE;
  const fires = since + (minutesOf(regel.zeitfenster as string) as number) * MINUTE;
  if (fires > now || fires < von) return [];
  const day = Temporal.Instant.fromEpochMilliseconds(last.ms).toZonedDateTimeISO(zone).toPlainDate();
  const active = new Set(
    calls.map(({ ms }) =>
      Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).toPlainDate().toString(),
    ),
  );
  for (let back = 0; back < regel.parameter.tage; back += 1)
    if (!active.has(day.subtract({ days: back }).toString())) return [];
  return [{ fensterBeginn: beginOf(last, 'hour', zone), wert: isoOf(since) }];
}
