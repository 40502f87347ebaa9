/** Pure decisions: when an alarm may come, and what becomes of an attempt to deliver it. */
import type { AlarmKanal, AlarmStatus, Stufe } from '#contracts';

/** When people want to hear of warnings. Times are `HH:MM`, local to the Mandant. */
export interface Zeiten {
  /** Quiet hours; `tage` are the days (1 is Monday) on which they begin. Equal times are a whole day. */
  ruhestunden: { von: string; bis: string; tage: number[] } | null;
  sammeln: 'sofort' | 'stuendlich' | 'taeglich';
  /** When what is collected by the day comes. */
  sammelnUm: string;
}

/** The general webhook is for programs: it gets each alarm by itself, and at once. */
export const isForPeople = (kanal: AlarmKanal): boolean => kanal !== 'webhook_url';

/** Levels that only tell may be held; those that intervene go out at once. */
export const mayBeHeld = (stufe: Stufe): boolean => stufe === 'beobachten' || stufe === 'warnen';

const at = (day: Temporal.PlainDate, time: string, zone: string) =>
  day.toZonedDateTime({ timeZone: zone, plainTime: Temporal.PlainTime.from(time) });

/** When the quiet hours end that it is in; null outside of them. */
function quietUntil(
  { von, bis, tage }: NonNullable<Zeiten['ruhestunden']>,
  now: Temporal.ZonedDateTime,
): Temporal.ZonedDateTime | null {
  const today = now.toPlainDate();
  for (const day of [today.subtract({ days: 1 }), today]) {
    if (!tage.includes(day.dayOfWeek)) continue;
    const begin = at(day, von, now.timeZoneId);
    const end = at(von < bis ? day : day.add({ days: 1 }), bis, now.timeZoneId);
    const isInside =
      Temporal.ZonedDateTime.compare(begin, now) <= 0 && Temporal.ZonedDateTime.compare(now, end) < 0;
    if (isInside) return end;
  }
  return null;
}

/** The next time at which what is collected comes. */
function nextCollection({ sammeln, sammelnUm }: Zeiten, now: Temporal.ZonedDateTime): Temporal.ZonedDateTime {
  if (sammeln === 'stuendlich') return nextHour(now);
  const today = at(now.toPlainDate(), sammelnUm, now.timeZoneId);
  if (Temporal.ZonedDateTime.compare(now, today) < 0) return today;
  return at(now.toPlainDate().add({ days: 1 }), sammelnUm, now.timeZoneId);
}

const nextHour = (now: Temporal.ZonedDateTime): Temporal.ZonedDateTime =>
  now.add({ hours: 1 }).round({ smallestUnit: 'hour', roundingMode: 'floor' });

/** Warnings of an hour that come one by one; what is more comes with the next full hour. */
export const WARNINGS_PER_HOUR = 60;

/**
 * Until when people are spared a warning that comes up now; null: it goes out at once. `inLastHour`: how many alarms there were
 * within an hour, this one included.
 */
export function heldUntil(
  zeiten: Zeiten,
  now: Temporal.ZonedDateTime,
  inLastHour: number,
): Temporal.Instant | null {
  let until: Temporal.ZonedDateTime | null = null;
  if (zeiten.sammeln !== 'sofort') until = nextCollection(zeiten, now);
  else if (inLastHour > WARNINGS_PER_HOUR) until = nextHour(now);
  // One quiet time may end where the next one begins; after a week of them it comes nevertheless.
  for (let round = 0; zeiten.ruhestunden && round < 8; round += 1) {
    const quiet = quietUntil(zeiten.ruhestunden, until ?? now);
    if (!quiet) break;
    until = quiet;
  }
  return until?.toInstant() ?? null;
}

/** So soon after a message to people another one would be too many: what comes up meanwhile comes in one. */
const GATHER_MINUTES = 2;
/** The same where many came within an hour. */
const GATHER_MINUTES_OF_MANY = 10;

/**
 * Until when an alarm waits for those that follow closely, whatever its level; null: it goes out at once, as the first one
 * does. `last`: when a message went to people last.
 */
export function gatheredUntil(last: string | null, now: Date, inLastHour: number): Temporal.Instant | null {
  if (last === null) return null;
  const minutes = inLastHour > WARNINGS_PER_HOUR ? GATHER_MINUTES_OF_MANY : GATHER_MINUTES;
  const until = Temporal.Instant.from(last).add({ minutes });
  return until.epochMilliseconds > now.getTime() ? until : null;
}

/** Posts through the general webhook that follow each other at once; more come back evenly within the seconds. */
export const WEBHOOK_PACE = { name: 'alarm_webhook', je: 'mandant', most: 120, seconds: 60 } as const;

/** How an attempt at a delivery went. */
export type Outcome =
  | { delivered: true; status: number | null }
  | {
      delivered: false;
      /** HTTP; null where nobody answered. */
      status: number | null;
      fehler: { de: string; en: string };
      /** To try again would change nothing. */
      final: boolean;
      /** Seconds the receiver wants to be left alone. */
      retryAfter: number | null;
    };

/** Whether a refusal with this status stays one: those that ask to come again later do not, nor do faults of the receiver. */
export const isFinal = (status: number): boolean =>
  status >= 300 && status < 500 && ![408, 425, 429].includes(status);

/** What becomes of the delivery after the attempt. */
export function statusAfter(outcome: Outcome, now: Date, frist: string): AlarmStatus {
  if (outcome.delivered) return 'zugestellt';
  return outcome.final || now.getTime() >= Date.parse(frist) ? 'aufgegeben' : 'wartet';
}

const LONGEST_WAIT = 6 * 3_600;

/** Seconds that a `Retry-After` asks for (a number, or an HTTP date), six hours at most; null when it says nothing. */
export function retryAfterOf(header: string | null, now: Date): number | null {
  if (header === null) return null;
  const seconds = /^\d{1,9}$/.test(header.trim())
    ? Number(header)
    : Math.ceil((Date.parse(header) - now.getTime()) / 1_000);
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, LONGEST_WAIT) : null;
}
