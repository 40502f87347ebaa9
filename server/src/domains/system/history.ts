/**
 * What the spans of a part say: one line of time without overlaps, days of it, disturbances, since when a state lasts. Instants are
 * whole seconds since 1970, so that the parts of a day add up to it.
 */

/** What somebody saw of a part. */
export type Seen = 'ok' | 'eingeschränkt' | 'gestört';

/** A part was in that state from `from` to before `to`, as somebody saw it. */
export interface Span {
  status: Seen;
  from: number;
  to: number;
}

/** A local day. */
export interface Day {
  tag: string;
  from: number;
  to: number;
}

/** Seconds of a day by what was seen in them. */
export interface DayShares {
  ok: number;
  limited: number;
  broken: number;
  unknown: number;
}

/** A stop of the service, or a look that came late, does not end a state that is the same afterwards. */
const SAME_STATE_SECONDS = 300;
/** Disturbances with less between them are one. */
const SAME_DISTURBANCE_SECONDS = 60;

const BADNESS: Record<Seen, number> = { ok: 1, eingeschränkt: 2, gestört: 3 };
const STATES: readonly (Seen | null)[] = [null, 'ok', 'eingeschränkt', 'gestört'];

/** Beginnings and ends in order, with how many spans of each state lie over the time after them. */
function edgesOf(spans: readonly Span[]): { at: number; badness: number; change: 1 | -1 }[] {
  return spans
    .filter(({ from, to }) => from < to)
    .flatMap(({ status, from, to }) => [
      { at: from, badness: BADNESS[status], change: 1 as const },
      { at: to, badness: BADNESS[status], change: -1 as const },
    ])
    .sort((a, b) => a.at - b.at);
}

/** One line of time: in order, without overlaps, what touches in one state as one. Where observers differ the worst counts. */
export function lineOf(spans: readonly Span[]): Span[] {
  const line: Span[] = [];
  const open = [0, 0, 0, 0];
  let before: number | null = null;
  for (const { at, badness, change } of edgesOf(spans)) {
    const status = STATES[open.findLastIndex((count) => count > 0)] ?? null;
    const last = line.at(-1);
    if (before !== null && before < at && status !== null) {
      if (last?.status === status && last.to === before) last.to = at;
      else line.push({ status, from: before, to: at });
    }
    open[badness] = (open[badness] ?? 0) + change;
    before = at;
  }
  return line;
}

/** How much of each day up to `now` was seen in which state; the rest of it nobody knows. The line is as `lineOf` makes it. */
export function sharesOf(line: readonly Span[], days: readonly Day[], now: number): DayShares[] {
  let first = 0;
  return days.map((day) => {
    const end = Math.min(day.to, now);
    const length = Math.max(0, end - day.from);
    const seconds = { ok: 0, eingeschränkt: 0, gestört: 0 };
    while (first < line.length && (line[first] as Span).to <= day.from) first += 1;
    for (let index = first; index < line.length; index += 1) {
      const { status, from, to } = line[index] as Span;
      if (from >= end) break;
      seconds[status] += Math.max(0, Math.min(to, end) - Math.max(from, day.from));
    }
    const known = seconds.ok + seconds.eingeschränkt + seconds.gestört;
    return {
      ok: seconds.ok,
      limited: seconds.eingeschränkt,
      broken: seconds.gestört,
      unknown: length - known,
    };
  });
}

/** A time in which a part did not work as it should. */
export interface Disturbance {
  /** The worst state within it. */
  status: Exclude<Seen, 'ok'>;
  from: number;
  to: number;
  /** Seconds in which it did not work at all. */
  broken: number;
}

/** What follows closely is one; in order. */
export function disturbancesOf(line: readonly Span[]): Disturbance[] {
  const found: Disturbance[] = [];
  for (const { status, from, to } of line) {
    if (status === 'ok') continue;
    const broken = status === 'gestört' ? to - from : 0;
    const last = found.at(-1);
    if (!last || from - last.to > SAME_DISTURBANCE_SECONDS) found.push({ status, from, to, broken });
    else {
      last.to = to;
      last.broken += broken;
      if (broken > 0) last.status = status;
    }
  }
  return found;
}

/** Since when the line has been in this state until now; null where it ends in another one, or long ago. */
export function sinceWhen(line: readonly Span[], status: Seen, now: number): number | null {
  let since: number | null = null;
  let after = now;
  for (const span of line.toReversed()) {
    if (span.from >= now) continue;
    if (span.status !== status || after - span.to > SAME_STATE_SECONDS) break;
    since = span.from;
    after = span.from;
  }
  return since;
}

/** The last `count` local days of a zone, in order; the one of `now` is the last. */
export function lastDays(now: Date, zone: string, count: number): Day[] {
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(zone).toPlainDate();
  const midnight = (day: Temporal.PlainDate) => day.toZonedDateTime(zone).epochMilliseconds / 1_000;
  return Array.from({ length: count }, (_, index) => {
    const day = today.subtract({ days: count - 1 - index });
    return {
      tag: day.toString(),
      from: Math.floor(midnight(day)),
      to: Math.floor(midnight(day.add({ days: 1 }))),
    };
  });
}
