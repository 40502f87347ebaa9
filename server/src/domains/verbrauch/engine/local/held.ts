/** What the local copy holds: pieces by Mandant and mark. */
import type { DuckDBConnection } from '@duckdb/node-api';
import { columnsIn, type LocalColumn } from './tables.ts';

export interface HeldPiece {
  stueck: number;
  marke: string;
  /** Minutes since 1970 of its first hour, and of the one after its last. */
  von: number;
  bis: number;
  anzahl: number;
  /** Which columns it has (`columnsIn`). */
  spalten: bigint;
}

interface Kept extends HeldPiece {
  /** When a question last named it. */
  named: number;
}

interface Holder {
  nummer: number;
  pieces: Map<string, Kept>;
  asked: number;
  /** Questions under way. */
  busy: number;
}

/** Pieces that a question names, and what beside them is in its window. */
export interface Named {
  mandant: number;
  left: number[];
  present: Set<LocalColumn>;
}

export class Held {
  readonly #holders = new Map<string, Holder>();
  #last = { nummer: 0, stueck: 0 };

  static async read(connection: DuckDBConnection): Promise<Held> {
    const held = new Held();
    const rows = await (await connection.run('SELECT * FROM stuecke')).getRowObjects();
    for (const { mandant, mandant_id, ...piece } of rows) {
      const holder = held.#holder(String(mandant_id), Number(mandant));
      holder.pieces.set(String(piece.marke), { ...(piece as unknown as HeldPiece), named: Date.now() });
      held.#last.stueck = Math.max(held.#last.stueck, Number(piece.stueck));
    }
    return held;
  }

  #holder(mandant: string, nummer = this.#last.nummer + 1): Holder {
    const known = this.#holders.get(mandant);
    if (known) return known;
    this.#last.nummer = Math.max(this.#last.nummer, nummer);
    const holder = { nummer, pieces: new Map(), asked: Date.now(), busy: 0 };
    this.#holders.set(mandant, holder);
    return holder;
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

  add(mandant: string, piece: HeldPiece): void {
    this.#holder(mandant).pieces.set(piece.marke, { ...piece, named: Date.now() });
  }

  /** Those of these pieces that are not there. */
  missing(mandant: string, marken: readonly string[]): string[] {
    const pieces = this.#holders.get(mandant)?.pieces;
    return pieces ? marken.filter((marke) => !pieces.has(marke)) : [...marken];
  }

  /** What a question needs to know of pieces that are all there. */
  name(mandant: string, marken: readonly string[], { von, bis }: { von: number; bis: number }): Named {
    const holder = this.#holder(mandant);
    const now = Date.now();
    holder.asked = now;
    let spalten = 0n;
    const named = new Set<Kept>();
    for (const marke of marken) {
      const piece = holder.pieces.get(marke) as Kept;
      piece.named = now;
      spalten |= piece.spalten;
      named.add(piece);
    }
    const left = [...holder.pieces.values()].filter(
      (piece) => piece.von < bis && piece.bis > von && !named.has(piece),
    );
    return { mandant: holder.nummer, left: left.map(({ stueck }) => stueck), present: columnsIn(spalten) };
  }

  /** While it works, nothing of the Mandant is removed. */
  async during<T>(mandant: string, work: () => Promise<T>): Promise<T> {
    const holder = this.#holder(mandant);
    holder.busy += 1;
    try {
      return await work();
    } finally {
      holder.busy -= 1;
    }
  }

  get rows(): number {
    return [...this.#holders.values()].reduce((sum, { pieces }) => sum + rowsOf(pieces.values()), 0);
  }

  /** Takes out what nobody has named for so long (milliseconds), and returns it by the number of its Mandant. */
  takeUnnamed(since: number): Map<number, number[]> {
    return this.#take(({ pieces }) => [...pieces.values()].filter(({ named }) => named < Date.now() - since));
  }

  /** Takes out everything of those Mandanten that were asked longest ago, until at most so many rows are left. */
  takeLongestAgo(rows: number): Map<number, number[]> {
    let left = this.rows;
    const oldest = [...this.#holders.values()].toSorted((a, b) => a.asked - b.asked);
    const chosen = new Set<Holder>();
    for (const holder of oldest) {
      if (left <= rows || holder.busy > 0) continue;
      chosen.add(holder);
      left -= rowsOf(holder.pieces.values());
    }
    return this.#take((holder) => (chosen.has(holder) ? [...holder.pieces.values()] : []));
  }

  #take(choose: (holder: Holder) => Kept[]): Map<number, number[]> {
    const taken = new Map<number, number[]>();
    for (const [mandant, holder] of this.#holders) {
      if (holder.busy > 0) continue;
      const chosen = choose(holder);
      for (const { marke } of chosen) holder.pieces.delete(marke);
      if (chosen.length > 0)
        taken.set(
          holder.nummer,
          chosen.map(({ stueck }) => stueck),
        );
      if (holder.pieces.size === 0) this.#holders.delete(mandant);
    }
    return taken;
  }
}

const rowsOf = (pieces: Iterable<HeldPiece>): number => {
  let rows = 0;
  for (const { anzahl } of pieces) rows += anzahl;
  return rows;
};
