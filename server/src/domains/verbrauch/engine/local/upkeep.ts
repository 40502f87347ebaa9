/** What keeps the local copy small and quick. */
import type { DuckDBConnection } from '@duckdb/node-api';
import type { Held } from './held.ts';

/** Loads until the file is put in order: each leaves rows that are not packed, which questions read slowly and memory holds. */
const LOADS = 100;
const ROWS = 500_000;
/** A snapshot is not asked for longer; milliseconds. */
const UNNAMED = 15 * 60_000;
/** What the file is brought down to once it has grown beyond its bound. */
const KEPT = 0.75;

async function bytesUsed(connection: DuckDBConnection): Promise<number> {
  const [row] = await (
    await connection.run('SELECT block_size * used_blocks AS bytes FROM pragma_database_size()')
  ).getRowObjects();
  return Number(row?.bytes ?? 0);
}

async function remove(connection: DuckDBConnection, pieces: Map<number, number[]>): Promise<void> {
  if (pieces.size === 0) return;
  await connection.run('BEGIN');
  for (const [mandant, stuecke] of pieces)
    for (const table of ['rufe', 'besonders', 'stuecke'])
      await connection.run(
        `DELETE FROM ${table} WHERE mandant = ${mandant} AND stueck IN (${stuecke.join(', ')})`,
      );
  await connection.run('COMMIT');
  await connection.run('CHECKPOINT');
}

export class Upkeep {
  #loads = 0;
  #rows = 0;
  readonly #connection: DuckDBConnection;
  readonly #held: Held;
  readonly #bytes: number;

  /** `bytes`: what the file should not grow beyond. */
  constructor(connection: DuckDBConnection, held: Held, bytes: number) {
    this.#connection = connection;
    this.#held = held;
    this.#bytes = bytes;
  }

  /** To be called after each load, while none is under way. */
  async afterLoad(rows: number): Promise<void> {
    this.#loads += 1;
    this.#rows += rows;
    if (this.#loads < LOADS && this.#rows < ROWS) return;
    this.#loads = 0;
    this.#rows = 0;
    await this.#connection.run('CHECKPOINT');
    await this.#makeRoom();
  }

  async #makeRoom(): Promise<void> {
    const used = await bytesUsed(this.#connection);
    if (used <= this.#bytes) return;
    const { rows } = this.#held;
    await remove(this.#connection, this.#held.takeUnnamed(UNNAMED));
    await remove(this.#connection, this.#held.takeLongestAgo(rows * ((KEPT * this.#bytes) / used)));
  }
}
