/** Takes orders of the service to the local copy. */
import type { DuckDBConnection } from '@duckdb/node-api';
import type { AskMessage, AskResult, EngineTask, LoadMessage, LocalCopy, TaskFailure } from '../messages.ts';
import { answerQuestions, TooManyGroups } from './answer.ts';
import { HeldPieces } from './held-pieces.ts';
import { KeptRows } from './kept-rows.ts';
import { loadPieces } from './load.ts';
import { type OpenedCopy, openLocalCopy } from './local-copy.ts';
import { FileUnsure } from './transaction.ts';
import { unpackPieces } from './unpacked-pieces.ts';
import { Upkeep } from './upkeep.ts';

/** What the engine says where its file is not what it wrote, or cannot be written: it is made again. */
const FILE_AT_FAULT = /\b(IO|INTERNAL|FATAL|Serialization|TransactionContext) Error|[Cc]orrupt/;
const OUT_OF_MEMORY = /Out of Memory Error|could not allocate|failed to pin/;
const INTERRUPTED = /^INTERRUPT Error/;

/** Questions of an order that are answered at a time. */
const AT_ONCE = 2;
/** Milliseconds after which rows are written that questions read from memory: the question that brought them is answered by then. */
const LATER = 1_000;
/** Rows that may wait for that. */
const MOST_UNWRITTEN = 250_000;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Whether the file is at fault. */
const isOfFile = (error: unknown): boolean =>
  error instanceof FileUnsure || FILE_AT_FAULT.test(messageOf(error));

export class LocalEngine {
  readonly #copy: OpenedCopy;
  readonly #held: HeldPieces;
  readonly #writer: DuckDBConnection;
  readonly #upkeep: Upkeep;
  readonly #kept: KeptRows;
  readonly #local: LocalCopy;
  /** Writing and removals, one after the other. */
  #writing: Promise<unknown> = Promise.resolve();
  #later: NodeJS.Timeout | undefined;
  /** What was wrong with the file when nobody waited for it. */
  #fault: unknown = null;
  readonly #underWay = new Map<number, readonly DuckDBConnection[]>();
  readonly #cancelled = new Set<number>();

  private constructor(copy: OpenedCopy, held: HeldPieces, writer: DuckDBConnection, local: LocalCopy) {
    this.#local = local;
    this.#copy = copy;
    this.#held = held;
    this.#writer = writer;
    this.#upkeep = new Upkeep(writer, held, local.bytes);
    this.#kept = new KeptRows(writer);
  }

  static async open(local: LocalCopy): Promise<LocalEngine> {
    const copy = await openLocalCopy(local);
    const writer = await copy.instance.connect();
    return new LocalEngine(copy, await HeldPieces.read(writer), writer, local);
  }

  /** Carries out an order. Throws what the engine throws. */
  async take(order: EngineTask): Promise<AskResult | null> {
    try {
      if (this.#fault) throw this.#fault;
      return await (order.kind === 'ask' ? this.#ask(order) : this.#load(order));
    } finally {
      this.#cancelled.delete(order.id);
    }
  }

  async #ask(order: AskMessage & { id: number }): Promise<AskResult> {
    const { id, mandant, questions, marken } = order;
    const missing = this.#held.missing(mandant, marken);
    if (missing.length > 0) return { missing };
    const named = questions.map((question) => {
      const { unwritten, ...pieces } = this.#held.name(order, question);
      return {
        question,
        pieces: { ...pieces, kept: unwritten.length > 0 ? this.#kept.keep(unwritten) : null },
      };
    });
    const connections = await Promise.all(named.slice(0, AT_ONCE).map(() => this.#copy.instance.connect()));
    this.#underWay.set(id, connections);
    try {
      this.#requireWanted(id);
      return { answers: await answerQuestions(connections, named) };
    } finally {
      this.#underWay.delete(id);
      for (const { pieces } of named) if (pieces.kept) this.#kept.forget(pieces.kept);
      for (const connection of connections) connection.closeSync();
    }
  }

  #requireWanted(id: number): void {
    if (this.#cancelled.has(id)) throw new Error('INTERRUPT Error: cancelled before it began');
  }

  async #load({ id, mandant, pieces }: LoadMessage & { id: number }): Promise<null> {
    const unpacked = unpackPieces(pieces);
    this.#requireWanted(id);
    this.#held.await(mandant, unpacked);
    const rows = this.#held.unwritten.flatMap((of) => of.pieces).reduce((sum, { anzahl }) => sum + anzahl, 0);
    if (rows < this.#local.writtenLaterFrom || rows > MOST_UNWRITTEN) await this.#write();
    else this.#later ??= setTimeout(() => void this.#write().catch(() => undefined), LATER);
    return null;
  }

  /** Writes all that is unwritten. */
  #write(): Promise<void> {
    clearTimeout(this.#later);
    this.#later = undefined;
    const writing = this.#writing.then(async () => {
      for (const unwritten of this.#held.unwritten) await this.#writePieces(unwritten);
    });
    this.#writing = writing.catch((error: unknown) => {
      this.#fault = error;
      this.failureOf(error);
    });
    return writing;
  }

  /** What cannot be written is forgotten: it is handed over again where somebody asks for it. */
  async #writePieces(unwritten: HeldPieces['unwritten'][number]): Promise<void> {
    try {
      await loadPieces(this.#writer, this.#held, this.#kept, unwritten, this.#local.addedUpFrom);
      await this.#upkeep.afterLoad();
    } catch (error) {
      if (isOfFile(error)) throw error;
      console.error('pieces could not be written:', error);
    } finally {
      this.#held.forget(unwritten.mandant, unwritten.pieces);
    }
  }

  /** Ends an order that is under way or waits. */
  cancel(id: number): void {
    this.#cancelled.add(id);
    for (const connection of this.#underWay.get(id) ?? []) connection.interrupt();
  }

  /** What an error says to who asked; null where the file is at fault, which is deleted then. */
  failureOf(error: unknown): TaskFailure | null {
    const message = messageOf(error);
    if (isOfFile(error)) {
      this.#copy.discard();
      return null;
    }
    if (error instanceof TooManyGroups || OUT_OF_MEMORY.test(message)) return { reason: 'memory', message };
    if (INTERRUPTED.test(message)) return { reason: 'cancelled', message };
    return { reason: 'fault', message };
  }

  /** Writes everything into the file and closes it. */
  async close(): Promise<void> {
    await this.#write().catch(() => undefined);
    await this.#writer.run('CHECKPOINT').catch(() => undefined);
    this.#writer.closeSync();
    await this.#copy.close();
  }
}
