/** Decisions about one batch, before it is stored. */
import type { BodyOf, ereignisseAnnehmen, Fault } from '#contracts';
import { secondsOf } from '#kernel/microseconds.ts';

export type Stapel = BodyOf<typeof ereignisseAnnehmen>;

const FUTURE_LIMIT = 24 * 3_600_000;

/** Seconds since 1970 at which an event may lie at the latest; fractions do not matter. */
export const latestSeconds = (now: Date): number => Math.floor((now.getTime() + FUTURE_LIMIT) / 1_000);

/** Faults of events dated more than 24 hours ahead: a sender's clock that far off would hide its calls from every report. */
export function futureFaults(stapel: Stapel, now: Date): Fault[] {
  const latest = latestSeconds(now);
  const faults: Fault[] = [];
  const events = stapel.ereignisse ?? [];
  for (let index = 0; index < events.length; index += 1) {
    const zeitpunkt = events[index]?.zeitpunkt;
    if (!zeitpunkt || secondsOf(zeitpunkt) <= latest) continue;
    const reason = 'zeitpunkt liegt mehr als 24 Stunden in der Zukunft';
    faults.push({
      type: 'value_error',
      loc: ['body', 'ereignisse', index, 'zeitpunkt'],
      msg: `Value error, ${reason}`,
      input: zeitpunkt,
      ctx: { error: reason },
    });
  }
  return faults;
}

/** How many events repeat an `ereignis_id` that stands in the same batch before them. */
export function repeatsInBatch(stapel: Stapel): number {
  const distinct = new Set<string>();
  let named = 0;
  for (const { ereignis_id: id } of stapel.ereignisse ?? []) {
    if (!id) continue;
    named += 1;
    distinct.add(id);
  }
  return named - distinct.size;
}
