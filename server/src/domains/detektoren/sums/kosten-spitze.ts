import type { Found } from '../candidate.ts';
import { asRule, type SumDetector, scopeObject } from '../detector.ts';
import { isoOf, localBegin } from '../local-time.ts';
import { readSeries } from './series.ts';
import { spikeOf } from './spitze.ts';

/**
 * Hours that cost far more than the same local hour of the weeks before; an hour without calls cost nothing. Weeks from before the
 * first call of all are no weeks.
 */
export const kostenSpitze: SumDetector<'kosten_spitze'> = {
  needsPrices: false,
  async find(look, regel) {
    const { client, mandant, zone } = look;
    const { wochen, mindest_tage } = regel.parameter;
    const { rows } = await client.query<{ daten_von: string | null }>(
      'SELECT daten_von FROM zaehlstaende WHERE mandant_id = $1',
      [mandant],
    );
    const since = rows[0]?.daten_von;
    if (!since) return [];
    const first = localBegin(look.von, 'hour', zone);
    const von = isoOf(first.subtract({ weeks: wochen }));
    const sums = await readSeries(look, regel, 'stunde', { von, bis: isoOf(look.bis) });
    const costs = new Map(sums.map((hour) => [hour.beginn, hour.kosten_eur]));
    return sums.flatMap((hour): Found[] => {
      const begin = Temporal.Instant.from(hour.beginn).toZonedDateTimeISO(zone);
      if (Temporal.ZonedDateTime.compare(begin, first) < 0) return [];
      if (Temporal.Instant.compare(begin.subtract({ days: mindest_tage }).toInstant(), since) < 0) return [];
      const weeks = Array.from({ length: wochen }, (_, week) => begin.subtract({ weeks: week + 1 })).filter(
        (at) => Temporal.Instant.compare(at.toInstant(), since) >= 0,
      );
      const others = weeks.map((at) => costs.get(isoOf(at)) ?? '0');
      const { mindest_eur, z } = regel.parameter;
      const spike = spikeOf(hour.kosten_eur, others, { schwelle: regel.schwelle ?? '0', mindest_eur, z });
      if (!spike) return [];
      return [
        {
          regel: asRule(regel),
          ...scopeObject(regel),
          lauf: null,
          fensterBeginn: hour.beginn,
          feuertAm: isoOf(begin.add({ hours: 1 })),
          werte: {
            wert_eur: hour.kosten_eur,
            median_eur: spike.median,
            z: spike.z,
            wochen: others.length,
            aufrufe: Number(hour.aufrufe),
          },
          kostenEur: hour.kosten_eur,
          verbranntEur: null,
          potentialEur: null,
        },
      ];
    });
  },
  trigger: false,
  dayBy: () => 'fensterBeginn',
  calls: null,
};
