import { MAX_LAEUFE, MAX_NAMEN } from '#contracts';
import type { Regel } from '#domains/regeln/index.ts';
import {
  beginOf,
  callsOfLook,
  createValues,
  findBy,
  notExcepted,
  scopeOf,
  someOf,
  type Values,
  windowMinutes,
} from '../calls/statement.ts';
import type { CallDetector, Look } from '../detector.ts';

/** Pauses that grow by so much are a sender's that waits longer from time to time. */
const BACKING_OFF = 1.4;

/** Parts of a WITH of which `stuermisch` has the impatient attempts, those `im_sturm` among them; and which of these are told. */
function storms(look: Look, regel: Regel<'wiederholsturm'>, values: Values) {
  const others = values.of(Number(regel.schwelle) - 1, 'integer');
  const window = `${values.of(windowMinutes(regel), 'integer')} * interval '1 minute'`;
  const pause = `${values.of(regel.parameter.pause_sekunden, 'integer')} * interval '1 second'`;
  const hour = beginOf('hour', 's.zeitpunkt', values.of(look.zone, 'text'));
  return {
    ctes: `${callsOfLook(look, values)},
      gescheitert AS (SELECT a.*, a.zeitpunkt - lag(a.zeitpunkt) OVER w AS seit, lag(a.zeitpunkt) OVER w - lag(a.zeitpunkt, 2) OVER w AS davor,
          greatest(a.latenz, lag(a.latenz) OVER w) * interval '1 millisecond' AS dauer
        FROM aufrufe a
        WHERE a.ist_fehler AND a.prompt IS NOT NULL AND ${scopeOf(regel, 'a', values)} AND ${notExcepted(regel, 'a', values)}
        WINDOW w AS (PARTITION BY a.agent, a.modell, a.prompt ORDER BY a.zeitpunkt, a.ereignis_id)),
      ungeduldig AS (SELECT * FROM gescheitert WHERE seit - dauer <= ${pause} AND seit <= davor * ${BACKING_OFF}),
      dicht AS (SELECT *, zeitpunkt - lag(zeitpunkt, ${others}) OVER w <= ${window} AS dicht FROM ungeduldig
        WINDOW w AS (PARTITION BY agent, modell, prompt ORDER BY zeitpunkt, ereignis_id)),
      stuermisch AS (SELECT *, bool_or(dicht) OVER (PARTITION BY agent, modell, prompt ORDER BY zeitpunkt, ereignis_id
        ROWS BETWEEN CURRENT ROW AND ${others} FOLLOWING) AS im_sturm FROM dicht)`,
    hour,
    told: `s.im_sturm AND ${hour} >= ${values.of(look.von.toString(), 'timestamptz')} + ${window}`,
  };
}

/**
 * Calls that fail again although the one before, with the same prompt, agent and model, has just failed, enough of them within one
 * window. Who waits longer from time to time (as providers ask for) does what is right, and the first attempts are anybody's. A finding is
 * about those of an agent in a local hour, so that it stays the same while a storm goes on, and whatever comes late. Hours before which
 * less than a window was loaded are left out.
 */
export const wiederholsturm: CallDetector<'wiederholsturm'> = {
  needsPrices: false,
  find(look, regel) {
    const values = createValues();
    const { ctes, hour, told } = storms(look, regel, values);
    const text = `WITH ${ctes}
      SELECT s.agent AS objekt, s.agent, NULL::uuid AS lauf, ${hour} AS beginn, max(s.zeitpunkt) AS ende,
        min(s.zeitpunkt) FILTER (WHERE s.dicht) AS feuert,
        jsonb_build_object('aufrufe', count(*), 'prompts', count(DISTINCT s.prompt), 'modelle', ${someOf('s.modell', MAX_NAMEN)},
          'laeufe', ${someOf('s.lauf_id', MAX_LAEUFE)}, 'laeufe_anzahl', count(DISTINCT s.lauf_id)) AS werte,
        sum(s.kosten_eur) AS kosten_eur, sum(s.kosten_eur) AS verbrannt_eur, NULL::numeric AS potential_eur
      FROM stuermisch s WHERE ${told}
      GROUP BY s.agent, ${hour}`;
    return findBy(look, regel, 'agent', { text, values });
  },
  trigger: ({ schwelle }, { minutes }) =>
    minutes.reduce((sum, { fehler }) => sum + fehler, 0) >= Number(schwelle),
  preselect: null,
  reach: windowMinutes,
  calls(look, regel) {
    const values = createValues();
    const { ctes, hour, told } = storms(look, regel, values);
    const text = `WITH ${ctes}
      SELECT s.agent AS objekt, ${hour} AS beginn, s.ereignis_id, s.zeitpunkt, s.agent, s.kosten_eur, s.kosten_eur AS eur
      FROM stuermisch s WHERE ${told}`;
    return { text, values: values.all };
  },
};
