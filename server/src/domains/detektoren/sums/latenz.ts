import type { Regel } from '#domains/regeln/index.ts';
import { windowMinutes } from '../calls/statement.ts';
import type { Candidate } from '../candidate.ts';
import { asRule, type SumDetector, scopeObject } from '../detector.ts';
import { isoOf, localBegin } from '../local-time.ts';
import { type Percentile, percentile95 } from './percentile.ts';
import { readSeries, type Sums } from './series.ts';

const MINUTE = 60_000;

/** Which histogram a rule is about. */
type Measured = 'latenz' | 'erste_zeichen';

/** Histograms by the windows their minutes lie in; windows follow one another from 1970 on. */
function byWindow(minutes: Sums[], length: number, measured: Measured): Map<number, bigint> {
  const windows = new Map<number, bigint>();
  for (const { beginn, [measured]: histogram } of minutes) {
    const begin = Math.floor(Date.parse(beginn) / length) * length;
    windows.set(begin, (windows.get(begin) ?? 0n) + BigInt(histogram));
  }
  return windows;
}

/** The percentile of so many days before an hour; null where nothing was measured. */
function usualBefore(hour: Temporal.ZonedDateTime, tage: number, hours: Sums[], measured: Measured) {
  const begin = hour.subtract({ hours: 24 * tage }).epochMilliseconds;
  const before = hours.filter(({ beginn }) => {
    const at = Date.parse(beginn);
    return at >= begin && at < hour.epochMilliseconds;
  });
  return percentile95(before.reduce((sum, { [measured]: histogram }) => sum + BigInt(histogram), 0n));
}

const isFarAbove = (now: Percentile, usual: Percentile, { schwelle, parameter }: Regel<'latenz'>): boolean =>
  now.ms > Number(schwelle) * usual.ms && now.ms >= usual.ms + parameter.mindest_mehr_ms;

const candidateOf = (
  regel: Regel<'latenz'>,
  fensterBeginn: string,
  werte: Candidate['werte'],
): Candidate => ({
  regel: asRule(regel),
  ...scopeObject(regel),
  lauf: null,
  fensterBeginn,
  werte,
  kostenEur: null,
  verbranntEur: null,
  potentialEur: null,
});

/**
 * Windows whose 95th percentile is far above that of the days before the hour they begin in. A finding is about the worst window
 * of a local hour.
 */
export const latenz: SumDetector<'latenz'> = {
  needsPrices: false,
  async find(look, regel) {
    const { messwert, mindest_aufrufe, tage } = regel.parameter;
    const measured = messwert === 'latenz_ms' ? 'latenz' : 'erste_zeichen';
    const length = windowMinutes(regel) * MINUTE;
    const first = Math.ceil(look.von.epochMilliseconds / length) * length;
    const von = isoOf(Temporal.Instant.fromEpochMilliseconds(first));
    const minutes = await readSeries(look, regel, 'minute', { von, bis: isoOf(look.bis) }, true);
    const since = isoOf(look.von.subtract({ hours: 24 * tage + 24 }));
    const hours = await readSeries(look, regel, 'stunde', { von: since, bis: isoOf(look.bis) }, true);
    const worst = new Map<string, Candidate>();
    for (const [begin, histogram] of byWindow(minutes, length, measured)) {
      const now = percentile95(histogram);
      if (!now || now.aufrufe < mindest_aufrufe) continue;
      const at = Temporal.Instant.fromEpochMilliseconds(begin);
      const hour = localBegin(at, 'hour', look.zone);
      // Of an hour that is looked at in part only, the worst window may be away.
      if (Temporal.Instant.compare(hour.toInstant(), look.von) < 0) continue;
      const usual = usualBefore(hour, tage, hours, measured);
      if (!usual || !isFarAbove(now, usual, regel)) continue;
      const key = isoOf(hour);
      const before = worst.get(key);
      if (before && Number(before.werte.p95_ms) >= now.ms) continue;
      const werte = {
        p95_ms: now.ms,
        ueblich_ms: usual.ms,
        aufrufe: now.aufrufe,
        von: isoOf(at),
        bis: isoOf(at.add({ milliseconds: length })),
      };
      worst.set(key, candidateOf(regel, key, werte));
    }
    return [...worst.values()];
  },
  trigger: false,
  dayBy: () => 'fensterBeginn',
  calls: null,
};
