/** The database as its owner sees it, with somebody who interrupts: at a transaction, or in the middle of one. */
import type pg from 'pg';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';

export class Killed extends Error {}

/**
 * Lets `passes` transactions through and dies at the next one: before its commit, or after it and before anybody hears of
 * it.
 */
export function dyingAfter(db: OwnerDatabase, passes: number, when: 'before' | 'after'): OwnerDatabase {
  let left = passes;
  return {
    ...db,
    async transaction(work) {
      if (left > 0) {
        left -= 1;
        return db.transaction(work);
      }
      if (when === 'after') await db.transaction(work);
      else
        await db.transaction(async (client) => {
          await work(client);
          throw new Killed();
        });
      throw new Killed();
    },
  };
}

/** Dies in front of the given statement of its repeatable transactions, their commits among them, or after a commit and before anybody hears of it. */
export function dyingAt(db: OwnerDatabase, statement: number): OwnerDatabase {
  let left = statement;
  const live = () => {
    left -= 1;
    if (left < 0) throw new Killed();
  };
  const mortal = (client: pg.PoolClient): pg.PoolClient => {
    const query: Query = async (...given) => {
      live();
      return (client.query as Query).call(client, ...given);
    };
    return new Proxy(client, {
      get: (target, name) => (name === 'query' ? query : Reflect.get(target, name, target)),
    });
  };
  return {
    ...db,
    async repeatable(work) {
      const result = await db.repeatable(async (client) => {
        const done = await work(mortal(client));
        live();
        return done;
      });
      live();
      return result;
    },
  };
}

/** Stops at the first statement that `matches`, until it is let go. */
export interface Pause {
  db: OwnerDatabase;
  /** Resolves when it has stopped there. */
  reached: Promise<void>;
  release(): void;
}

type Query = (text: unknown, ...rest: unknown[]) => unknown;

/** The text of a statement, prepared or not. */
const sqlOf = (query: unknown): string =>
  typeof query === 'string' ? query : ((query as { text?: string }).text ?? '');

type Begin = OwnerDatabase['transaction'];

/** Changes transactions of both kinds. */
const everyTransaction = (db: OwnerDatabase, change: (begin: Begin) => Begin): OwnerDatabase => ({
  ...db,
  transaction: change(db.transaction),
  repeatable: change(db.repeatable),
});

/** Waits in front of the first statement that `matches`, inside its transaction. */
export function pausingAt(db: OwnerDatabase, matches: (sql: string) => boolean): Pause {
  const reached = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const watched = (client: pg.PoolClient): pg.PoolClient => {
    const query: Query = (text, ...rest) => {
      const run = () => (client.query as Query).call(client, text, ...rest);
      if (!matches(sqlOf(text))) return run();
      reached.resolve();
      return gate.promise.then(run);
    };
    return new Proxy(client, {
      get: (target, name) => (name === 'query' ? query : Reflect.get(target, name, target)),
    });
  };
  return {
    db: everyTransaction(db, (begin) => (work) => begin((client) => work(watched(client)))),
    reached: reached.promise,
    release: gate.resolve,
  };
}

/** Waits in front of the first transaction: what was read before it gets old. */
export function pausingBeforeTransaction(db: OwnerDatabase): Pause {
  const reached = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  return {
    db: everyTransaction(db, (begin) => async (work) => {
      reached.resolve();
      await gate.promise;
      return begin(work);
    }),
    reached: reached.promise,
    release: gate.resolve,
  };
}
