/** A process of its own that takes up the job `test.lang` of a database and never ends it; it says so on its output. */
import Type from 'typebox';
import { defineJob, handle, startJobs } from '#jobs/index.ts';
import { createPool } from '#platform/database/index.ts';
import { createOwnerDatabase } from '#platform/database/owner-database.ts';
import { createLog } from '#platform/log.ts';

const connection = JSON.parse(process.argv[2] as string);
const log = createLog('error');
const db = createOwnerDatabase(
  createPool({ connection, max: 3, statementTimeout: 15_000, name: 'test' }, log),
);
const kind = defineJob({ id: 'test.lang', version: 1, payload: Type.Object({}) });
const job = handle(kind, () => {
  process.stdout.write('begun\n');
  return new Promise<never>(() => undefined);
});
startJobs(connection, { jobs: [job], db, log, observe: () => undefined, worker: { claimSeconds: 2 } });
