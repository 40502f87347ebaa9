import { MAX_LAEUFE } from '#contracts';
import { calledBefore, calledSince } from '#domains/laeufe/index.ts';
import type { Regel } from '#domains/regeln/index.ts';
import { bits, CALL_COLUMNS } from '../calls/columns.ts';
import { overCalls } from '../calls/over-calls.ts';
import { createValues, findBy, notExcepted, receivedLive, scopeOf, type Values } from '../calls/statement.ts';
import { MAX_CANDIDATES, type RunDetector } from '../detector.ts';

/** Links of chains that are followed in one look, those to the latest runs first. */
const MOST_LINKS = 20_000;
/** Longer runs have got further than a restart does: nobody reads them to compare their beginning. */
const MOST_CALLS = 1_000;
/** Of an agent that begins more runs than these within the pause, the latest are looked at. */
const MOST_BEFORE = 50;
/** A run is compared when the last of its steps that must be the same has just come, or several with it. */
const AT_ONCE = 5;

/** How a run `alias` begins and ends, by its calls: what must be the same, and whether its last call is no answer. */
const planOf = (alias: string, mandant: string, steps: string) => `
  SELECT (array_agg(c.prompt ORDER BY c.platz) FILTER (WHERE NOT c.failed))[1] AS prompt,
    (array_agg(c.werkzeug ORDER BY c.platz) FILTER (WHERE NOT c.failed))[1:${steps}] AS werkzeuge,
    (array_agg(coalesce(c.schritt_nr, c.platz) ORDER BY c.platz) FILTER (WHERE NOT c.failed))[1:${steps}] AS schritte,
    (array_agg(c.zeitpunkt ORDER BY c.platz) FILTER (WHERE NOT c.failed))[${steps}] AS soweit,
    (array_agg(c.funktion_ref ORDER BY c.platz) FILTER (WHERE NOT c.failed))[1] AS funktion_ref,
    (array_agg(c.benutzer_ref ORDER BY c.platz) FILTER (WHERE NOT c.failed))[1] AS benutzer_ref,
    (array_agg(c.ist_fehler OR NOT c.failed AND (c.werkzeug IS NOT NULL OR c.werkzeuge > 0) ORDER BY c.platz DESC))[1] AS ohne_antwort
  FROM (SELECT ${CALL_COLUMNS}, e.benutzer_ref, row_number() OVER (ORDER BY e.schritt_nr, e.zeitpunkt, e.ereignis_id) AS platz FROM ereignisse e
    WHERE e.mandant_id = ${mandant} AND e.lauf_id = ${alias}.lauf_id AND e.zeitpunkt BETWEEN ${alias}.beginn AND ${alias}.ende) AS c`;

/** Whether a run `v`, by its sums, ended just before an instant and may be what was begun anew then. */
function justBefore(beginn: string, { parameter }: Regel<'neustart'>, values: Values): string {
  const since = `${beginn} - ${values.of(parameter.pause_sekunden, 'integer')} * interval '1 second'`;
  return `${calledSince(since, 'v.')} AND ${calledBefore(beginn, 'v.')}
    AND v.aufrufe BETWEEN ${values.of(parameter.gleiche_schritte, 'bigint')} AND ${MOST_CALLS}`;
}

/** Begun whole minutes apart, to the second: by a clock. */
const byClock = (one: string, other: string) => `mod(extract(epoch FROM ${one} - ${other}) + 1, 60) <= 2`;

/**
 * Runs of an agent that begin with the same prompt and the same tools in turn as the one that has just ended without an answer, again and
 * again: a plan that its caller starts anew each time it has got nowhere. Each run before is looked up among those of the agent that ended just
 * then. One that is begun by a clock, for others, or side by side is none.
 */
