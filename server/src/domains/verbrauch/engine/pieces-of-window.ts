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

/** What questions are answered by. */
export interface ChosenPieces {
  pieces: Piece[];
  /** Of which dimensions those of sums are for each question, as a packed piece says it. */
  dimensionen: string[];
}

/** All pieces that may have calls of one of the windows. Throws InvalidInput where sums of one do not tell apart what is asked. */
export async function choosePieces(
  tx: MandantTx,
  questions: readonly (AskedApart & { window: Window })[],
): Promise<ChosenPieces> {
  for (const { window, by, filters } of questions) await requireToldApart(tx, window, { by, filters });
  const dimensionen = questions.map((question) => dimensionsOf(question).map(numberOfDimension).join());
  const days = (end: keyof Window) => questions.map(({ window }) => window[end].toPlainDate().toString());
  const { rows } = await sql<Piece>`
    SELECT nummer::text, marke::text, anzahl FROM verbrauch_stuecke
    WHERE mandant_id = ${tx.mandant}
      AND EXISTS (SELECT FROM unnest(${days('von')}::date[], ${days('bis')}::date[]) AS w (von, bis) WHERE tag_bis >= w.von AND tag_von <= w.bis)
      AND (dimensionen IS NULL OR array_to_string(dimensionen, ',') = ANY(${dimensionen}::text[]))`.execute(
    tx,
  );
  return { pieces: rows, dimensionen };
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
