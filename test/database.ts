/** Databases for tests, on the one PostgreSQL of the run (`global-setup.ts`). */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    postgresHost: string;
    postgresUser: string;
  }
}

/** The migrated database that others are copies of. */
export const TEMPLATE = 'zaehlwerk_vorlage';

export interface TestDatabase {
  /** As its owner. */
  connection: pg.ClientConfig;
  drop(): Promise<void>;
}

/** A new database, made as `options` of CREATE DATABASE say. */
export async function createDatabase(options = ''): Promise<TestDatabase> {
  const host = inject('postgresHost');
  if (!host) throw new Error('no PostgreSQL here: vitest.config.ts takes this file for one that needs none');
  const name = `t_${randomBytes(6).toString('hex')}`;
  const connection = { host, user: inject('postgresUser'), database: name };
  const admin = async (sql: string) => {
    const client = new pg.Client({ ...connection, database: 'postgres' });
    await client.connect();
    await client.query(sql);
    await client.end();
  };
  await admin(`CREATE DATABASE ${name} ${options}`);
  return { connection, drop: () => admin(`DROP DATABASE ${name} WITH (FORCE)`) };
}

/** A fresh clone of the migrated template. */
export const cloneDatabase = (): Promise<TestDatabase> => createDatabase(`TEMPLATE ${TEMPLATE}`);
