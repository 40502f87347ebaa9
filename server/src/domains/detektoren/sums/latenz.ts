import type { Regel } from '#domains/regeln/index.ts';
import { createValues, scopeOf, windowMinutes } from '../calls/statement.ts';
import type { Candidate } from '../candidate.ts';
import { asRule, type Look, type SumDetector, scopeObject } from '../detector.ts';
import { isoOf, localBegin } from '../local-time.ts';
import { type Percentile, percentile95 } from './percentile.ts';
import type { Sums } from './period.ts';
import { readSeries } from './series.ts';

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

/** The percentile of the days before an hour; null where nothing was measured. */
function usualBefore(hour: Temporal.ZonedDateTime, tage: number, hours: Sums[], measured: Measured) {
  const begin = hour.subtract({ hours: 24 * tage }).epochMilliseconds;
  const before = hours.filter(({ beginn }) => {
    const at = Date.parse(beginn);
    return at >= begin && at < hour.epochMilliseconds;
  });
  return percentile95(before.reduce((sum, { [measured]: histogram }) => sum + BigInt(histogram), 0n));
}

const isFarAbove = (now: number, usual: number, { schwelle, parameter }: Regel<'latenz'>): boolean =>
  now > Number(schwelle) * usual && now >= usual + parameter.mindest_mehr_ms;

/**
 * The percentile to the millisecond: histograms say in which step it lies, the call itself is looked up among those of that step. Of calls
 * that are kept no longer it stays what the histogram says.
 */
async function readExactly(
  { client, mandant }: Look,
  regel: Regel<'latenz'>,
  { von, bis }: { von: Temporal.Instant; bis: Temporal.Instant },
  { ms, low, high, place }: Percentile,
): Promise<number> {
  const values = createValues();
  const measured = `e.${regel.parameter.messwert}`;
  const { rows } = await client.query<{ ms: number }>(
    `SELECT ${measured} AS ms FROM ereignisse e
     WHERE e.mandant_id = ${values.of(mandant, 'uuid')} AND e.zeitpunkt >= ${values.of(isoOf(von), 'timestamptz')}
       AND e.zeitpunkt < ${values.of(isoOf(bis), 'timestamptz')} AND ${scopeOf(regel, 'e', values)}
       AND ${measured} >= ${values.of(low, 'bigint')} AND ${measured} < ${values.of(high, 'bigint')}
     ORDER BY 1 OFFSET ${values.of(place, 'bigint')} LIMIT 1`,
    values.all,
  );
  return rows[0]?.ms ?? ms;
}

/** Both percentiles of a window that is far above what is usual, to the millisecond; null where it is not. What is cheap is asked first. */
async function compareExactly(
  look: Look,
  regel: Regel<'latenz'>,
  within: { von: Temporal.Instant; bis: Temporal.Instant },
  { now, usual }: { now: Percentile; usual: Percentile },
): Promise<{ p95_ms: number; ueblich_ms: number } | null> {
  if (!isFarAbove(now.high, usual.low, regel)) return null;
  const p95_ms = await readExactly(look, regel, within, now);
  if (!isFarAbove(p95_ms, usual.low, regel)) return null;
  const bis = localBegin(within.von, 'hour', look.zone).toInstant();
  const days = { von: bis.subtract({ hours: 24 * regel.parameter.tage }), bis };
  const ueblich_ms = await readExactly(look, regel, days, usual);
  return isFarAbove(p95_ms, ueblich_ms, regel) ? { p95_ms, ueblich_ms } : null;
}

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

/** Minutes of the look from the first window on, and hours of the days before; none where there are no sums. */
async function readBoth(
  look: Look,
  regel: Regel<'latenz'>,
  length: number,
): Promise<{ minutes: Sums[]; hours: Sums[] }> {
  const first = Math.ceil(look.von.epochMilliseconds / length) * length;
  const von = isoOf(Temporal.Instant.fromEpochMilliseconds(first));
  const bis = isoOf(look.bis);
  const minutes = await readSeries(look, regel, 'minute', { von, bis }, true);
  const since = isoOf(look.von.subtract({ hours: 24 * regel.parameter.tage + 24 }));
  const hours = await readSeries(look, regel, 'stunde', { von: since, bis }, true);
  return { minutes: minutes ?? [], hours: hours ?? [] };
}

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
    const { minutes, hours } = await readBoth(look, regel, length);
    const worst = new Map<string, Candidate>();
    for (const [begin, histogram] of byWindow(minutes, length, measured)) {
      const now = percentile95(histogram);
      if (!now || now.aufrufe < mindest_aufrufe) continue;
      const at = Temporal.Instant.fromEpochMilliseconds(begin);
      const hour = localBegin(at, 'hour', look.zone);
      // Of an hour that is looked at in part only, the worst window may be away.
      if (Temporal.Instant.compare(hour.toInstant(), look.von) < 0) continue;
      const usual = usualBefore(hour, tage, hours, measured);
      if (!usual) continue;
      const bis = at.add({ milliseconds: length });
      const exact = await compareExactly(look, regel, { von: at, bis }, { now, usual });
      if (!exact) continue;
      const key = isoOf(hour);
      const before = worst.get(key);
      if (before && Number(before.werte.p95_ms) >= exact.p95_ms) continue;
      const werte = { ...exact, aufrufe: now.aufrufe, von: isoOf(at), bis: isoOf(bis) };
      worst.set(key, candidateOf(regel, key, werte));
    }
    return [...worst.values()];
  },
  trigger: false,
  reached: null,
  dayBy: () => 'fensterBeginn',
  calls: null,
};
