/** Looks at the parts though nobody asks, and writes down what was seen; what cannot be written now is written later. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { ServiceContext } from '#platform/context.ts';
import { isUnreachable } from '#platform/database/index.ts';
import type { Board } from './board.ts';
import { endWriting, type SpanRow, writeSpans } from './store.ts';
import type { Sighting } from './timeline.ts';

const LOOK_MS = 15_000;
/** So often at least it is written that nothing has changed. */
const WRITE_MS = 60_000;
const LAST_WORDS_MS = 2_000;
/** More than two clocks drift apart between two writings: one of them was set. */
const SET_MS = 5_000;

/** What every process sees with its own eyes; the rest all of them read from the same database. */
const OWN: ReadonlySet<string> = new Set(['datenbank', 'annahme', 'speicherplatz', 'uhr']);

export interface Watch {
  start(): void;
  /** Looks once, and writes down what is due. */
  look(): Promise<void>;
  /** Writes down what was seen last. */
  stop(): Promise<void>;
}

/** Writes down what the board has seen, under the clock of the database. */
function createScribe(context: Pick<ServiceContext, 'db'>, { timeline, steady }: Board) {
  const observer = randomUUID();
  /** How far the clock of the database is ahead of the steady one, as of the last writing. */
  let ahead: number | null = null;
  let writtenAt = Number.NEGATIVE_INFINITY;
  /** One process writes for all; the others add what only they saw, and only what was not well. */
  const isTold = (isWriter: boolean) => (each: Sighting) =>
    isWriter || (OWN.has(each.name) && each.status !== 'ok');

  return {
    isDue: () => steady() - writtenAt >= WRITE_MS || timeline.all().some(({ from }) => from > writtenAt),
    /** Throws when the database does not take it; it is kept then. */
    async write(): Promise<void> {
      const began = steady();
      const told = { spans: [] as SpanRow[], isWriter: false, ahead: 0 };
      await writeSpans(context.db, observer, (now, isWriter) => {
        told.isWriter = isWriter;
        told.ahead = now - steady();
        if (ahead !== null && Math.abs(told.ahead - ahead) > SET_MS) timeline.split();
        const due = timeline.all().filter((each) => each.writtenTo !== each.to && isTold(isWriter)(each));
        told.spans = due.map(({ id, name, status, from, to }) => ({ id, name, status, from, to }));
        return told.spans.map((span) => ({
          ...span,
          from: span.from + told.ahead,
          to: span.to + told.ahead,
        }));
      });
      ahead = told.ahead;
      writtenAt = began;
      timeline.noteWritten(told.spans, (each) => !isTold(told.isWriter)(each));
    },
    leave: () => endWriting(context.db, observer),
  };
}

export function createWatch(context: Pick<ServiceContext, 'db' | 'log'>, board: Board): Watch {
  const scribe = createScribe(context, board);
  const stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();

  const write = async (): Promise<void> => {
    try {
      await scribe.write();
      board.forgetHistory();
    } catch (error) {
      // A database that is away, or has no room, is what the history is about: it is written when that is over.
      if (!isUnreachable(error)) context.log.warn({ err: error }, 'history of the status not written');
    }
  };
  const look = async (): Promise<void> => {
    await board.standing();
    if (scribe.isDue()) await write();
  };
  const keepLooking = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await look();
      await delay(LOOK_MS, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
    }
  };
  return {
    look,
    start() {
      running = keepLooking();
    },
    async stop() {
      stopping.abort();
      const ended = running.then(write).then(() => scribe.leave().catch(() => undefined));
      // A database that hangs does not keep the service from stopping.
      await Promise.race([ended, delay(LAST_WORDS_MS, undefined, { ref: false })]);
    },
  };
}
