/**
 * The one way to the engine: a question is asked of exactly the pieces that its transaction sees. Which of them the local copy does not
 * have is found by their marks, so that neither a crash that took pieces back nor one process after the other needs a word.
 */
import { join } from 'node:path';
import { unavailable } from '#kernel/errors.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { Window } from '#kernel/zeitraum.ts';
import { callerSignal } from '#platform/caller.ts';
import type { MandantTx } from '#platform/database/index.ts';
import type { Log } from '#platform/log.ts';
import { MIB } from '#platform/memory.ts';
import { createShares, refuseShared, type Shares } from '#platform/shares.ts';
import { batchesOf } from '../pieces/batches.ts';
import { type Child, EngineEnded, EngineFailure, EngineMissing } from './child.ts';
import { Keeper } from './keeper.ts';
import { choosePieces, type Piece, readBytes } from './pieces-of-window.ts';
import type { SumsAnswer, SumsQuestion } from './question.ts';

/** Calls whose bytes are on their way at a time; as many are being loaded meanwhile. */
const CALLS_AT_ONCE = 50_000;
/** Bytes of a call in the local copy, at most, about. */
const BYTES_OF_CALL = 60;
/** How often pieces that were there may be gone again. */
const ROUNDS = 4;

/** What a question may take, and all of them. */
const LIMITS = {
  /** Bytes that adding up may take; more is written to the disk. */
  memory: 100 * MIB,
  /** Bytes beyond which the process is replaced once it has nothing to do. */
  mostMemory: 400 * MIB,
  /** Milliseconds for a question with all that it has to load. What it has loaded is there when it is asked again. */
  timeLimit: 20_000,
  /**
   * Rows of a piece from which on its days are added up: reading fewer takes no time. Counting leaves fewer, which are soon put together
   * with others, and of which somebody may wait for the first answer.
   */
  addedUpFrom: 25_000,
  /** Rows from which on they are written after the answer: fewer are written sooner than read with each question. */
  writtenLaterFrom: 5_000,
  /** Questions under way; each takes both processors. Of a Mandant half of them. */
  atOnce: 2,
  /** What a page asks is one of them; how many pages ask, connections to the database limit. */
  waiting: 500,
  /** Milliseconds in which a question's turn must come. */
  longest: 10_000,
};
const THREADS = 2;

export interface EngineOptions {
  dataDir: string;
  /** Bytes on the disk that the local copy may take up. */
  bytes: number;
  log: Pick<Log, 'warn' | 'error'>;
  limits?: Partial<typeof LIMITS>;
}

const RETRY_AFTER = 2;
const minuteOf = (time: Temporal.ZonedDateTime) => Math.floor(time.epochMilliseconds / 60_000);

const missing = () =>
  unavailable(
    'ueberlastet',
    {
      de: 'Diese Installation kann solche Fragen nicht beantworten: Für ihre Plattform gibt es das Rechenwerk nicht.',
      en: 'This installation cannot answer such questions: there is no engine for its platform.',
    },
    3_600,
  );
const failed = () =>
  unavailable(
    'ueberlastet',
    {
      de: 'Die Summen lassen sich gerade nicht bilden; bitte gleich noch einmal versuchen.',
      en: 'The sums cannot be added up right now; please try again in a moment.',
    },
    RETRY_AFTER,
  );
const tooLong = () =>
  unavailable(
    'abfrage_zu_lang',
    {
      de: 'Die Summen wurden nicht rechtzeitig fertig. Ein kürzerer Zeitraum oder weniger Gruppen helfen; was schon geladen ist, bleibt geladen.',
      en: 'The sums were not ready in time. A shorter period or fewer groups help; what has been loaded stays loaded.',
    },
    RETRY_AFTER,
  );
const tooMuch = () =>
  unavailable('abfrage_zu_lang', {
    de: 'Der Zeitraum hat mehr Aufrufe oder Gruppen, als der Dienst auf einmal zusammenzählen kann.',
    en: 'The period has more calls or groups than the service can add up at a time.',
  });

/** Some of the chosen pieces are gone: the transaction does not read from one snapshot, and they were put together. */
class PiecesGone extends Error {}

/** A question by the window it is about. */
export type WindowQuestion = Omit<SumsQuestion, 'von' | 'bis'> & { window: Window };

/** Starts its process with `start`, or with the first question. */
export class Engine {
  readonly #keeper: Keeper;
  readonly #shares: Shares<MandantId>;
  readonly #bytes: number;
  readonly #timeLimit: number;
  readonly #log: EngineOptions['log'];
  #isMissing = false;

  constructor({ dataDir, bytes, log, limits = {} }: EngineOptions) {
    const { mostMemory, timeLimit, atOnce, waiting, longest, ...local } = { ...LIMITS, ...limits };
    const copy = { folder: join(dataDir, 'summen'), bytes, threads: THREADS, ...local };
    this.#keeper = new Keeper(copy, mostMemory, log);
    this.#shares = createShares({ places: atOnce, waiting, longest, refuse: refuseShared });
    this.#bytes = bytes;
    this.#timeLimit = timeLimit;
    this.#log = log;
  }

