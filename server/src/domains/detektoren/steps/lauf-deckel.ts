import { createValues, findBy, scopeOf } from '../calls/statement.ts';
import type { Detector } from '../detector.ts';

/** Runs with more calls, or cost, than they may have: by the sums of the run, whenever it began. */
export const laufDeckel: Detector<'lauf_deckel'> = {
  needs: 'aufrufe',
  find(look, regel) {
    const values = createValues();
    const measure = regel.einheit === 'eur' ? 'l.kosten_eur' : 'l.aufrufe';
    const most = values.of(regel.schwelle, 'numeric');
    const text = `SELECT l.lauf_id::text AS objekt, l.agent, l.lauf_id AS lauf, l.beginn, l.ende,
        jsonb_build_object('aufrufe', l.aufrufe, 'fehler', l.fehler, 'unbepreist', l.unbepreist,
          'schwelle', trim_scale(${most})::text, 'einheit', ${values.of(regel.einheit, 'text')}) AS werte,
        l.kosten_eur, NULL::numeric AS verbrannt_eur, NULL::numeric AS potential_eur
      FROM detektoren_laeufe l WHERE ${measure} > ${most} AND ${scopeOf(regel, 'l', values)}`;
    return findBy(look, regel, 'lauf', { text, values });
  },
};
