import { MAX_LAEUFE } from '#contracts';
import { createValues, findBy, receivedLive, scopeOf } from '../calls/statement.ts';
import type { RunDetector } from '../detector.ts';

/** Links of a chain of runs that are followed, and runs of trees that are added up in one look. */
const LONGEST = 50;
const MOST_RUNS = 50_000;

/**
 * The trees that the loaded runs belong to: from each up to where a run was begun from none that is known, and from there all runs below.
 * `roots`: a condition on the ids `stand` of the runs at the root.
 */
const treesOf = (mandant: string, roots: string) => `
  hinauf AS (
    SELECT lauf_id AS von, lauf_id AS stand, eltern_lauf AS eltern, ARRAY[lauf_id] AS weg FROM detektoren_laeufe WHERE eltern_lauf IS NOT NULL
    UNION ALL
    SELECT h.von, l.lauf_id, l.eltern_lauf, h.weg || l.lauf_id FROM hinauf h JOIN laeufe l ON l.mandant_id = ${mandant} AND l.lauf_id = h.eltern
    WHERE h.eltern <> ALL (h.weg) AND cardinality(h.weg) < ${LONGEST}),
  wurzeln AS (
    SELECT stand AS wurzel FROM (SELECT DISTINCT ON (von) stand FROM hinauf ORDER BY von, cardinality(weg) DESC) AS oben WHERE ${roots}
    UNION
    -- Asked for each by its key, whatever the planner thinks: of few runs it might read all that were ever begun from others.
    SELECT lauf_id FROM detektoren_laeufe d WHERE eltern_lauf IS NULL
      AND (SELECT true FROM laeufe u WHERE u.mandant_id = ${mandant} AND u.eltern_lauf = d.lauf_id LIMIT 1)),
  baum AS (
    SELECT wurzel, wurzel AS lauf_id FROM wurzeln
    UNION
    SELECT b.wurzel, l.lauf_id FROM baum b JOIN laeufe l ON l.mandant_id = ${mandant} AND l.eltern_lauf = b.lauf_id),
  glieder AS MATERIALIZED (
    SELECT g.wurzel, l.lauf_id, l.beginn, l.ende, l.aufrufe, l.unbepreist, l.kosten_eur
    FROM (SELECT * FROM baum LIMIT ${MOST_RUNS}) AS g JOIN laeufe l ON l.mandant_id = ${mandant} AND l.lauf_id = g.lauf_id)`;

/**
 * Runs that have come, with all that was begun from them, to more than they may: their cost, or how many they are. The finding is about the run
 * at the root, whichever of them has just called.
 */
export const baumDeckel: RunDetector<'baum_deckel'> = {
  needsPrices: false,
  find(look, regel) {
    const values = createValues();
    const mandant = values.of(look.mandant, 'uuid');
    const most = values.of(regel.schwelle, 'numeric');
    const isMoney = regel.einheit === 'eur';
    // When the tree came to more: with the end of the run that did it, or the beginning of one too many.
    const [at, total] = isMoney ? ['ende', 'sum(kosten_eur)'] : ['beginn', 'count(*)'];
    const feuert = `(SELECT min(p.${at}) FROM (SELECT ${at}, ${total} OVER (ORDER BY ${at}, lauf_id) AS bisher FROM glieder WHERE wurzel = l.lauf_id) AS p
      WHERE p.bisher > ${most})`;
    // Looking back each run belongs to the day on which it ended, and a tree to that of its root.
    const roots = look.istRueckblick ? 'stand IN (SELECT lauf_id FROM detektoren_laeufe)' : 'true';
    const text = `WITH RECURSIVE ${treesOf(mandant, roots)},
      summen AS (
        SELECT wurzel, count(*) AS anzahl, sum(aufrufe)::bigint AS aufrufe, sum(unbepreist)::bigint AS unbepreist, sum(kosten_eur) AS kosten_eur,
          max(ende) AS ende, to_jsonb((array_agg(lauf_id ORDER BY beginn, lauf_id))[1:${MAX_LAEUFE}]) AS laeufe
        FROM glieder GROUP BY wurzel HAVING count(*) > 1)
      SELECT l.lauf_id::text AS objekt, l.agent, l.lauf_id AS lauf, l.beginn, s.ende,
        ${look.istRueckblick ? feuert : 'NULL::timestamptz'} AS feuert,
        (SELECT ${receivedLive} FROM detektoren_schritte a WHERE a.lauf_id IN (SELECT g.lauf_id FROM glieder g WHERE g.wurzel = l.lauf_id)) AS empfangen,
        jsonb_build_object('laeufe', s.laeufe, 'laeufe_anzahl', s.anzahl, 'aufrufe', s.aufrufe, 'unbepreist', s.unbepreist,
          'schwelle', trim_scale(${most})::text, 'einheit', ${values.of(regel.einheit, 'text')}) AS werte,
        s.kosten_eur, NULL::numeric AS verbrannt_eur, NULL::numeric AS potential_eur
      FROM summen s JOIN laeufe l ON l.mandant_id = ${mandant} AND l.lauf_id = s.wurzel
      WHERE ${isMoney ? 's.kosten_eur' : 's.anzahl'} > ${most} AND ${scopeOf(regel, 'l', values)}`;
    return findBy(look, regel, 'lauf', { text, values });
  },
  // Of the runs of a tree, all but the one at its root.
  trigger: (_, { state }) => state.geleitet,
  preselect: () => ({
    calls: 1,
    among: null,
    sums: () =>
      '(l.eltern_lauf IS NOT NULL OR EXISTS (SELECT FROM laeufe u WHERE u.mandant_id = l.mandant_id AND u.eltern_lauf = l.lauf_id))',
  }),
  calls: null,
};
