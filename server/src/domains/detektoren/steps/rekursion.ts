import { MAX_LAEUFE } from '#contracts';
import { PARENT_RUN } from '#domains/ereignisse/index.ts';
import { createValues, findBy, notExcepted, receivedLive, scopeOf } from '../calls/statement.ts';
import type { RunDetector } from '../detector.ts';

/** Longer chains are read so far only. */
const LONGEST = 50;

/** Which run one was begun from: what the first of the calls with which it began names. By its row of `laeufe`. */
const PARENT_OF = (run: string, mandant: string) => `(SELECT ${PARENT_RUN} FROM ereignisse e
  WHERE e.mandant_id = ${mandant} AND e.zeitpunkt = ${run}.beginn AND e.lauf_id = ${run}.lauf_id AND ${PARENT_RUN} IS NOT NULL
  ORDER BY e.ereignis_id LIMIT 1)`;

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
    const text = `WITH RECURSIVE geleitet AS (
        SELECT l.*, (SELECT a.eltern_lauf FROM detektoren_schritte a WHERE a.lauf_id = l.lauf_id AND a.zeitpunkt = l.beginn
            AND a.eltern_lauf IS NOT NULL ORDER BY a.ereignis_id LIMIT 1) AS eltern
        FROM detektoren_laeufe l JOIN (SELECT DISTINCT lauf_id FROM detektoren_schritte WHERE eltern_lauf IS NOT NULL) AS s USING (lauf_id)
        WHERE ${scopeOf(regel, 'l', values)}),
      kette AS (
        SELECT lauf_id, agent, kosten_eur, eltern, ARRAY[lauf_id] AS laeufe, 1 AS gleiche FROM geleitet
        UNION ALL
        SELECT k.lauf_id, k.agent, CASE WHEN l.kosten_eur IS NULL THEN k.kosten_eur ELSE coalesce(k.kosten_eur, 0) + l.kosten_eur END,
          ${PARENT_OF('l', mandant)}, k.laeufe || l.lauf_id, k.gleiche + CASE WHEN l.agent = k.agent THEN 1 ELSE 0 END
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
  preselect: () => ({
    calls: 1,
    among: () => 'SELECT lauf_id FROM c WHERE eltern_lauf IS NOT NULL',
    sums: null,
  }),
  calls: null,
};
