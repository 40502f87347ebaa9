/**
 * Which runs a rule may say anything of, by what is cheap to ask: never too narrow. What is found is up to the detector, which then
 * reads the steps of those runs in their order.
 */
import type { DetectedType } from '#contracts';
import type { Regel } from '#domains/regeln/index.ts';
import { CALL_COLUMNS } from '../calls/columns.ts';
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

const REASONS: { [T in RunType]: (regel: Regel<T>) => Reason } = {
  schleife_exakt: ({ schwelle }) => ({
    calls: Number(schwelle),
    among: (
      values,
    ) => `SELECT lauf_id FROM c WHERE prompt IS NOT NULL GROUP BY lauf_id, prompt, werkzeug, modell
      HAVING count(*) >= ${values.of(schwelle, 'numeric')}`,
  }),
  schleife_nah: ({ schwelle }) => ({
    calls: Number(schwelle),
    among: (values) => `SELECT lauf_id FROM c WHERE prompt IS NOT NULL GROUP BY lauf_id, werkzeug
      HAVING count(*) >= ${values.of(schwelle, 'numeric')}`,
  }),
  // Each of the two tools as often as there are cycles.
  pingpong: ({ schwelle }) => ({
    calls: 2 * Number(schwelle),
    among: (
      values,
    ) => `SELECT lauf_id FROM (SELECT lauf_id FROM c WHERE werkzeug IS NOT NULL GROUP BY lauf_id, werkzeug
      HAVING count(*) >= ${values.of(schwelle, 'numeric')}) AS oft GROUP BY lauf_id HAVING count(*) >= 2`,
  }),
  lauf_deckel: ({ einheit, schwelle }) => ({
    calls: 1,
    among: null,
    sums: (values) =>
      `${einheit === 'eur' ? 'l.kosten_eur' : 'l.aufrufe'} > ${values.of(schwelle, 'numeric')}`,
  }),
  kontextwachstum: ({ parameter }) => ({
    calls: parameter.mindest_schritte,
    among: (values) => `SELECT lauf_id FROM c GROUP BY lauf_id
      HAVING max(eingabe) >= min(eingabe)::numeric * ${values.of(parameter.faktor, 'integer')}`,
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