export const neustart: RunDetector<'neustart'> = {
  needsPrices: false,
  find(look, regel) {
    const values = createValues();
    const mandant = values.of(look.mandant, 'uuid');
    const steps = values.of(regel.parameter.gleiche_schritte, 'integer');
    const before = (run: string, beginn: string) => `
      SELECT v.* FROM laeufe v WHERE v.mandant_id = ${mandant} AND v.agent = ${run}.agent AND ${justBefore(beginn, regel, values)}
        AND v.endkunde_ref IS NOT DISTINCT FROM ${run}.endkunde_ref AND v.lauf_id <> ${run}.lauf_id
      ORDER BY v.ende_minute DESC, v.ende DESC, v.lauf_id LIMIT ${MOST_BEFORE}`;
    const text = `WITH RECURSIVE anfaenge AS MATERIALIZED (
        SELECT l.*, s.prompt, s.werkzeuge FROM detektoren_laeufe l
        JOIN (SELECT a.lauf_id, min(a.prompt) FILTER (WHERE a.erfolg_nr = 1) AS prompt, array_agg(a.werkzeug ORDER BY a.erfolg_nr) AS werkzeuge
          FROM detektoren_schritte a WHERE a.erfolg_nr <= ${steps} GROUP BY a.lauf_id HAVING count(a.werkzeug) = ${steps}) AS s USING (lauf_id)
        WHERE s.prompt IS NOT NULL AND l.aufrufe <= ${MOST_CALLS} AND ${scopeOf(regel, 'l', values)}),
      paare AS MATERIALIZED (
        SELECT a.lauf_id, a.prompt, a.werkzeuge, v.lauf_id AS vor, v.beginn, v.ende FROM anfaenge a CROSS JOIN LATERAL (${before('a', 'a.beginn')}) AS v),
      -- Each of them is read once, whichever runs come after it.
      vorige AS MATERIALIZED (
        SELECT v.lauf_id, p.prompt, p.werkzeuge, p.ohne_antwort
        FROM (SELECT DISTINCT vor AS lauf_id, beginn, ende FROM paare) AS v CROSS JOIN LATERAL (${planOf('v', mandant, steps)}) AS p),
      verdacht AS MATERIALIZED (
        SELECT DISTINCT a.lauf_id FROM paare a JOIN vorige v ON v.lauf_id = a.vor
        WHERE v.ohne_antwort AND ${bits('v.prompt')} = a.prompt AND v.werkzeuge = a.werkzeuge),
      plaene AS MATERIALIZED (
        SELECT l.lauf_id, l.agent, l.endkunde_ref, l.beginn, l.ende, l.aufrufe, l.kosten_eur,
          p.prompt, p.werkzeuge, p.schritte, p.soweit, p.benutzer_ref
        FROM (SELECT l.* FROM verdacht JOIN detektoren_laeufe l USING (lauf_id) ORDER BY l.beginn DESC LIMIT ${MAX_CANDIDATES}) AS l
        CROSS JOIN LATERAL (SELECT l.agent, p.* FROM (${planOf('l', mandant, steps)}) AS p) AS p
        WHERE ${notExcepted(regel, 'p', values)}),
      -- The run before each, once, whichever runs lead to it.
      glieder AS (
        SELECT NULL::uuid AS nach, lauf_id, agent, endkunde_ref, prompt, werkzeuge, benutzer_ref, beginn, kosten_eur FROM plaene
        UNION
        SELECT g.lauf_id, v.lauf_id, g.agent, g.endkunde_ref, g.prompt, g.werkzeuge, g.benutzer_ref, v.beginn, v.kosten_eur
        FROM glieder g CROSS JOIN LATERAL (
          SELECT d.*, p.ohne_antwort FROM (${before('g', 'g.beginn')}) AS d
          CROSS JOIN LATERAL (${planOf('d', mandant, steps)}) AS p
          WHERE p.prompt = g.prompt AND p.werkzeuge = g.werkzeuge AND p.benutzer_ref IS NOT DISTINCT FROM g.benutzer_ref
          -- As they come: none is read after the first that is the same.
          ORDER BY d.ende_minute DESC, d.ende DESC, d.lauf_id LIMIT 1) AS v
        WHERE v.ohne_antwort AND NOT ${byClock('g.beginn', 'v.beginn')}),
      wege AS MATERIALIZED (SELECT nach, lauf_id, kosten_eur FROM glieder LIMIT ${MOST_LINKS}),
      kette AS (
        SELECT lauf_id, lauf_id AS stand, kosten_eur, ARRAY[lauf_id] AS laeufe FROM wege WHERE nach IS NULL
        UNION ALL
        SELECT k.lauf_id, w.lauf_id, CASE WHEN w.kosten_eur IS NULL THEN k.kosten_eur ELSE coalesce(k.kosten_eur, 0) + w.kosten_eur END,
          k.laeufe || w.lauf_id
        FROM kette k JOIN wege w ON w.nach = k.stand WHERE cardinality(k.laeufe) < ${MAX_LAEUFE}),
      ketten AS (SELECT DISTINCT ON (lauf_id) lauf_id, laeufe, kosten_eur FROM kette ORDER BY lauf_id, cardinality(laeufe) DESC)
      SELECT l.lauf_id::text AS objekt, l.agent, l.lauf_id AS lauf, l.beginn, l.ende, l.soweit AS feuert,
        (SELECT ${receivedLive} FROM detektoren_schritte a WHERE a.lauf_id = l.lauf_id) AS empfangen,
        jsonb_build_object('laeufe', to_jsonb(k.laeufe), 'laeufe_anzahl', cardinality(k.laeufe), 'schritte', to_jsonb(l.schritte),
          'anzahl', cardinality(l.schritte), 'aufrufe', l.aufrufe) AS werte,
        k.kosten_eur, NULL::numeric AS verbrannt_eur, NULL::numeric AS potential_eur
      FROM ketten k JOIN plaene l USING (lauf_id) WHERE cardinality(k.laeufe) >= ${values.of(regel.schwelle, 'numeric')}`;
    return overCalls(look, () => findBy(look, regel, 'lauf', { text, values }));
  },
  trigger: (
    { parameter: { gleiche_schritte, pause_sekunden } },
    { succeeded, state: { calls, failed }, mayBeAnew },
  ) => {
    const more = calls - failed - gleiche_schritte;
    if (more < 0 || more >= AT_ONCE) return false;
    return (
      succeeded.slice(0, succeeded.length - more).every(({ werkzeug }) => werkzeug !== null) &&
      mayBeAnew(gleiche_schritte, pause_sekunden)
    );
  },
  preselect: (regel) => ({
    calls: regel.parameter.gleiche_schritte,
    among: (values) =>
      `SELECT lauf_id FROM c GROUP BY lauf_id HAVING count(werkzeug) >= ${values.of(regel.parameter.gleiche_schritte, 'integer')}`,
    sums: (
      values,
    ) => `EXISTS (SELECT FROM laeufe v WHERE v.mandant_id = l.mandant_id AND v.agent = l.agent AND v.lauf_id <> l.lauf_id
      AND ${justBefore('l.beginn', regel, values)})`,
  }),
  calls: null,
};
