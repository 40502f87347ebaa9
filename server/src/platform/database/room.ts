/** How many rows of a table a Mandant has, where there is a most of them. */
import { sql } from 'kysely';
import { type AppError, conflict } from '#kernel/errors.ts';
import type { Sentence } from '#kernel/sentence.ts';
import type { MandantTx } from './request-database.ts';
import type { Tables } from './schema/tables.ts';

/** What a Mandant may have at most of something that users put in. */
export interface Most {
  table: keyof Tables;
  most: number;
  /** What they are called, in the plural. */
  what: Sentence;
}

const full = ({ most, what }: Most): AppError =>
  conflict('hoechstzahl_erreicht', {
    de: `Mehr als ${most} ${what.de} sind nicht möglich.`,
    en: `There can be no more than ${most} ${what.en}.`,
  });

/** Throws 409 `hoechstzahl_erreicht` where there is no room for this number more. */
export async function requireRoomFor(tx: MandantTx, most: Most, more = 1): Promise<void> {
  if (more === 0) return;
  const { rows } = await sql<{ count: number }>`SELECT count(*)::int AS count
    FROM (SELECT 1 FROM ${sql.table(most.table)} WHERE mandant_id = ${tx.mandant}::uuid LIMIT ${most.most}) AS there`.execute(
    tx,
  );
  if ((rows[0]?.count ?? 0) + more > most.most) throw full(most);
}
