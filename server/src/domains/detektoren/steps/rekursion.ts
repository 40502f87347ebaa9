import { MAX_LAEUFE } from '#contracts';
import { createValues, findBy, notExcepted, receivedLive, scopeOf } from '../calls/statement.ts';
import type { RunDetector } from '../detector.ts';

/** Longer chains are read so far only. */
const LONGEST = 50;

/**
 * Runs of an agent that were begun from runs of the same agent, again and again: sub-agents that start sub-agents, a task that is handed to and
 * fro. Each run of the chain is looked up by its key, up to where a run was begun from none.
 */
export const rekursion: RunDetector<'rekursion'> = {
  needsPrices: false,
  find(look, regel) {
    const values = createValues();
    const mandant = values.of(look.mandant, 'uuid');
    const enough = values.of(regel.schwelle, 'numeric');
    const text = `WITH RECURSIVE kette AS (
        SELECT lauf_id, agent, kosten_eur, eltern_lauf AS eltern, ARRAY[lauf_id] AS laeufe, 1 AS gleiche
        FROM detektoren_laeufe l WHERE eltern_lauf IS NOT NULL AND ${scopeOf(regel, 'l', values)}
        UNION ALL
        SELECT k.lauf_id, k.agent, CASE WHEN l.kosten_eur IS NULL THEN k.kosten_eur ELSE coalesce(k.kosten_eur, 0) + l.kosten_eur END,
          l.eltern_lauf, k.laeufe || l.lauf_id, k.gleiche + CASE WHEN l.agent = k.agent THEN 1 ELSE 0 END
        FROM kette k JOIN laeufe l ON l.mandant_id = ${mandant} AND l.lauf_id = k.eltern
        WHERE k.eltern <> ALL (k.laeufe) AND cardinality(k.laeufe) < ${LONGEST}),
      ketten AS (SELECT DISTINCT ON (lauf_id) * FROM kette ORDER BY lauf_id, cardinality(laeufe) DESC)
      SELECT l.lauf_id::text AS objekt, l.agent, l.lauf_id AS lauf, l.beginn, l.ende, l.beginn AS feuert,
        (SELECT ${receivedLive} FROM detektoren_schritte a WHERE a.lauf_id = l.lauf_id) AS empfangen,
        jsonb_build_object('tiefe', k.gleiche, 'aufrufe', l.aufrufe, 'laeufe', to_jsonb(k.laeufe[1:${MAX_LAEUFE}]),
          'laeufe_anzahl', cardinality(k.laeufe)) AS werte,
        k.kosten_eur, NULL::numeric AS verbrannt_eur, NULL::numeric AS potential_eur
      FROM ketten k JOIN detektoren_laeufe l USING (lauf_id)
      WHERE k.gleiche >= ${enough} AND ${notExcepted(regel, 'k', values, null)}`;
    return findBy(look, regel, 'lauf', { text, values });
  },
  trigger: (_, { state }) => state.geleitet,
  preselect: () => ({ calls: 1, among: null, sums: () => 'l.eltern_lauf IS NOT NULL' }),
  calls: null,
};
