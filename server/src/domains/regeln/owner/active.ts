/** The rules that are to be looked at, of any Mandanten. Runs as the owner. */
import type pg from 'pg';
import { fromRow, type RegelRow, type RegelVon } from '../regel.ts';

const ACTIVE = `SELECT mandant_id, regel_id, name, typ, geltungsbereich, bezug, trim_scale(schwelle)::text AS schwelle, einheit, stufe,
    zeitfenster, schattenbetrieb, parameter
  FROM regeln WHERE mandant_id = ANY($1::uuid[]) AND aktiv ORDER BY mandant_id, regel_id`;

/** The active rules of these Mandanten, by Mandant; one without any is not in it. */
export async function readActiveRules(
  client: Pick<pg.ClientBase, 'query'>,
  mandanten: string[],
): Promise<Map<string, RegelVon[]>> {
  const { rows } = await client.query<RegelRow & { mandant_id: string }>({
    name: 'aktive_regeln',
    text: ACTIVE,
    values: [mandanten],
  });
  const rules = rows.flatMap(({ mandant_id: mandant, ...row }) => {
    const regel = fromRow(row);
    return regel ? [{ mandant, regel }] : [];
  });
  return new Map(
    Map.groupBy(rules, ({ mandant }) => mandant)
      .entries()
      .map(([mandant, of]) => [mandant, of.map(({ regel }) => regel)]),
  );
}
