/**
 * Which runs a rule may say anything of, by what is cheap to ask: never too narrow. What is found is up to the detector, which then
 * reads the steps of those runs in their order.
 */
import type { DetectedType } from '#contracts';
import type { Regel } from '#domains/regeln/index.ts';
import { bits, CALL_COLUMNS } from '../calls/columns.ts';
import { createValues, scopeOf, type Values } from '../calls/statement.ts';
import type { Look } from '../detector.ts';

type RunType =
  | 'schleife_exakt'
  | 'schleife_nah'
  | 'pingpong'
  | 'lauf_deckel'
  | 'kontextwachstum'
  | 'cache_verlust'
  | 'ausgabe_explosion';

interface Reason {
  /** Fewest calls of a run. */
  calls: number;
  /**
   * Runs by calls `c` of theirs, those of the day: `SELECT lauf_id FROM c …`. Null where the sums of the run say all. Runs that began
   * before the day are looked at in any case.
   */
  among: ((values: Values) => string) | null;
  /** A condition on sums `l` of the run. */
  sums?: (values: Values) => string;
}

/** Steps with the same tools that are compared with one another; their pairs grow with the square. */
const MOST_COMPARED = 64;

/**
 * Least range of the input of a run whose regression rises by so much a step: of n steps within a range R it rises by no more than
 * 1.5 · R · n / (n² − 1), which a step function in the middle reaches.
 */
const leastRange = (slope: string | null, steps: number): number =>
  Math.floor((Number(slope) * (steps * steps - 1)) / (1.5 * steps));

const REASONS: { [T in RunType]: (regel: Regel<T>) => Reason } = {
  // Fingerprints as they lie: to make numbers of them takes longer than to compare them.
  schleife_exakt: ({ schwelle }) => ({
    calls: Number(schwelle),
    among: (values) => `SELECT lauf_id FROM c WHERE prompt IS NOT NULL
      GROUP BY lauf_id, prompt, werkzeug, modell HAVING count(*) >= ${values.of(schwelle, 'numeric')}`,
  }),
  // Of steps with the same tools, one that enough others resemble; many steps are left to the detector.
  schleife_nah: ({ schwelle, parameter }) => ({
    calls: Number(schwelle),
    among: (values) => {
      const enough = values.of(schwelle, 'numeric');
      return `SELECT lauf_id FROM (SELECT lauf_id, array_agg(${bits('prompt')}) AS prompts FROM c WHERE prompt IS NOT NULL
          GROUP BY lauf_id, werkzeug HAVING count(*) >= ${enough}) AS gleiche
        WHERE cardinality(prompts) > ${MOST_COMPARED} OR EXISTS (
          SELECT FROM unnest(prompts) AS i CROSS JOIN unnest(prompts) AS j
          WHERE bit_count((i # j)::bit(64)) <= ${values.of(parameter.abstand, 'integer')} GROUP BY i HAVING count(*) >= ${enough})`;
    },
  }),
  pingpong: ({ schwelle }) => ({
    calls: 2 * Number(schwelle),
    among: (values) => `SELECT lauf_id FROM (
        SELECT lauf_id, werkzeug = lag(werkzeug, 2) OVER w
          AND werkzeug <> lag(werkzeug) OVER w AS pendelt
        FROM c WINDOW w AS (PARTITION BY lauf_id ORDER BY schritt_nr, zeitpunkt, ereignis_id)) AS schritte
      WHERE pendelt GROUP BY lauf_id HAVING count(*) + 2 >= 2 * ${values.of(schwelle, 'numeric')}`,
  }),
  lauf_deckel: ({ einheit, schwelle }) => ({
    calls: 1,
    among: null,
    sums: (values) =>
      `${einheit === 'eur' ? 'l.kosten_eur' : 'l.aufrufe'} > ${values.of(schwelle, 'numeric')}`,
  }),
  kontextwachstum: ({ schwelle, parameter }) => ({
    calls: parameter.mindest_schritte,
    among: (values) => `SELECT lauf_id FROM c GROUP BY lauf_id
      HAVING max(eingabe) >= min(eingabe)::numeric * ${values.of(parameter.faktor, 'integer')}
        AND max(eingabe) - min(eingabe) >= ${values.of(leastRange(schwelle, parameter.mindest_schritte), 'bigint')}`,
  }),
  cache_verlust: ({ schwelle, parameter }) => ({
    calls: 2,
    among: (
      values,
    ) => `SELECT lauf_id FROM c WHERE eingabe >= ${values.of(parameter.mindest_eingabe, 'bigint')}
      AND (eingabe - lese)::numeric * 100 > eingabe * ${values.of(schwelle, 'numeric')}`,
  }),
  ausgabe_explosion: ({ schwelle, parameter }) => ({
    calls: 1,
    among: (values) => `SELECT lauf_id FROM c WHERE ausgabe > ${values.of(schwelle, 'numeric')}
      AND ausgabe > eingabe::numeric * ${values.of(parameter.faktor, 'integer')}`,
  }),
};

