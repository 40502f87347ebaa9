/** What keeps the local copy small and quick. */
import type { DuckDBConnection } from '@duckdb/node-api';
import type { HeldPieces, TakenPieces } from './held-pieces.ts';
import { FileUnsure, inTransaction } from './transaction.ts';

/** Loads until the file is put in order: each leaves rows that are not packed, which questions read slowly and memory holds. */
const LOADS = 100;
/** Nobody asks for a snapshot longer; milliseconds. */
const SNAPSHOT = 15 * 60_000;
/** What nobody has asked for so long goes, as that of a Mandant does who is not there any more; milliseconds. */
const FORGOTTEN = 7 * 24 * 3_600_000;
/** A question that has named a piece has read it by then, or been given up; milliseconds. */
const READ = 30_000;
/** What the file is brought down to once it has grown beyond its bound. */
const KEPT = 0.75;

export class Upkeep {
  #loads = 0;
  readonly #connection: DuckDBConnection;
  readonly #held: HeldPieces;
  readonly #bytes: number;

  /** `bytes`: what the file should not grow beyond. */
  constructor(connection: DuckDBConnection, held: HeldPieces, bytes: number) {
    this.#connection = connection;
    this.#held = held;
    this.#bytes = bytes;
  }

  /** To be called after each load, while none is under way. */
  async afterLoad(): Promise<void> {
    this.#loads += 1;
    if (this.#loads >= LOADS) {
      this.#loads = 0;
      await this.#remove(this.#held.takePassedOver(SNAPSHOT));
      await this.#remove(this.#held.takeUnnamed(Number.POSITIVE_INFINITY, FORGOTTEN));
      await this.#connection.run('CHECKPOINT');
    }
    // Rows say little of it: days that are added up take as much again, or several times as much where values are many.
    await this.#makeRoom();
  }

  async #makeRoom(): Promise<void> {
    const used = await this.#bytesUsed();
    if (used <= this.#bytes) return;
    await this.#remove(this.#held.takeUnnamed(this.#held.rows * (1 - (KEPT * this.#bytes) / used), READ));
    await this.#connection.run('CHECKPOINT');
  }

  async #bytesUsed(): Promise<number> {
    const result = await this.#connection.run(
      'SELECT block_size * used_blocks AS bytes FROM pragma_database_size()',
    );
    const [row] = await result.getRowObjects();
    return Number(row?.bytes ?? 0);
  }

  async #remove(pieces: TakenPieces): Promise<void> {
    if (pieces.size === 0) return;
    const removing = inTransaction(this.#connection, async () => {
      for (const [mandant, stuecke] of pieces)
        for (const table of ['rufe', 'besonders', 'tage', 'stuecke'])
          await this.#connection.run(
            `DELETE FROM ${table} WHERE mandant = ${mandant} AND stueck IN (${stuecke.join(', ')})`,
          );
    });
    // They are not known any more: rows of them that stayed would be in every answer.
    await removing.catch((cause: unknown) => {
      throw new FileUnsure('pieces could not be removed', { cause });
    });
  }
}
