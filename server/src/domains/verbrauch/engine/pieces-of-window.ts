/** The pieces that a snapshot has of a window, and their bytes. */
import { sql } from 'kysely';
import type { Window } from '#kernel/zeitraum.ts';
import type { MandantTx } from '#platform/database/index.ts';

export interface Piece {
  nummer: string;
  marke: string;
  anzahl: number;
}

/** All pieces that may have calls of the window. */
export async function readPieces(tx: MandantTx, { von, bis }: Window): Promise<Piece[]> {
  const { rows } = await sql<Piece>`
    SELECT nummer::text, marke::text, anzahl FROM verbrauch_stuecke
    WHERE mandant_id = ${tx.mandant} AND tag_bis >= ${von.toPlainDate().toString()}::date
      AND tag_von <= ${bis.toPlainDate().toString()}::date`.execute(tx);
  return rows;
}

/** The bytes of some of them. */
export async function readBytes(
  tx: MandantTx,
  pieces: readonly Piece[],
): Promise<{ marke: string; daten: Buffer }[]> {
  const { rows } = await sql<{ marke: string; daten: Buffer }>`
    SELECT marke::text, daten FROM verbrauch_stuecke
    WHERE mandant_id = ${tx.mandant} AND nummer = ANY(${pieces.map(({ nummer }) => nummer)}::bigint[])`.execute(
    tx,
  );
  return rows;
}
