/**
 * The exit of counting. Each counting transaction leaves a mark of what it changed; here the marks are taken, in order for
 * each Mandant, in transactions of their own: a mark goes in the transaction that holds the effects of what was done about
 * it, so these happen exactly once. The marks of many Mandanten share a transaction, as their counting did; when it fails, each
 * is taken alone. A fault holds up the marks of that Mandant and nothing else; they are tried again.
 *
 * Counting commits before it is on disk and may be undone by a crash. The transactions here wait for the disk, and with them
 * goes everything that was committed before, the counting they act on among it. So those who act outward (a mail, a block)
 * first commits here that it will, and acts after that: nothing outward ever tells of what a crash took back.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { uuidTexts } from '#kernel/hex.ts';
import { isUnreachable } from '#platform/database/index.ts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import { type Answers, createQuestionToAll } from '#platform/database/question-to-all.ts';
import type { Log } from '#platform/log.ts';
import { createSweeping, type Sweeping } from './sweeping.ts';

/** What one counting transaction changed for a Mandant. */
export interface Mark {
  mandant: string;
  /** Counts up by one for each mark of the Mandant. */
  nummer: number;
  /** Values of dimensions (`merkmal_id`) whose sums changed. */
  merkmale: number[];
  /** Local days `YYYY-MM-DD`. */
  tage: string[];
  /** API keys (`schluessel_id`) whose sums changed. */
  schluessel: string[];
  /** Agents that called, and when each did last (ISO 8601 in UTC), by the same position. */
  agenten: string[];
  aufrufe_am: string[];
  /** What the calls of each of these agents cost, in millionths of a EUR, rounded up; null where calls of before have changed: nobody says of whom. */
  kosten: number[] | null;
  /** Runs (`lauf_id`) that changed, and the memory that holds them as they are then; null where none does. */
  laeufe: string[];
  gedaechtnis: string | null;
}

/** Acts on marks, those of a Mandant in order, inside the transaction that takes them. What it throws leaves them there. */
export type MarkHandler = (client: pg.PoolClient, marks: Mark[]) => Promise<void>;

export interface MarkConsumer {
  /** Takes marks until there are none; for tests and tools. */
  drain(): Promise<void>;
  start(): void;
  /** There is something new: looks at once. */
  wake(): void;
  stop(): Promise<void>;
}

/** Of one Mandant; more make a transaction long. */
const MARKS_AT_ONCE = 100;
const MANDANTEN_AT_ONCE = 200;
/** Milliseconds after which marks of other processes are found. */
const LOOK = 500;
const TROUBLE_PAUSE = 1_000;

// One consumer per Mandant at a time keeps the order.
const LOCK = `SELECT m AS mandant FROM unnest($1::uuid[]) AS m
  WHERE pg_try_advisory_xact_lock(hashtext('zaehlmarken'), hashtext(m::text))`;
const READ = `SELECT mandant_id AS mandant, nummer, merkmale, tage::text[],
  coalesce(schluessel, '{}') AS schluessel, agenten, aufrufe_am::text[], kosten::float8[],
  coalesce(laeufe, '{}')::text AS laeufe, gedaechtnis FROM weg`;
type TakenMark = Omit<Mark, 'laeufe'> & {
  /** As PostgreSQL writes an array: they may be thousands, which the driver would read character by character. */
  laeufe: string;
};
const TAKE = `WITH naechste AS (
    SELECT m AS mandant_id, z.nummer FROM unnest($1::uuid[]) AS m CROSS JOIN LATERAL (
      SELECT nummer FROM zaehlmarken WHERE mandant_id = m ORDER BY nummer LIMIT ${MARKS_AT_ONCE}) AS z),
  weg AS (DELETE FROM zaehlmarken z USING naechste n WHERE z.mandant_id = n.mandant_id AND z.nummer = n.nummer
    RETURNING z.*)
  ${READ} ORDER BY mandant_id, nummer`;
