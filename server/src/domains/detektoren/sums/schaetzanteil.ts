import { Decimal } from 'decimal.js';
import { asRule, type SumDetector, scopeObject } from '../detector.ts';
import { isoOf, localBegin } from '../local-time.ts';
import { readSeries } from './series.ts';

/** Hours in which too many calls have estimated counts. */
export const schaetzanteil: SumDetector<'schaetzanteil'> = {
  needsPrices: false,
  async find(look, regel) {
    const von = isoOf(localBegin(look.von, 'hour', look.zone));
    const hours = await readSeries(look, regel, 'stunde', { von, bis: isoOf(look.bis) });
    return (hours ?? [])
      .filter(({ aufrufe }) => Number(aufrufe) >= regel.parameter.mindest_aufrufe)
      .filter(({ aufrufe, geschaetzt }) =>
        new Decimal(geschaetzt).mul(100).gt(new Decimal(aufrufe).mul(regel.schwelle ?? '0')),
      )
      .map(({ beginn, aufrufe, geschaetzt, unbepreist, kosten_eur }) => ({
        regel: asRule(regel),
        ...scopeObject(regel),
        lauf: null,
        fensterBeginn: beginn,
        werte: {
          aufrufe: Number(aufrufe),
          geschaetzt: Number(geschaetzt),
          bis: isoOf(Temporal.Instant.from(beginn).toZonedDateTimeISO(look.zone).add({ hours: 1 })),
        },
        kostenEur: BigInt(aufrufe) > BigInt(unbepreist) ? kosten_eur : null,
        verbranntEur: null,
        potentialEur: null,
      }));
  },
  trigger: false,
  reached: null,
  dayBy: () => 'fensterBeginn',
  calls: null,
};