/** Whether rules of a type are about runs. */
export const isAboutRuns = (typ: DetectedType): typ is RunType => Object.hasOwn(REASONS, typ);

/** Prompts (fingerprints, hexadecimal) of as many calls of the look as a duplicate has runs at least. */
export async function findRepeated(look: Look, regel: Regel<'duplikat'>): Promise<string[]> {
  const values = createValues();
  const { rows } = await look.client.query<{ prompt: string }>(
    `SELECT encode(e.prompt_fingerabdruck, 'hex') AS prompt FROM ereignisse e
     WHERE e.mandant_id = ${values.of(look.mandant, 'uuid')} AND e.zeitpunkt >= ${values.of(look.von.toString(), 'timestamptz')}
       AND e.zeitpunkt < ${values.of(look.bis.toString(), 'timestamptz')} AND e.lauf_id IS NOT NULL
       AND e.prompt_fingerabdruck IS NOT NULL AND ${scopeOf(regel, 'e', values)}
     GROUP BY e.prompt_fingerabdruck HAVING count(*) >= ${values.of(regel.schwelle, 'numeric')}`,
    values.all,
  );
  return rows.map(({ prompt }) => prompt);
}

/** Ids of the runs that ended within the look and of which the rule may say something; each ends on one day. */
export async function chooseRuns(look: Look, regel: Regel<RunType>): Promise<string[]> {
  const { calls, among, sums } = (REASONS[regel.typ] as (regel: Regel) => Reason)(regel);
  const values = createValues();
  const [mandant, von, bis] = [
    values.of(look.mandant, 'uuid'),
    values.of(look.von.toString(), 'timestamptz'),
    values.of(look.bis.toString(), 'timestamptz'),
  ];
  const laeufe = `laeufe AS MATERIALIZED (SELECT l.lauf_id, l.beginn FROM laeufe l
    WHERE l.mandant_id = ${mandant} AND l.ende >= ${von} AND l.ende < ${bis} AND l.aufrufe >= ${values.of(calls, 'bigint')}
      AND ${scopeOf(regel, 'l', values)} ${sums ? `AND ${sums(values)}` : ''})`;
  const text = among
    ? `WITH ${laeufe}, c AS NOT MATERIALIZED (SELECT ${CALL_COLUMNS} FROM ereignisse e
        WHERE e.mandant_id = ${mandant} AND e.zeitpunkt >= ${von} AND e.zeitpunkt < ${bis} AND e.lauf_id IS NOT NULL)
      SELECT lauf_id FROM laeufe WHERE beginn < ${von} OR lauf_id IN (${among(values)})`
    : `WITH ${laeufe} SELECT lauf_id FROM laeufe`;
  const { rows } = await look.client.query<{ lauf_id: string }>(text, values.all);
  return rows.map(({ lauf_id }) => lauf_id);
}
