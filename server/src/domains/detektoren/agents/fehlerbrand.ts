import { beginOf, callsOfLook, createValues, findBy, scopeOf, windowMinutes } from '../calls/statement.ts';
import type { CallDetector } from '../detector.ts';

/**
 * Windows (whole minutes, one ending with each) in which too many calls of an agent failed. A finding is about the calls of all
 * such windows in a local hour; hours before which less than a window was loaded are left out.
 */
export const fehlerbrand: CallDetector<'fehlerbrand'> = {
  needsPrices: false,
  find(look, regel) {
    const values = createValues();
    const rest = `(${values.of(windowMinutes(regel), 'integer')} - 1) * interval '1 minute'`;
    const hour = beginOf('hour', 'minute', values.of(look.zone, 'text'));
    const { mindest_aufrufe: calls, mindest_kosten_eur: cost } = regel.parameter;
    const least = values.of(cost, 'numeric');
    // Failed calls are few: where they did not burn enough in any window the others need not be read.
    const text = `WITH ${callsOfLook(look, values)},
      gescheitert AS (SELECT a.agent, date_trunc('minute', a.zeitpunkt) AS minute, sum(a.kosten_eur) AS kosten
        FROM aufrufe a WHERE a.failed AND ${scopeOf(regel, 'a', values)} GROUP BY 1, 2),
      teuer AS MATERIALIZED (SELECT DISTINCT agent FROM (SELECT agent, coalesce(sum(kosten) OVER (PARTITION BY agent ORDER BY minute
          RANGE BETWEEN ${rest} PRECEDING AND CURRENT ROW), 0) AS kosten FROM gescheitert) AS je_fenster
        WHERE kosten >= ${least}),
      minuten AS (SELECT a.agent, date_trunc('minute', a.zeitpunkt) AS minute, max(a.zeitpunkt) AS ende, count(*) AS aufrufe,
          count(*) FILTER (WHERE a.failed) AS fehler, sum(a.kosten_eur) AS kosten,
          sum(a.kosten_eur) FILTER (WHERE a.failed) AS verbrannt
        FROM aufrufe a JOIN teuer USING (agent)
        WHERE ${scopeOf(regel, 'a', values)} GROUP BY 1, 2),
      fenster AS (SELECT *, sum(aufrufe) OVER w >= ${values.of(calls, 'numeric')}
          AND sum(fehler) OVER w * 100 >= sum(aufrufe) OVER w * ${values.of(regel.schwelle, 'numeric')}
          AND coalesce(sum(verbrannt) OVER w, 0) >= ${least} AS brennt
        FROM minuten WINDOW w AS (PARTITION BY agent ORDER BY minute RANGE BETWEEN ${rest} PRECEDING AND CURRENT ROW)),
      betroffen AS (SELECT *, bool_or(brennt) OVER (PARTITION BY agent ORDER BY minute
        RANGE BETWEEN CURRENT ROW AND ${rest} FOLLOWING) AS im_brand FROM fenster)
      SELECT agent AS objekt, agent, NULL::uuid AS lauf, ${hour} AS beginn, max(ende) AS ende,
        min(ende) FILTER (WHERE brennt) AS feuert,
        jsonb_build_object('aufrufe', sum(aufrufe), 'fehler', sum(fehler)) AS werte,
        sum(kosten) AS kosten_eur, sum(verbrannt) AS verbrannt_eur, NULL::numeric AS potential_eur
      FROM betroffen WHERE im_brand AND ${hour} > ${values.of(look.von.toString(), 'timestamptz')} + ${rest}
      GROUP BY agent, ${hour}`;
    return findBy(look, regel, 'agent', { text, values });
  },
  preselect: null,
  reach: windowMinutes,
  calls: null,
};
