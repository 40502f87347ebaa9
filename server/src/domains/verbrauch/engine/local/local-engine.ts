/** Takes orders of the service to the local copy. */
import type { DuckDBConnection } from '@duckdb/node-api';
import type { AskMessage, AskResult, EngineTask, LoadMessage, LocalCopy, TaskFailure } from '../messages.ts';
import { answerQuestions, TooManyGroups } from './answer.ts';
import { HeldPieces } from './held-pieces.ts';
import { loadPieces, unpackPieces } from './load.ts';
import { type OpenedCopy, openLocalCopy } from './local-copy.ts';
import { FileUnsure } from './transaction.ts';
import { Upkeep } from './upkeep.ts';

/** What the engine says where its file is not what it wrote, or cannot be written: it is made again. */
const FILE_AT_FAULT = /\b(IO|INTERNAL|FATAL|Serialization|TransactionContext) Error|[Cc]orrupt/;
const OUT_OF_MEMORY = /Out of Memory Error|could not allocate|failed to pin/;
const INTERRUPTED = /^INTERRUPT Error/;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export class LocalEngine {
  readonly #copy: OpenedCopy;
  readonly #held: HeldPieces;
  readonly #writer: DuckDBConnection;
  readonly #upkeep: Upkeep;
  readonly #addedUpFrom: number;
  /** Loads and removals, one after the other. */
  #writing: Promise<unknown> = Promise.resolve();
  readonly #underWay = new Map<number, DuckDBConnection>();
  readonly #cancelled = new Set<number>();

  private constructor(
    copy: OpenedCopy,
    held: HeldPieces,
    writer: DuckDBConnection,
    { bytes, addedUpFrom }: LocalCopy,
  ) {
    this.#addedUpFrom = addedUpFrom;
    this.#copy = copy;
    this.#held = held;
    this.#writer = writer;
    this.#upkeep = new Upkeep(writer, held, bytes);
  }

  static async open(local: LocalCopy): Promise<LocalEngine> {
    const copy = await openLocalCopy(local);
    const writer = await copy.instance.connect();
    return new LocalEngine(copy, await HeldPieces.read(writer), writer, local);
  }

  /** Carries out an order. Throws what the engine throws. */
  async take(order: EngineTask): Promise<AskResult | null> {
    try {
      return await (order.kind === 'ask' ? this.#ask(order) : this.#load(order));
    } finally {
      this.#cancelled.delete(order.id);
    }
  }

  async #ask(order: AskMessage & { id: number }): Promise<AskResult> {
    const { id, mandant, questions, marken } = order;
    const missing = this.#held.missing(mandant, marken);
    if (missing.length > 0) return { missing };
    const named = questions.map((question) => ({ question, pieces: this.#held.name(order, question) }));
    const connection = await this.#copy.instance.connect();
    this.#underWay.set(id, connection);
    try {
      this.#requireWanted(id);
      return { answers: await answerQuestions(connection, named) };
    } finally {
      this.#underWay.delete(id);
      connection.closeSync();
    }
  }

  #requireWanted(id: number): void {
    if (this.#cancelled.has(id)) throw new Error('INTERRUPT Error: cancelled before it began');
  }

  async #load({ id, mandant, pieces }: LoadMessage & { id: number }): Promise<null> {
    const unpacked = unpackPieces(pieces);
    const writing = this.#writing.then(async () => {
      this.#requireWanted(id);
      await loadPieces(this.#writer, this.#held, mandant, unpacked, this.#addedUpFrom);
      await this.#upkeep.afterLoad();
    });
    this.#writing = writing.catch(() => undefined);
    await writing;
    return null;
  }

  /** Ends an order that is under way or waits. */
  cancel(id: number): void {
    this.#cancelled.add(id);
    this.#underWay.get(id)?.interrupt();
  }

  /** What an error says to who asked; null where the file is at fault, which is deleted then. */
  failureOf(error: unknown): TaskFailure | null {
    const message = messageOf(error);
    if (error instanceof FileUnsure || FILE_AT_FAULT.test(message)) {
      this.#copy.discard();
      return null;
    }
    if (error instanceof TooManyGroups || OUT_OF_MEMORY.test(message)) return { reason: 'memory', message };
    if (INTERRUPTED.test(message)) return { reason: 'cancelled', message };
    return { reason: 'fault', message };
  }

  /** Writes everything into the file and closes it. */
  async close(): Promise<void> {
    await this.#writing;
    await this.#writer.run('CHECKPOINT').catch(() => undefined);
    this.#writer.closeSync();
    await this.#copy.close();
  }
}
