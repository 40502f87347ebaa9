/** One PostgreSQL per test run, in a temporary directory; a migrated template that every test file clones. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { migrate, startEmbedded } from '#platform/database/index.ts';
import { createLog } from '#platform/log.ts';
import { TEMPLATE } from './database.ts';

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = mkdtempSync(join(tmpdir(), 'zw-test-'));
  const log = createLog('error');
  const embedded = await startEmbedded(directory, log);
  const { host, user } = embedded.connection;
  const admin = new pg.Client({ ...embedded.connection, database: 'postgres' });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${TEMPLATE}`);
  await admin.end();
  await migrate({ ...embedded.connection, database: TEMPLATE }, log);
  project.provide('postgresHost', host as string);
  project.provide('postgresUser', user as string);
  return async () => {
    await embedded.stop();
    rmSync(directory, { recursive: true, force: true });
  };
}
