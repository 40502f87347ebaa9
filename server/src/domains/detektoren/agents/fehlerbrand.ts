import type { Regel } from '#domains/regeln/index.ts';
import { beginOf, callsOfLook, createValues, findBy, scopeOf, windowMinutes } from '../calls/statement.ts';
import type { CallDetector, FailuresOfMinute } from '../detector.ts';

/** Whether in the window that ends with this minute enough calls were made, and failed, whatever they cost. */
function mayBurn(regel: Regel<'fehlerbrand'>, minutes: readonly FailuresOfMinute[], last: number): boolean {
  const within = minutes.filter(({ ms }) => ms <= last && ms > last - windowMinutes(regel) * 60_000);
  const sum = (name: 'aufrufe' | 'fehler') => within.reduce((total, each) => total + each[name], 0);
  return (
    sum('aufrufe') >= regel.parameter.mindest_aufrufe &&
    sum('fehler') * 100 >= sum('aufrufe') * Number(regel.schwelle)
  );
}

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
    const { mindest_aufrufe: calls, mindest_kosten_eur: cost, mindest_fehler: failures } = regel.parameter;
    // What failed without tokens cost nothing: of an outage the number of failures tells.
    const enough = (eur: string, free: string) =>
      `(coalesce(${eur}, 0) >= ${values.of(cost, 'numeric')} OR ${free} >= ${values.of(failures, 'numeric')})`;
    // Failed calls are few: where there were not enough in any window the others need not be read.
    const text = `WITH ${callsOfLook(look, values)},
      gescheitert AS (SELECT a.agent, date_trunc('minute', a.zeitpunkt) AS minute, sum(a.kosten_eur) AS kosten,
          count(*) FILTER (WHERE coalesce(a.kosten_eur, 0) = 0) AS umsonst
        FROM aufrufe a WHERE a.ist_fehler AND ${scopeOf(regel, 'a', values)} GROUP BY 1, 2),
      genug AS MATERIALIZED (SELECT DISTINCT agent FROM (SELECT agent, sum(kosten) OVER w AS kosten, sum(umsonst) OVER w AS umsonst
          FROM gescheitert WINDOW w AS (PARTITION BY agent ORDER BY minute RANGE BETWEEN ${rest} PRECEDING AND CURRENT ROW)) AS je_fenster
        WHERE ${enough('kosten', 'umsonst')}),
      minuten AS (SELECT a.agent, date_trunc('minute', a.zeitpunkt) AS minute, max(a.zeitpunkt) AS ende, count(*) AS aufrufe,
          count(*) FILTER (WHERE a.ist_fehler) AS fehler, sum(a.kosten_eur) AS kosten,
          sum(a.kosten_eur) FILTER (WHERE a.ist_fehler) AS verbrannt,
          count(*) FILTER (WHERE a.ist_fehler AND coalesce(a.kosten_eur, 0) = 0) AS umsonst
        FROM aufrufe a JOIN genug USING (agent)
        WHERE ${scopeOf(regel, 'a', values)} GROUP BY 1, 2),
      fenster AS (SELECT *, sum(aufrufe) OVER w >= ${values.of(calls, 'numeric')}
          AND sum(fehler) OVER w * 100 >= sum(aufrufe) OVER w * ${values.of(regel.schwelle, 'numeric')}
          AND ${enough('sum(verbrannt) OVER w', 'sum(umsonst) OVER w')} AS brennt
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
  trigger: (regel, { minutes }) => minutes.some(({ ms }) => mayBurn(regel, minutes, ms)),
  preselect: null,
  reach: windowMinutes,
  calls: null,
};
