/** What the local copy holds: pieces by Mandant and mark. */
import type { DuckDBConnection } from '@duckdb/node-api';
import type { PieceColumn } from '../../pieces/columns.ts';
import type { AskMessage } from '../messages.ts';
import type { SumsQuestion } from '../question.ts';
import { type AskedDays, daysIn, type HeldDay, readDays } from './days.ts';
import { columnsIn } from './tables.ts';
import type { PieceFacts, UnpackedPiece } from './unpacked-pieces.ts';

export interface HeldPiece extends PieceFacts {
  stueck: number;
  /** Its days, where they are added up. */
  tage: readonly HeldDay[];
}

interface Kept extends HeldPiece {
  /** When a question last named it; milliseconds. */
  named: number;
  /** Since when questions about its window do not name it: it was put together with others, or taken back. */
  passedOver: number | null;
}

interface Holder {
  nummer: number;
  pieces: Map<string, Kept>;
  /** Those that are not in the file yet. */
  unwritten: Map<string, UnpackedPiece>;
}

/** Pieces that a question names, and what beside them is in its window. */
export interface NamedPieces {
  mandant: number;
  left: number[];
  newest: number;
  present: Set<PieceColumn>;
  days: AskedDays;
  /** Those with calls of its window that are not in the file yet. */
  unwritten: UnpackedPiece[];
}

/** Numbers of pieces by the number of their Mandant. */
export type TakenPieces = Map<number, number[]>;

export class HeldPieces {
  readonly #holders = new Map<string, Holder>();
  #last = { nummer: 0, stueck: 0 };
  /** The number of the last piece that is there: one that is written has a higher one. */
  #newest = 0;
  #rows = 0;

  static async read(connection: DuckDBConnection): Promise<HeldPieces> {
    const held = new HeldPieces();
    const rows = await (await connection.run('SELECT * FROM stuecke')).getRowObjects();
    const days = await readDays(connection);
    for (const { mandant, mandant_id, ...piece } of rows) {
      const { stueck } = piece as unknown as HeldPiece;
      const read = { ...(piece as unknown as HeldPiece), tage: days.get(stueck) ?? [] };
      held.#holder(String(mandant_id), Number(mandant));
      held.add(String(mandant_id), read);
      held.#last.stueck = Math.max(held.#last.stueck, read.stueck);
    }
    return held;
  }

  #holder(mandant: string, nummer = this.#last.nummer + 1): Holder {
    const known = this.#holders.get(mandant);
    if (known) return known;
    this.#last.nummer = Math.max(this.#last.nummer, nummer);
    const holder = { nummer, pieces: new Map(), unwritten: new Map() };
    this.#holders.set(mandant, holder);
    return holder;
  }

  /** Rows of all pieces. */
  get rows(): number {
    return this.#rows;
  }

  /** The number of a Mandant in the tables. */
  numberOf(mandant: string): number {
    return this.#holder(mandant).nummer;
  }

  nextPiece(): number {
    this.#last.stueck += 1;
    return this.#last.stueck;
  }

  has(mandant: string, marke: string): boolean {
    return this.#holders.get(mandant)?.pieces.has(marke) ?? false;
  }

  /** Takes up pieces that are not in the file yet. */
  await(mandant: string, pieces: readonly UnpackedPiece[]): void {
    const holder = this.#holder(mandant);
    for (const piece of pieces) if (!holder.pieces.has(piece.marke)) holder.unwritten.set(piece.marke, piece);
  }

  /** All that are not in the file yet. */
  get unwritten(): { mandant: string; pieces: UnpackedPiece[] }[] {
    const all = [...this.#holders].map(([mandant, { unwritten }]) => ({
      mandant,
      pieces: [...unwritten.values()],
    }));
    return all.filter(({ pieces }) => pieces.length > 0);
  }

  /** Forgets those of these pieces that are not in the file. */
  forget(mandant: string, pieces: readonly UnpackedPiece[]): void {
    for (const { marke } of pieces) this.#holder(mandant).unwritten.delete(marke);
  }

  add(mandant: string, piece: HeldPiece): void {
    const { pieces, unwritten } = this.#holder(mandant);
    unwritten.delete(piece.marke);
    pieces.set(piece.marke, { ...piece, named: Date.now(), passedOver: null });
    this.#rows += piece.anzahl;
    this.#newest = Math.max(this.#newest, piece.stueck);
  }

  /** Those of these pieces that are not there. */
  missing(mandant: string, marken: readonly string[]): string[] {
    const holder = this.#holders.get(mandant);
    return marken.filter((marke) => !holder?.pieces.has(marke) && !holder?.unwritten.has(marke));
  }

  /** What one of the questions needs to know of pieces that are all there. */
  name(
    { mandant, marken }: Pick<AskMessage, 'mandant' | 'marken'>,
    { von, bis }: Pick<SumsQuestion, 'von' | 'bis'>,
  ): NamedPieces {
    const { nummer, pieces, unwritten } = this.#holder(mandant);
    const now = Date.now();
    const isInWindow = (piece: Pick<HeldPiece, 'von' | 'bis'>) => piece.von < bis && piece.bis > von;
    const named = new Set(marken.flatMap((marke) => pieces.get(marke) ?? []));
    const others = marken.flatMap((marke) => unwritten.get(marke) ?? []).filter(isInWindow);
    let spalten = others.reduce((all, piece) => all | piece.spalten, 0n);
    for (const piece of named) {
      Object.assign(piece, { named: now, passedOver: null });
      spalten |= piece.spalten;
    }
    const left = [...pieces.values()].filter((piece) => isInWindow(piece) && !named.has(piece));
    for (const piece of left) piece.passedOver ??= now;
    return {
      mandant: nummer,
      left: left.map(({ stueck }) => stueck),
      newest: this.#newest,
      present: columnsIn(spalten),
      days: daysIn(named, { von, bis }),
      unwritten: others,
    };
  }

  /** Takes out those that were passed over for so long; milliseconds. */
  takePassedOver(since: number): TakenPieces {
    const before = Date.now() - since;
    return this.#take(({ passedOver }) => passedOver !== null && passedOver < before);
  }

  /** Takes out rows of those that were named longest ago, and longer ago than `since`; milliseconds. */
  takeUnnamed(rows: number, since: number): TakenPieces {
    const before = Date.now() - since;
    const oldest = [...this.#holders.values()]
      .flatMap(({ pieces }) => [...pieces.values()])
      .filter(({ named }) => named < before)
      .sort((a, b) => a.named - b.named);
    const chosen = new Set<Kept>();
    let left = rows;
    for (const piece of oldest) {
      if (left <= 0) break;
      chosen.add(piece);
      left -= piece.anzahl;
    }
    return this.#take((piece) => chosen.has(piece));
  }

  #take(isChosen: (piece: Kept) => boolean): TakenPieces {
    const taken: TakenPieces = new Map();
    for (const { nummer, pieces } of this.#holders.values()) {
      const chosen = [...pieces.values()].filter(isChosen);
      for (const { marke, anzahl } of chosen) {
        pieces.delete(marke);
        this.#rows -= anzahl;
      }
      if (chosen.length > 0)
        taken.set(
          nummer,
          chosen.map(({ stueck }) => stueck),
        );
    }
    return taken;
  }
}
