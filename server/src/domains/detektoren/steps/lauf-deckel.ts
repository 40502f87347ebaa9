import { createValues, findBy, receivedLive, scopeOf } from '../calls/statement.ts';
import type { RunDetector } from '../detector.ts';

/** When a run passed what it may have: what it came to without the calls after. Of the calls that were loaded. */
const passedAt = (value: string, addend: string, most: string) => `
  (SELECT min(d.zeitpunkt) FROM (
    SELECT a.zeitpunkt, ${value} - coalesce(sum(${addend}) OVER (ORDER BY a.zeitpunkt DESC, a.nr DESC
      ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS wert
    FROM detektoren_schritte a WHERE a.lauf_id = l.lauf_id) AS d WHERE d.wert > ${most})`;

/** Runs with more calls, or cost, than they may have: by the sums of the run, whenever it began. */
export const laufDeckel: RunDetector<'lauf_deckel'> = {
  needsPrices: false,
  find(look, regel) {
    const values = createValues();
    const [measure, addend] = regel.einheit === 'eur' ? ['l.kosten_eur', 'a.kosten_eur'] : ['l.aufrufe', '1'];
    const most = values.of(regel.schwelle, 'numeric');
    const feuert = look.istRueckblick ? passedAt(measure, addend, most) : 'NULL::timestamptz';
    const text = `SELECT l.lauf_id::text AS objekt, l.agent, l.lauf_id AS lauf, l.beginn, l.ende, ${feuert} AS feuert,
        (SELECT ${receivedLive} FROM detektoren_schritte a WHERE a.lauf_id = l.lauf_id) AS empfangen,
        jsonb_build_object('aufrufe', l.aufrufe, 'fehler', l.fehler, 'unbepreist', l.unbepreist,
          'schwelle', trim_scale(${most})::text, 'einheit', ${values.of(regel.einheit, 'text')}) AS werte,
        l.kosten_eur, NULL::numeric AS verbrannt_eur, NULL::numeric AS potential_eur
      FROM detektoren_laeufe l WHERE ${measure} > ${most} AND ${scopeOf(regel, 'l', values)}`;
    return findBy(look, regel, 'lauf', { text, values });
  },
  trigger: ({ schwelle, einheit }, { aufrufe, eur }) =>
    einheit === 'eur' ? eur >= Number(schwelle) : aufrufe > Number(schwelle),
  preselect: ({ einheit, schwelle }) => ({
    calls: 1,
    among: null,
    sums: (values) =>
      `${einheit === 'eur' ? 'l.kosten_eur' : 'l.aufrufe'} > ${values.of(schwelle, 'numeric')}`,
  }),
  calls: null,
};
