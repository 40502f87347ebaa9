import { MAX_NAMEN } from '#contracts';
import { someOf } from '../calls/statement.ts';
import type { CallDetector } from '../detector.ts';
import { findByDay } from './days.ts';

const REPORTED = 'gemeldet_usd * kurs';

/** Models with calls in a local day that report another cost than was counted, many times as much or a fraction. */
export const preisAbweichend: CallDetector<'preis_abweichend'> = {
  needsPrices: false,
  find: (look, regel) =>
    findByDay(look, regel, 'modell', (values) => {
      const factor = values.of(regel.schwelle, 'numeric');
      return `
        abweichend AS (SELECT * FROM tage
          WHERE ${REPORTED} > kosten_eur * ${factor} OR ${REPORTED} * ${factor} < kosten_eur)
        SELECT modell AS objekt, NULL AS agent, NULL::uuid AS lauf, beginn, max(zeitpunkt) AS ende,
          jsonb_build_object('aufrufe', count(*), 'gemeldet_eur', trim_scale(sum(${REPORTED}))::text,
            'gezaehlt_eur', trim_scale(sum(kosten_eur))::text, 'anbieter', ${someOf('anbieter', MAX_NAMEN)}, 'agenten', ${someOf('agent', MAX_NAMEN)}) AS werte,
          sum(kosten_eur) AS kosten_eur, NULL::numeric AS verbrannt_eur, NULL::numeric AS potential_eur
        FROM abweichend GROUP BY modell, beginn`;
    }),
  trigger: null,
  preselect: null,
  reach: () => 0,
  calls: null,
};
