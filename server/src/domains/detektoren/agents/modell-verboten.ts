import { MAX_LAEUFE, MAX_NAMEN } from '#contracts';
import { someOf, toLike } from '../calls/statement.ts';
import type { CallDetector } from '../detector.ts';
import { findByDay } from './days.ts';

/** As the statement has it: a name that ends with `*` stands for any rest. */
const isAllowed = (modell: string, erlaubt: readonly string[]): boolean =>
  modell === '' ||
  erlaubt.some((name) => (name.endsWith('*') ? modell.startsWith(name.slice(0, -1)) : modell === name));

/** Calls of an agent in a local day with models that are not allowed. A call that names no model is not judged. */
export const modellVerboten: CallDetector<'modell_verboten'> = {
  needsPrices: false,
  find: (look, regel) =>
    findByDay(look, regel, 'agent', (values) => {
      const { erlaubt } = regel.parameter;
      const patterns = erlaubt.map(toLike);
      return `
        verboten AS (SELECT * FROM tage WHERE modell <> '' AND modell NOT LIKE ALL(${values.of(patterns, 'text[]')}))
        SELECT agent AS objekt, agent, NULL::uuid AS lauf, beginn, max(zeitpunkt) AS ende, min(zeitpunkt) AS feuert,
          jsonb_build_object('aufrufe', count(*), 'modelle', ${someOf('modell', MAX_NAMEN)},
            'laeufe', ${someOf('lauf_id', MAX_LAEUFE)}, 'laeufe_anzahl', count(DISTINCT lauf_id)) AS werte,
          sum(kosten_eur) AS kosten_eur, NULL::numeric AS verbrannt_eur, NULL::numeric AS potential_eur
        FROM verboten GROUP BY agent, beginn`;
    }),
  trigger: ({ parameter }, { modelle }) => modelle.some((modell) => !isAllowed(modell, parameter.erlaubt)),
  preselect: null,
  reach: () => 0,
  calls: null,
};
