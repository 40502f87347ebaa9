/** Which week is meant, when its report is due, and how figures compare: pure decisions. */
import { READ_WITH, REPORT_PARTS, type ResponseOf, type Right, type wochenbericht } from '#contracts';
import { type Cents, centsText, type Eur, eurFrom, plus, textOf } from '#kernel/money.ts';
import { isStorable, type Window } from '#kernel/zeitraum.ts';

/** A report in figures. */
export type Report = ResponseOf<typeof wochenbericht>;

type Day = Temporal.PlainDate;

const mondayOf = (day: Day): Day => day.subtract({ days: day.dayOfWeek - 1 });

function plainDate(text: string): Day | null {
  try {
    return Temporal.PlainDate.from(text);
  } catch {
    return null;
  }
}

/** The Monday a text names: `2026-W46`, or itself `2026-11-09`. Null for what is no week of the years 1970 to 9998. */
export function parseWeek(text: string): Day | null {
  const [, year, week] = /^(\d{4})-W(\d{2})$/.exec(text) ?? [];
  if (year && week) {
    const fourth = plainDate(`${year}-01-04`);
    if (!fourth || !isStorable(fourth)) return null;
    const monday = mondayOf(fourth).add({ weeks: Number(week) - 1 });
    return weekName(monday) === text ? monday : null;
  }
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? plainDate(text) : null;
  return day && isStorable(day) && day.dayOfWeek === 1 ? day : null;
}

/** `2026-W46`, as ISO 8601 counts. */
export const weekName = (monday: Day): string =>
  `${String(monday.yearOfWeek).padStart(4, '0')}-W${String(monday.weekOfYear).padStart(2, '0')}`;

/** The Monday of the week in which it is now in the zone (IANA name). */
export const thisWeek = (now: Temporal.Instant, zone: string): Day =>
  mondayOf(now.toZonedDateTimeISO(zone).toPlainDate());

/** From its Monday's local midnight to the next one's. */
export const windowOf = (monday: Day, zone: string): Window => ({
  von: monday.toZonedDateTime(zone),
  bis: monday.add({ weeks: 1 }).toZonedDateTime(zone),
});

const DUE_AT = Temporal.PlainTime.from('07:00');
/** Monday, Tuesday, Wednesday: who has heard nothing by then does not want it any more. */
const LAST_DAY = 3;

export interface Due {
  /** Of the week that is over. */
  monday: Day;
  /** Since when its report is due. */
  since: Temporal.Instant;
  /** How long a mail about it is worth sending. */
  until: Temporal.Instant;
}

/** The report that is due now in the zone: that of the last week, from Monday 7 o'clock to the end of Wednesday; else null. */
export function dueReport(now: Temporal.Instant, zone: string): Due | null {
  const monday = thisWeek(now, zone);
  const since = monday.toZonedDateTime({ timeZone: zone, plainTime: DUE_AT }).toInstant();
  const until = monday.add({ days: LAST_DAY }).toZonedDateTime(zone).toInstant();
  const isDue = Temporal.Instant.compare(now, since) >= 0 && Temporal.Instant.compare(now, until) < 0;
  return isDue ? { monday: monday.subtract({ weeks: 1 }), since, until } : null;
}

const PATIENCE = { hours: 12 };

/** Whether the report waits for counting: not all of its week is counted, and there is time yet. */
export const mustWait = (now: Temporal.Instant, { since }: Due, vorlaeufig: boolean): boolean =>
  vorlaeufig && Temporal.Instant.compare(now, since.add(PATIENCE)) < 0;

export type Part = (typeof REPORT_PARTS)[number];

/** Parts of a report that somebody with these rights may not see. */
export const partsWithheld = (rechte: readonly Right[]): Part[] =>
  REPORT_PARTS.filter((part) => !rechte.includes(READ_WITH[part]));

/** Rounded half away from zero. */
function divided(value: bigint, by: bigint): bigint {
  const half = by / 2n;
  return value < 0n ? (value - half) / by : (value + half) / by;
}

const EUR_PER_CENT = eurFrom('0.01');

/** The mean of exact decimals in EUR, to the cent, half-up; null of none. */
export function meanOf(amounts: readonly string[]): string | null {
  if (amounts.length === 0) return null;
  const sum = amounts.map(eurFrom).reduce((all, each) => plus(all, each), eurFrom('0'));
  return centsText(divided(sum, EUR_PER_CENT * BigInt(amounts.length)) as Cents);
}

/** By what part an amount is more than another, as a decimal of three places: 0.125 is 12.5 percent. Null of nothing. */
export function growth(now: Eur, before: Eur): string | null {
  return before <= 0n ? null : textOf(divided((now - before) * 1_000n, before), 3);
}
