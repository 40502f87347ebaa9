/** Which pieces belong together: those of a local day, and once its month is over those of the month. */

const MS_OF_DAY = 86_400_000;
/** Calls may come late: a day, and a month, is taken for over these hours after its end. */
const AFTER_DAY = 2;
const AFTER_MONTH = 26;
/** What comes later still waits so long for more of its kind. */
const LATE_HOURS = 6;

/** Days since 1970, the first and the last. */
export interface Period {
  von: number;
  bis: number;
}

const dayOf = (date: Temporal.PlainDate): number => date.toZonedDateTime('UTC').epochMilliseconds / MS_OF_DAY;
/** `YYYY-MM-DD` of days since 1970. */
export const textOfDay = (day: number): string => new Date(day * MS_OF_DAY).toISOString().slice(0, 10);
/** Days since 1970 of a `YYYY-MM-DD`. */
export const dayOfText = (text: string): number => Date.parse(text) / MS_OF_DAY;

const monthOf = (day: number): Temporal.PlainDate => Temporal.PlainDate.from(textOfDay(day)).with({ day: 1 });

/** The periods of a Mandant at an instant. */
export class Periods {
  readonly #zone: string;
  readonly #now: Temporal.Instant;
  /** The first day that is not over, and the first day of the first month that is not. */
  readonly #openDay: number;
  readonly #openMonth: number;

  constructor(zone: string, now: Temporal.Instant) {
    this.#zone = zone;
    this.#now = now;
    const local = (hours: number) => now.subtract({ hours }).toZonedDateTimeISO(zone).toPlainDate();
    this.#openDay = dayOf(local(AFTER_DAY));
    this.#openMonth = dayOf(local(AFTER_MONTH).with({ day: 1 }));
  }

  /** The period of a day. */
  of(day: number): Period {
    if (day >= this.#openMonth) return { von: day, bis: day };
    const month = monthOf(day);
    return { von: dayOf(month), bis: dayOf(month.add({ months: 1 })) - 1 };
  }

  /** Until when the pieces of a period wait for others, once all that there are have been put together; null: for ever. */
  dueTogether({ von }: Period): string | null {
    if (von >= this.#openDay) return this.#after(Temporal.PlainDate.from(textOfDay(von + 1)), AFTER_DAY);
    return von < this.#openMonth ? null : this.#after(monthOf(von).add({ months: 1 }), AFTER_MONTH);
  }

  /** Until when what has just come to a period waits for others. */
  dueApart(period: Period): string {
    const isOver = period.von < this.#openDay;
    const later = isOver ? null : this.dueTogether(period);
    return later ?? this.#now.add({ hours: LATE_HOURS }).toString();
  }

  #after(date: Temporal.PlainDate, hours: number): string {
    return date.toZonedDateTime(this.#zone).toInstant().add({ hours }).toString();
  }
}