  /** The process that is running; undefined where there is none. */
  get pid(): number | undefined {
    return this.#keeper.pid;
  }

  /** The bytes of the process, 0 where there is none; and how often one was started. */
  get state(): { memory: number; starts: number } {
    return this.#keeper.state;
  }

  /**
   * What the calls of the transaction's Mandant add up to, for each question: together they take one turn. Of the pieces that its snapshot
   * has, or, where it does not read from one, that it has at one moment.
   */
  ask(tx: MandantTx, questions: readonly WindowQuestion[]): Promise<SumsAnswer[]> {
    return this.#shares.inTurn(tx.mandant, async () => {
      if (this.#isMissing) throw missing();
      const limit = AbortSignal.timeout(this.#timeLimit);
      const caller = callerSignal();
      const signal = caller ? AbortSignal.any([limit, caller]) : limit;
      try {
        return await this.#chooseAndAsk(tx, questions, signal);
      } catch (error) {
        caller?.throwIfAborted();
        throw limit.aborted ? tooLong() : this.#refusalOf(error);
      }
    });
  }

  /** Starts the process. Where that fails, the first question says so. */
  start(): void {
    this.#keeper.running().catch(() => undefined);
  }

  /** Ends the process; nothing is asked any more. */
  stop(): Promise<void> {
    return this.#keeper.stop();
  }

  /** Of pieces that are chosen anew where some of them are gone meanwhile. */
  async #chooseAndAsk(
    tx: MandantTx,
    questions: readonly WindowQuestion[],
    signal: AbortSignal,
  ): Promise<SumsAnswer[]> {
    const asked = questions.map(({ window, ...question }) => ({
      ...question,
      von: minuteOf(window.von),
      bis: minuteOf(window.bis),
    }));
    const windows = questions.map(({ window }) => window);
    for (let round = 1; ; round += 1) {
      const pieces = await choosePieces(tx, windows);
      const calls = pieces.reduce((sum, { anzahl }) => sum + anzahl, 0);
      if (calls * BYTES_OF_CALL > this.#bytes) throw tooMuch();
      try {
        return await this.#askTwice(tx, asked, pieces, signal);
      } catch (error) {
        if (!(error instanceof PiecesGone) || round === ROUNDS) throw error;
      }
    }
  }

  /** Once more where the process has ended with the questions. */
  async #askTwice(
    tx: MandantTx,
    questions: readonly SumsQuestion[],
    pieces: readonly Piece[],
    signal: AbortSignal,
  ): Promise<SumsAnswer[]> {
    try {
      return await this.#askOnce(tx, questions, pieces, signal);
    } catch (error) {
      if (!(error instanceof EngineEnded) || this.#keeper.isStopping || signal.aborted) throw error;
      this.#log.warn({ err: error }, 'the engine ended with a question, which is asked once more');
      return this.#askOnce(tx, questions, pieces, signal);
    }
  }

  async #askOnce(
    tx: MandantTx,
    questions: readonly SumsQuestion[],
    pieces: readonly Piece[],
    signal: AbortSignal,
  ): Promise<SumsAnswer[]> {
    const child = await this.#keeper.running();
    const byMark = new Map(pieces.map((piece) => [piece.marke, piece]));
    const order = { kind: 'ask', mandant: tx.mandant, questions, marken: [...byMark.keys()] } as const;
    for (let round = 0; round < ROUNDS; round += 1) {
      const result = await child.ask(order, signal);
      if ('answers' in result) {
        this.#keeper.replaceIfLarge(child);
        return result.answers;
      }
      const missing = result.missing.map((marke) => byMark.get(marke) as Piece);
      await this.#load(tx, child, missing, signal);
    }
    throw new EngineFailure({ reason: 'memory', message: 'the pieces do not stay in the local copy' });
  }

  /** Hands over pieces, the next of them while those before are written. */
  async #load(tx: MandantTx, child: Child, pieces: readonly Piece[], signal: AbortSignal): Promise<void> {
    let before: Promise<unknown> = Promise.resolve();
    for (const batch of batchesOf(pieces, CALLS_AT_ONCE)) {
      const bytes = await readBytes(tx, batch);
      const found = new Set(bytes.map(({ marke }) => marke));
      if (batch.some(({ marke }) => !found.has(marke))) throw new PiecesGone();
      const loading = child.load({ kind: 'load', mandant: tx.mandant, pieces: bytes }, signal);
      // Where those before fail, nobody waits for these.
      loading.catch(() => undefined);
      await before;
      before = loading;
    }
    await before;
  }

  /** What is said to who asked. */
  #refusalOf(error: unknown): unknown {
    if (error instanceof EngineMissing) {
      this.#isMissing = true;
      this.#log.error(
        { err: error },
        'there is no engine for this platform: what it is asked cannot be answered',
      );
      return missing();
    }
    if (error instanceof EngineEnded || error instanceof PiecesGone) return failed();
    if (error instanceof EngineFailure && error.reason === 'memory') return tooMuch();
    return error;
  }
}
