/**
 * The exit of counting. Each counting transaction leaves a mark of what it changed; here the marks are taken, in order for
 * each Mandant, in transactions of their own: a mark goes in the transaction that holds the effects of what was done about
 * it, so these happen exactly once. The marks of many Mandanten share a transaction, as their counting did; when it fails, each
 * is taken alone. A fault holds up the marks of that Mandant and nothing else; they are tried again.
 *
 * Counting commits before it is on disk and may be undone by a crash. The transactions here wait for the disk, and with them
 * goes everything that was committed before, the counting they act on among it. So whoever acts outward (a mail, a block)
 * first commits here that it will, and acts after that: nothing outward ever tells of what a crash took back.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { isUnreachable } from '#platform/database/index.ts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import { createQuestionToAll } from '#platform/database/question-to-all.ts';
import type { Log } from '#platform/log.ts';
import { createSweeping } from './sweeping.ts';

/** What one counting transaction changed for a Mandant. Its runs are those whose state has its number. */
export interface Mark {
  mandant: string;
  /** Counts up by one for each mark of the Mandant. */
  nummer: number;
  /** Values of dimensions (`merkmal_id`) whose sums changed. */
  merkmale: number[];
  /** Local days `YYYY-MM-DD`. */
  tage: string[];
  /** Agents that called, and when each did last (ISO 8601 in UTC), by the same position. */
  agenten: string[];
  aufrufe_am: string[];
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
/** Marks of other processes are found after so many milliseconds. */
const LOOK = 500;
const TROUBLE_PAUSE = 1_000;

// One consumer per Mandant at a time keeps the order.
const LOCK = `SELECT m AS mandant FROM unnest($1::uuid[]) AS m
  WHERE pg_try_advisory_xact_lock(hashtext('zaehlmarken'), hashtext(m::text))`;
const READ =
  'SELECT mandant_id AS mandant, nummer, merkmale, tage::text[], agenten, aufrufe_am::text[] FROM weg';
const TAKE = `WITH naechste AS (
    SELECT m AS mandant_id, z.nummer FROM unnest($1::uuid[]) AS m CROSS JOIN LATERAL (
      SELECT nummer FROM zaehlmarken WHERE mandant_id = m ORDER BY nummer LIMIT ${MARKS_AT_ONCE}) AS z),
  weg AS (DELETE FROM zaehlmarken z USING naechste n WHERE z.mandant_id = n.mandant_id AND z.nummer = n.nummer
    RETURNING z.*)
  ${READ} ORDER BY mandant_id, nummer`;
const TAKE_OF_ONE = `WITH weg AS (DELETE FROM zaehlmarken z WHERE z.mandant_id = $1 AND z.nummer IN (
    SELECT nummer FROM zaehlmarken WHERE mandant_id = $1 ORDER BY nummer LIMIT ${MARKS_AT_ONCE}) RETURNING z.*)
  ${READ} ORDER BY nummer`;

export function createMarkConsumer(options: {
  db: OwnerDatabase;
  log: Log;
  handlers: readonly MarkHandler[];
}): MarkConsumer {
  const { db, log, handlers } = options;
  const sweeping = createSweeping(db, log, 'zaehlmarken');
  let stopping = false;
  let woken = false;
  let pause = new AbortController();
  let running: Promise<void> | null = null;

  const ask = createQuestionToAll<{ mandant_id: string }>(
    db,
    'zaehlmarken',
    (marks) => `SELECT DISTINCT mandant_id FROM ${marks}`,
  );

  /** Takes the next marks of these Mandanten, but for those others are taking; resolves with how many. */
  const take = (mandanten: string[]): Promise<number> =>
    db.transaction(async (client) => {
      const { rows: locked } = await client.query<{ mandant: string }>(LOCK, [mandanten]);
      if (locked.length === 0) return 0;
      const [one, another] = locked;
      const { rows: marks } =
        one && !another
          ? await client.query<Mark>(TAKE_OF_ONE, [one.mandant])
          : await client.query<Mark>(TAKE, [locked.map(({ mandant }) => mandant)]);
      if (marks.length > 0) for (const handle of handlers) await handle(client, marks);
      return marks.length;
    });

  /** One round over all Mandanten with marks; throws the first fault once everybody had a turn. */
  const pass = async (): Promise<boolean> => {
    const { rows } = await ask();
    const all = rows.map(({ mandant_id: mandant }) => mandant);
    const turns: string[][] = [];
    const atOnce = (await db.isCluster()) ? 1 : MANDANTEN_AT_ONCE;
    while (all.length > 0) turns.push(all.splice(0, atOnce));
    let taken = 0;
    const faults: unknown[] = [];
    for (let turn = turns.shift(); turn && !stopping; turn = turns.shift()) {
      try {
        const marks = await take(turn);
        sweeping.gone(marks);
        taken += marks;
      } catch (error) {
        // Of a cluster only the worker that has this Mandant may be down.
        if (isUnreachable(error) && atOnce > 1) throw error;
        const [mandant, ...others] = turn;
        if (others.length > 0) turns.unshift(...turn.map((each) => [each]));
        else {
          log.warn({ err: error, mandant }, 'marks of counting not taken; trying again');
          faults.push(error);
        }
      }
    }
    if (faults.length > 0) throw faults[0];
    return taken > 0;
  };

  const loop = async (): Promise<void> => {
    while (!stopping) {
      let wait = LOOK;
      woken = false;
      try {
        if (await pass()) continue;
      } catch {
        wait = TROUBLE_PAUSE;
      }
      if (woken || stopping) continue;
      pause = new AbortController();
      await delay(wait, null, { signal: pause.signal }).catch(() => undefined);
    }
  };

  return {
    async drain() {
      while (await pass());
      await sweeping.end();
    },
    start() {
      running = loop();
    },
    wake() {
      woken = true;
      pause.abort();
    },
    async stop() {
      stopping = true;
      pause.abort();
      await running;
      await sweeping.end();
    },
  };
}
