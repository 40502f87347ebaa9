import { MAX_NAMEN } from '#contracts';
import { PRICE_OF_CALL, someOf } from '../calls/statement.ts';
import type { CallDetector } from '../detector.ts';
import { findByDay } from './days.ts';

/** Agents of whose calls in a local day too many are nearly all reasoning. Could be saved: what that reasoning cost. */
export const denkUebermass: CallDetector<'denk_uebermass'> = {
  needsPrices: true,
  find: (look, regel) =>
    findByDay(look, regel, 'agent', (values) => {
      const { ausgabe_prozent: share, anteil_prozent: percent, mindest_aufrufe: least } = regel.parameter;
      return `
        gewertet AS NOT MATERIALIZED (SELECT *, coalesce(denk >= ${values.of(regel.schwelle, 'numeric')}
          AND denk::numeric * 100 >= ausgabe * ${values.of(share, 'integer')}, false) AS zu_viel FROM tage),
        viele AS (SELECT agent, beginn FROM gewertet GROUP BY agent, beginn
          HAVING count(*) >= ${values.of(least, 'bigint')}
            AND count(*) FILTER (WHERE zu_viel) > 0
            AND count(*) FILTER (WHERE zu_viel) * 100 >= count(*) * ${values.of(percent, 'integer')})
        SELECT a.agent AS objekt, a.agent, NULL::uuid AS lauf, a.beginn, max(a.zeitpunkt) AS ende,
          jsonb_build_object('aufrufe', count(*), 'uebermaessige', count(*) FILTER (WHERE a.zu_viel),
            'denk_token', sum(a.denk) FILTER (WHERE a.zu_viel), 'modelle', ${someOf('a.modell', MAX_NAMEN)}) AS werte,
          sum(a.kosten_eur) AS kosten_eur, NULL::numeric AS verbrannt_eur,
          sum(least(a.denk, a.ausgabe) * p.ausgabe * a.kurs) FILTER (WHERE a.zu_viel) AS potential_eur
        FROM gewertet a JOIN viele USING (agent, beginn) ${PRICE_OF_CALL}
        GROUP BY a.agent, a.beginn`;
    }),
  trigger: null,
  preselect: null,
  reach: () => 0,
  calls: null,
};
