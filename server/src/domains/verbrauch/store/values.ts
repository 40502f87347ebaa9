/** The numbers that sums have instead of the texts of values. */
import { type RawBuilder, sql } from 'kysely';
import { type AnyDimensionName, numberOfDimension } from '#contracts';
import type { MandantTx } from '#platform/database/index.ts';

/** The texts of values, by their numbers. */
export async function readTexts(tx: MandantTx, merkmale: readonly number[]): Promise<Map<number, string>> {
  if (merkmale.length === 0) return new Map();
  const { rows } = await sql<{ merkmal_id: number; text: string }>`
    SELECT merkmal_id, text FROM merkmale WHERE mandant_id = ${tx.mandant} AND merkmal_id = ANY(${merkmale}::int[])`.execute(
    tx,
  );
  return new Map(rows.map(({ merkmal_id, text }) => [merkmal_id, text]));
}

/** SELECT of the texts (as `schluessel`) of values with these numbers. */
export const selectTexts = (tx: MandantTx, merkmale: readonly number[]): RawBuilder<unknown> => sql`
  SELECT text AS schluessel FROM merkmale
  WHERE mandant_id = ${tx.mandant} AND merkmal_id = ANY(${merkmale}::int[])`;

/** The numbers of a dimension's values that any call ever had, by their texts. */
export async function readNumbers(
  tx: MandantTx,
  by: AnyDimensionName,
  texts: readonly string[],
): Promise<number[]> {
  const { rows } = await sql<{ merkmal_id: number }>`
    SELECT merkmal_id FROM merkmale WHERE mandant_id = ${tx.mandant}
      AND dimension = ${sql.lit(numberOfDimension(by))} AND text = ANY(${texts}::text[])`.execute(tx);
  return rows.map(({ merkmal_id }) => merkmal_id);
}
