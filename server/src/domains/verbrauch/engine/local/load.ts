/** Rows of pieces into the tables of the local copy. */
import type { DuckDBConnection } from '@duckdb/node-api';
import { addUpDays, fitInSums } from './days.ts';
import type { HeldPiece, HeldPieces } from './held-pieces.ts';
import { type KeptRows, keptFrom } from './kept-rows.ts';
import { COLUMNS } from './tables.ts';
import { inTransaction } from './transaction.ts';
import type { PieceFacts, UnpackedPiece } from './unpacked-pieces.ts';

/** Notes which pieces are in the tables. */
async function notePieces(
  connection: DuckDBConnection,
  mandant: { nummer: number; id: string },
  pieces: readonly (PieceFacts & { stueck: number })[],
): Promise<void> {
  const appender = await connection.createAppender('stuecke');
  for (const { stueck, marke, von, bis, anzahl, spalten } of pieces) {
    for (const number of [stueck, mandant.nummer]) appender.appendInteger(number);
    for (const text of [mandant.id, marke]) appender.appendVarchar(text);
    for (const number of [von, bis, anzahl]) appender.appendInteger(number);
    appender.appendBigInt(spalten);
    appender.endRow();
  }
  appender.closeSync();
}

/** Puts pieces into the tables, all or none, and leaves out those that are there. Days of those with `addedUpFrom` rows or more are added up. */
export async function loadPieces(
  connection: DuckDBConnection,
  held: HeldPieces,
  kept: KeptRows,
  { mandant, pieces }: { mandant: string; pieces: readonly UnpackedPiece[] },
  addedUpFrom: number,
): Promise<void> {
  const fresh = pieces.filter(({ marke }) => !held.has(mandant, marke));
  if (fresh.length === 0) return;
  const nummer = held.numberOf(mandant);
  const numbered = fresh.map((piece) => ({ ...piece, stueck: held.nextPiece() }));
  const number = kept.keep(numbered);
  const written = await inTransaction(connection, async () => {
    for (const table of ['rufe', 'besonders'] as const)
      if (numbered.some(({ rows }) => rows[table].count > 0))
        await connection.run(
          `INSERT INTO ${table} SELECT ${nummer}, stueck, ${COLUMNS[table].join(', ')} ${keptFrom(number, table)}`,
        );
    await notePieces(connection, { nummer, id: mandant }, numbered);
    const complete: HeldPiece[] = [];
    for (const { rows, ...piece } of numbered) {
      const isAddedUp = piece.anzahl >= addedUpFrom && fitInSums(rows);
      complete.push({ ...piece, tage: isAddedUp ? await addUpDays(connection, nummer, piece) : [] });
    }
    return complete;
  }).finally(() => kept.forget(number));
  for (const piece of written) held.add(mandant, piece);
}