const TAKE_OF_ONE = `WITH weg AS (DELETE FROM zaehlmarken z WHERE z.mandant_id = $1 AND z.nummer IN (
    SELECT nummer FROM zaehlmarken WHERE mandant_id = $1 ORDER BY nummer LIMIT ${MARKS_AT_ONCE}) RETURNING z.*)
  ${READ} ORDER BY nummer`;

interface MarkConsumerOptions {
  db: OwnerDatabase;
  log: Log;
  handlers: readonly MarkHandler[];
}

class Consumer implements MarkConsumer {
  readonly #db: OwnerDatabase;
  readonly #log: Log;
  readonly #handlers: readonly MarkHandler[];
  readonly #sweeping: Sweeping;
  readonly #ask: () => Promise<Answers<{ mandant_id: string }>>;
  #stopping = false;
  #woken = false;
  #pause = new AbortController();
  #running: Promise<void> | null = null;

  constructor({ db, log, handlers }: MarkConsumerOptions) {
    this.#db = db;
    this.#log = log;
    this.#handlers = handlers;
    this.#sweeping = createSweeping(db, log, 'zaehlmarken');
    this.#ask = createQuestionToAll<{ mandant_id: string }>(
      db,
      'zaehlmarken',
      (marks) => `SELECT DISTINCT mandant_id FROM ${marks}`,
    );
  }

  async drain(): Promise<void> {
    while (await this.#pass());
    await this.#sweeping.end();
  }

  start(): void {
    this.#running = this.#loop();
  }

  wake(): void {
    this.#woken = true;
    this.#pause.abort();
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    this.#pause.abort();
    await this.#running;
    await this.#sweeping.end();
  }

  async #loop(): Promise<void> {
    while (!this.#stopping) {
      let wait = LOOK;
      this.#woken = false;
      try {
        if (await this.#pass()) continue;
      } catch {
        wait = TROUBLE_PAUSE;
      }
      if (this.#woken || this.#stopping) continue;
      this.#pause = new AbortController();
      await delay(wait, null, { signal: this.#pause.signal }).catch(() => undefined);
    }
  }

  /** One round over all Mandanten with marks; throws the first fault once everybody had a turn. */
  async #pass(): Promise<boolean> {
    const { rows } = await this.#ask();
    const all = rows.map(({ mandant_id: mandant }) => mandant);
    const atOnce = (await this.#db.isCluster()) ? 1 : MANDANTEN_AT_ONCE;
    const turns: string[][] = [];
    while (all.length > 0) turns.push(all.splice(0, atOnce));
    let taken = 0;
    const faults: unknown[] = [];
    for (let turn = turns.shift(); turn && !this.#stopping; turn = turns.shift()) {
      try {
        taken += await this.#take(turn);
      } catch (error) {
        // Of a cluster only the worker that has this Mandant may be down.
        if (isUnreachable(error) && atOnce > 1) throw error;
        if (turn.length > 1) turns.unshift(...turn.map((each) => [each]));
        else faults.push(this.#warned(error, turn[0]));
      }
    }
    if (faults.length > 0) throw faults[0];
    return taken > 0;
  }

  /** Takes the next marks of these Mandanten, but for those others are taking; resolves with how many. */
  async #take(mandanten: string[]): Promise<number> {
    const taken = await this.#db.transaction(async (client) => {
      const { rows: locked } = await client.query<{ mandant: string }>(LOCK, [mandanten]);
      if (locked.length === 0) return 0;
      const [one, another] = locked;
      const { rows } =
        one && !another
          ? await client.query<TakenMark>(TAKE_OF_ONE, [one.mandant])
          : await client.query<TakenMark>(TAKE, [locked.map(({ mandant }) => mandant)]);
      const marks = rows.map((row): Mark => ({ ...row, laeufe: uuidTexts(row.laeufe) }));
      if (marks.length > 0) for (const handle of this.#handlers) await handle(client, marks);
      return marks.length;
    });
    this.#sweeping.gone(taken);
    return taken;
  }

  #warned(error: unknown, mandant: string | undefined): unknown {
    this.#log.warn({ err: error, mandant }, 'marks of counting not taken; trying again');
    return error;
  }
}

export const createMarkConsumer = (options: MarkConsumerOptions): MarkConsumer => new Consumer(options);
