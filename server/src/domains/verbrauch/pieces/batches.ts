/** Pieces that are read together. */

/** Batches of pieces in their order, each up to a most of rows; a larger piece is a batch alone. */
export function* batchesOf<Piece extends { anzahl: number }>(
  pieces: readonly Piece[],
  most: number,
): Generator<Piece[]> {
  let batch: Piece[] = [];
  let rows = 0;
  for (const piece of pieces) {
    if (batch.length > 0 && rows + piece.anzahl > most) {
      yield batch;
      [batch, rows] = [[], 0];
    }
    batch.push(piece);
    rows += piece.anzahl;
  }
  if (batch.length > 0) yield batch;
}
