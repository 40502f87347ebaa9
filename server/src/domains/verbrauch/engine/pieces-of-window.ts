/**
 * The pieces that a snapshot has of a window, and their bytes. Those of calls are in every answer. Of the same sums there are several,
 * each of other dimensions, of which a question takes those that it names: nothing else chooses among pieces.
 */
import { sql } from 'kysely';
import { numberOfDimension } from '#contracts';
import type { Window } from '#kernel/zeitraum.ts';
import type { MandantTx } from '#platform/database/index.ts';
import type { PackedPiece } from './messages.ts';
import { type AskedApart, dimensionsOf, requireToldApart } from './told-apart.ts';

export interface Piece {
  nummer: string;
  marke: string;
  anzahl: number;
}

/** What a question is answered by. */
export interface ChosenPieces {
  pieces: Piece[];
  /** Of which dimensions those of sums are, as a packed piece says it. */
  dimensionen: string;
}

/** All pieces that may have calls of the window. Throws InvalidInput where sums of it do not tell apart what is asked. */
export async function choosePieces(
  tx: MandantTx,
  window: Window,
  { by, filters }: AskedApart,
): Promise<ChosenPieces> {
  const asked = { by, filters };
  await requireToldApart(tx, window, asked);
  const dimensionen = dimensionsOf(asked).map(numberOfDimension);
  const { rows } = await sql<Piece>`
    SELECT nummer::text, marke::text, anzahl FROM verbrauch_stuecke
    WHERE mandant_id = ${tx.mandant} AND tag_bis >= ${window.von.toPlainDate().toString()}::date
      AND tag_von <= ${window.bis.toPlainDate().toString()}::date
      AND (dimensionen IS NULL OR dimensionen = ${dimensionen}::smallint[])`.execute(tx);
  return { pieces: rows, dimensionen: dimensionen.join() };
}

/** The bytes of some of them. */
export async function readBytes(tx: MandantTx, pieces: readonly Piece[]): Promise<PackedPiece[]> {
  const { rows } = await sql<PackedPiece>`
    SELECT marke::text, array_to_string(dimensionen, ',') AS dimensionen, daten FROM verbrauch_stuecke
    WHERE mandant_id = ${tx.mandant} AND nummer = ANY(${pieces.map(({ nummer }) => nummer)}::bigint[])`.execute(
    tx,
  );
  return rows;
}
