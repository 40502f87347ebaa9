/** Pieces: what counting added, row by row. */
import { randomUUID } from 'node:crypto';
import type { WrittenPiece } from '../sums/piece.ts';
import { type Column, type Placed, type Statement, unnest } from './statement.ts';
import type { Written } from './written.ts';

interface NumberedPiece extends WrittenPiece {
  nummer: number;
}

const COLUMNS: Column<NumberedPiece>[] = [
  ['nummer', 'bigint', ({ nummer }) => nummer],
  // A default that is made by chance would have a cluster copy the rows through its coordinator.
  ['marke', 'uuid', () => randomUUID()],
  ['tag_von', 'date', ({ first }) => first],
  ['tag_bis', 'date', ({ last }) => last],
  ['anzahl', 'int', ({ rows }) => rows],
  ['daten', (out, { bytes }) => out.bytes(bytes), 'bytea'],
];

/** Adds the piece of each Mandant. */
export function addPieces(statement: Statement, parts: Written[]): void {
  const rows = parts.flatMap(({ sums, resolved, marken }, index): Placed<NumberedPiece>[] => {
    const piece = sums.piece.pack(resolved.ids);
    return piece ? [{ m: index + 1, row: { ...piece, nummer: marken + 1 } }] : [];
  });
  const names = COLUMNS.map(([name]) => name);
  statement.part(`INSERT INTO verbrauch_stuecke (mandant_id, ${names.join(', ')})
    SELECT ${statement.inserted}, ${names.map((name) => `n.${name}`).join(', ')}
    FROM ${statement.from(unnest(statement, COLUMNS, rows))}`);
}
