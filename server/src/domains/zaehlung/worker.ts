/**
 * The counting worker. It asks the inbox what waits and works it off in turns, a few side by side (`TurnCounter` counts one). While
 * others wait a turn is short, and a Mandant that had one comes behind them. Each Mandant is counted in order and by one worker at a time.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import { type Answers, createQuestionToAll } from '#platform/database/question-to-all.ts';
import type { Log } from '#platform/log.ts';
import { TurnCounter, type WorkerOptions } from './turn-counter.ts';
import { ROUND_EVERY, type Turn, Turns, type Waiting } from './turns.ts';

const TROUBLE_PAUSE = 1_000;

const waitingIn = (inbox: string) => `SELECT mandant_id AS mandant, sum(anzahl)::float8 AS ereignisse,
  sum(umfang)::float8 AS umfang, extract(epoch FROM min(empfangen_am))::float8 AS seit FROM ${inbox} GROUP BY mandant_id`;

type WaitingSince = Waiting & { seit: number };

/** Made by `createCountingWorker`. */
export class CountingWorker {
  readonly #db: OwnerDatabase;
  readonly #log: Log;
  readonly #counter: TurnCounter;
  readonly #ask: () => Promise<Answers<WaitingSince>>;
  #stopping = false;
  #running: Promise<void> | null = null;

  constructor(options: WorkerOptions) {
    this.#db = options.db;
    this.#log = options.log;
    this.#counter = new TurnCounter(options);
    this.#ask = createQuestionToAll<WaitingSince>(options.db, 'eingang', waitingIn);
  }

  /** Counts until the inbox is empty; for tests and tools. */
  drain(): Promise<void> {
    return this.#work(true).finally(() => this.#counter.end());
  }

  /** Counts until `stop`. */
  start(): void {
    this.#running = this.#workUntilStop();
  }

  /** Resolves when the transaction under way has ended. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#counter.stop();
    await this.#running;
    await this.#counter.end();
  }

  async #workUntilStop(): Promise<void> {
    while (!this.#stopping) {
      try {
        await this.#work(false);
      } catch (error) {
        this.#warn(error);
        await delay(TROUBLE_PAUSE);
      }
    }
  }

  /** Counts what waits until the stop, or until there is nothing; then the first trouble ends it, else it is waited out. */
  async #work(untilEmpty: boolean): Promise<void> {
    const turns = new Turns(!(await this.#db.isCluster()), untilEmpty ? 0 : ROUND_EVERY);
    const underWay = new Set<Promise<void>>();
    const troubles: unknown[] = [];
    const onTrouble = (error: unknown) => (untilEmpty ? troubles.push(error) : this.#warn(error));
    try {
      while (!this.#stopping && troubles.length === 0) {
        const { all, complete } = await this.#look();
        if (untilEmpty && !complete) throw new Error('a worker of the cluster does not answer');
        for (const turn of turns.begin(all, performance.now())) {
          const over: Promise<void> = this.#take(turn, turns, !untilEmpty, onTrouble).finally(() =>
            underWay.delete(over),
          );
          underWay.add(over);
        }
        if (untilEmpty && all.length === 0 && underWay.size === 0) return;
        await Promise.race([...underWay, delay(ROUND_EVERY)]);
      }
    } finally {
      await Promise.all(underWay);
    }
    if (troubles.length > 0) throw troubles[0];
  }

  /** What waits, the oldest first; `complete` as far as is known. */
  async #look(): Promise<{ all: Waiting[]; complete: boolean }> {
    const { rows, complete } = await this.#ask();
    return { all: rows.sort((a, b) => a.seit - b.seit), complete };
  }

  /** Takes a turn and ends it, with a pause after trouble. */
  async #take(
    turn: Turn,
    turns: Turns,
    rests: boolean,
    onTrouble: (error: unknown) => unknown,
  ): Promise<void> {
    let pause = TROUBLE_PAUSE;
    try {
      pause = await this.#counter.take(turn, turns, rests);
    } catch (error) {
      onTrouble(error);
    }
    turns.end(turn, performance.now() + pause);
  }

  #warn(error: unknown): void {
    this.#log.warn({ err: error }, 'counting interrupted; trying again');
  }
}

export const createCountingWorker = (options: WorkerOptions): CountingWorker => new CountingWorker(options);
