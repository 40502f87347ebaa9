import type { Regel } from '#domains/regeln/index.ts';
import { eurFrom } from '#kernel/money.ts';
import type { Found } from '../candidate.ts';
import { asRule, type Look, type SumDetector, scopeObject } from '../detector.ts';
import { isoOf, localBegin } from '../local-time.ts';
import { ofRule, rulesPerAgent } from './per-agent.ts';
import type { Sums } from './period.ts';
import { readSeries } from './series.ts';
import { type Spike, spikeOf } from './spitze.ts';

type Rule = Regel<'kosten_spitze'>;

/** An hour that stands out, and how many weeks say so: none where there are none yet. */
interface Peak {
  hour: Sums;
  begin: Temporal.ZonedDateTime;
  weeks: number;
  median: string | null;
  z: Spike['z'];
}

/** Whether an hour stands out; before there are days enough to compare with, by what it may cost at most. */
function peakOf(
  hour: Sums,
  begin: Temporal.ZonedDateTime,
  { since, costs, regel }: { since: string; costs: Map<string, string>; regel: Rule },
): Peak | null {
  const { wochen, mindest_tage, mindest_eur, z, ohne_vergleich_eur: most } = regel.parameter;
  if (Temporal.Instant.compare(begin.subtract({ days: mindest_tage }).toInstant(), since) < 0) {
    // Rules of before say nothing of it.
    const isDear = most !== undefined && eurFrom(hour.kosten_eur) > eurFrom(most);
    return isDear ? { hour, begin, weeks: 0, median: null, z: null } : null;
  }
  const weeks = Array.from({ length: wochen }, (_, week) => begin.subtract({ weeks: week + 1 })).filter(
    (at) => Temporal.Instant.compare(at.toInstant(), since) >= 0,
  );
  const others = weeks.map((at) => costs.get(isoOf(at)) ?? '0');
  const spike = spikeOf(hour.kosten_eur, others, { schwelle: regel.schwelle ?? '0', mindest_eur, z });
  return spike && { hour, begin, weeks: others.length, ...spike };
}

const toFound = (regel: Rule, { hour, begin, weeks, median, z }: Peak): Found => ({
  regel: asRule(regel),
  ...scopeObject(regel),
  lauf: null,
  fensterBeginn: hour.beginn,
  feuertAm: isoOf(begin.add({ hours: 1 })),
  werte: { wert_eur: hour.kosten_eur, median_eur: median, z, wochen: weeks, aufrufe: Number(hour.aufrufe) },
  kostenEur: hour.kosten_eur,
  verbranntEur: null,
  potentialEur: null,
});

async function findIn(look: Look, regel: Rule, since: string): Promise<Found[]> {
  const { zone } = look;
  const first = localBegin(look.von, 'hour', zone);
  const von = isoOf(first.subtract({ weeks: regel.parameter.wochen }));
  const sums = await readSeries(look, regel, 'stunde', { von, bis: isoOf(look.bis) });
  if (!sums) return [];
  const costs = new Map(sums.map((hour) => [hour.beginn, hour.kosten_eur]));
  return sums.flatMap((hour): Found[] => {
    const begin = Temporal.Instant.from(hour.beginn).toZonedDateTimeISO(zone);
    if (Temporal.ZonedDateTime.compare(begin, first) < 0) return [];
    const peak = peakOf(hour, begin, { since, costs, regel });
    return peak ? [toFound(regel, peak)] : [];
  });
}

/**
 * Hours that cost far more than the same local hour of the weeks before; an hour without calls cost nothing. Weeks from before the
 * first call of all are no weeks.
 */
export const kostenSpitze: SumDetector<'kosten_spitze'> = {
  needsPrices: false,
  async find(look, regel) {
    const { rows } = await look.client.query<{ daten_von: string | null }>(
      'SELECT daten_von FROM zaehlstaende WHERE mandant_id = $1',
      [look.mandant],
    );
    const first = rows[0]?.daten_von;
    if (!first) return [];
    const known = look.older?.knownFrom;
    const since = known && Temporal.Instant.compare(first, known) < 0 ? isoOf(known) : first;
    const { mindest_eur, ohne_vergleich_eur: most = mindest_eur } = regel.parameter;
    const rules = await rulesPerAgent(look, regel, {
      von: localBegin(look.von, 'hour', look.zone).toInstant(),
      measure: 'max',
      // Whichever of the two an hour is held against.
      least: eurFrom(most) < eurFrom(mindest_eur) ? most : mindest_eur,
    });
    const found: Found[] = [];
    for (const each of rules) found.push(...ofRule(regel, await findIn(look, each, since)));
    return found;
  },
  trigger: false,
  reached: null,
  dayBy: () => 'fensterBeginn',
  calls: null,
};
