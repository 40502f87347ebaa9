/** SQL of the search for runs: what a text names, and which runs are of it. */
import { type RawBuilder, sql } from 'kysely';
import type { MandantTx } from '#platform/database/index.ts';
import { containing } from '../search-pattern.ts';

/** What a text may mean: keys of agents, references of end customers, and the first and the last id that begins with it. */
export interface Named {
  agent: string[];
  endkunde_ref: string[];
  ids: [string, string] | null;
}

const HEX = /^[0-9a-f]{1,32}$/;

/** Null for what no id begins with. */
function idsWith(prefix: string): Named['ids'] {
  const digits = prefix.toLowerCase().replaceAll('-', '');
  return HEX.test(digits) ? [digits.padEnd(32, '0'), digits.padEnd(32, 'f')] : null;
}

/** What the text names: looked up where each value stands once, not in every run. */
export async function readNamed(tx: MandantTx, suche: string): Promise<Named> {
  const pattern = containing(suche);
  const matches = (key: string) => sql`(${sql.ref(key)} ~ ${pattern} OR name COLLATE "C" ~ ${pattern})`;
  const { rows } = await sql<{ agent: string | null; endkunde_ref: string | null }>`
    SELECT schluessel AS agent, NULL AS endkunde_ref FROM agenten WHERE mandant_id = ${tx.mandant} AND ${matches('schluessel')}
    UNION ALL
    SELECT NULL, referenz FROM endkunden WHERE mandant_id = ${tx.mandant} AND ${matches('referenz')}`.execute(
    tx,
  );
  return {
    agent: rows.flatMap(({ agent }) => agent ?? []),
    endkunde_ref: rows.flatMap(({ endkunde_ref }) => endkunde_ref ?? []),
    ids: idsWith(suche),
  };
}

/** A list of runs: which, in which order, those of equal rank included, and how many at most. */
export interface Wanted {
  condition: RawBuilder<boolean>;
  order: RawBuilder<unknown>;
  limit: number;
}

type Column = 'agent' | 'endkunde_ref';

const within = ([first, last]: [string, string]) => sql`lauf_id BETWEEN ${first}::uuid AND ${last}::uuid`;

/** Ids of the first runs that meet a further condition, with what a list by time is in order of. */
const firstWith = (tx: MandantTx, { condition, order, limit }: Wanted, further: RawBuilder<unknown>) => sql`
  (SELECT lauf_id, ende_minute, ende FROM laeufe WHERE mandant_id = ${tx.mandant} AND ${further} AND ${condition}
   ORDER BY ${order} LIMIT ${limit})`;

/**
 * The first runs of many values, in the order of their ends. The first run of each value costs one look into the index that begins with
 * it; only values whose first runs are among the first of all can have one.
 */
function firstByEnd(tx: MandantTx, wanted: Wanted, column: Column, values: string[]) {
  const of = (value: RawBuilder<unknown>) => sql`${sql.ref(`laeufe.${column}`)} = ${value}`;
  return sql`
    (SELECT f.lauf_id, f.ende_minute, f.ende FROM (
       SELECT w.wert FROM unnest(${values}::text[]) AS w (wert)
       CROSS JOIN LATERAL ${firstWith(tx, { ...wanted, limit: 1 }, of(sql`w.wert`))} AS laeufe
       ORDER BY ${wanted.order} LIMIT ${wanted.limit}) AS v
     CROSS JOIN LATERAL ${firstWith(tx, wanted, of(sql`v.wert`))} AS f)`;
}

/**
 * Ids of all runs that a list of what is named can begin with, and of some others: what each meaning has by itself, each by its own index.
 * One condition of all of them would be asked of every run.
 */
export function foundByIndex(
  tx: MandantTx,
  wanted: Wanted,
  named: Named,
  byEnd: boolean,
): RawBuilder<unknown> {
  const ofValues = (column: Column) =>
    byEnd
      ? firstByEnd(tx, wanted, column, named[column])
      : firstWith(tx, wanted, sql`${sql.ref(`laeufe.${column}`)} = ANY (${named[column]}::text[])`);
  const parts = [
    named.agent.length > 0 && ofValues('agent'),
    named.endkunde_ref.length > 0 && ofValues('endkunde_ref'),
    named.ids && firstWith(tx, wanted, within(named.ids)),
  ].filter((part) => part !== false && part !== null);
  return sql`SELECT lauf_id FROM (${sql.join(parts, sql` UNION ALL `)}) AS gefunden`;
}

/** Runs that are looked at one after the other before an index is asked. */
const NEAR = 5_000;

/**
 * Ids of those among the first runs of a list, as far as `NEAR`, that are of what is named: what many runs are of is there, and has
 * too many values or ids to look for each.
 */
export function foundNear(
  tx: MandantTx,
  wanted: Wanted,
  named: Named,
  inTime: RawBuilder<boolean>,
): RawBuilder<unknown> {
  const { condition, order, limit } = wanted;
  const meanings = [
    sql`agent = ANY (${named.agent}::text[])`,
    sql`endkunde_ref = ANY (${named.endkunde_ref}::text[])`,
    ...(named.ids ? [within(named.ids)] : []),
  ];
  return sql`
    SELECT lauf_id FROM (
      SELECT * FROM laeufe WHERE mandant_id = ${tx.mandant} AND ${inTime} ORDER BY ${order} LIMIT ${NEAR}) AS laeufe
    WHERE (${sql.join(meanings, sql` OR `)}) AND ${condition} ORDER BY ${order} LIMIT ${limit}`;
}

/** Whether the text means nothing that a run could be of. */
export const isNothing = ({ agent, endkunde_ref, ids }: Named): boolean =>
  agent.length === 0 && endkunde_ref.length === 0 && ids === null;
