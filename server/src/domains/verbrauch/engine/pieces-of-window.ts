/** The pieces that a snapshot has of some windows, and their bytes. */
import { sql } from 'kysely';
import type { Window } from '#kernel/zeitraum.ts';
import type { MandantTx } from '#platform/database/index.ts';
import type { PackedPiece } from './messages.ts';

export interface Piece {
  nummer: string;
  marke: string;
  anzahl: number;
}

/** All pieces that may have calls of one of the windows. */
export async function choosePieces(tx: MandantTx, windows: readonly Window[]): Promise<Piece[]> {
  const days = (end: keyof Window) => windows.map((window) => window[end].toPlainDate().toString());
  const { rows } = await sql<Piece>`
    SELECT nummer::text, marke::text, anzahl FROM verbrauch_stuecke
    WHERE mandant_id = ${tx.mandant}
      AND EXISTS (SELECT FROM unnest(${days('von')}::date[], ${days('bis')}::date[]) AS w (von, bis) WHERE tag_bis >= w.von AND tag_von <= w.bis)`.execute(
    tx,
  );
  return rows;
}

/** The bytes of some of them. */
export async function readBytes(tx: MandantTx, pieces: readonly Piece[]): Promise<PackedPiece[]> {
  const { rows } = await sql<PackedPiece>`
    SELECT marke::text, daten FROM verbrauch_stuecke
    WHERE mandant_id = ${tx.mandant} AND nummer = ANY(${pieces.map(({ nummer }) => nummer)}::bigint[])`.execute(
    tx,
  );
  return rows;
}
