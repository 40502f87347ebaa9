/** One PostgreSQL per test run, in a temporary directory; a migrated template that every test file clones. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { migrate, OWNER_ROLE, startEmbedded } from '#platform/database/index.ts';
import { createLog } from '#platform/log.ts';
import { asSystem, TEMPLATE } from './database.ts';

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = mkdtempSync(join(tmpdir(), 'zw-test-'));
  const log = createLog('error');
  const embedded = await startEmbedded(directory, log);
  const host = embedded.connection.host as string;
  await asSystem(host, `CREATE DATABASE ${TEMPLATE} OWNER ${OWNER_ROLE}`);
  await migrate({ ...embedded.connection, database: TEMPLATE }, log);
  project.provide('postgresHost', host);
  return async () => {
    await embedded.stop();
    rmSync(directory, { recursive: true, force: true });
  };
}
