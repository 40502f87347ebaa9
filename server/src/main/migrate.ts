/** `npm run migrate`: brings the schema up to date and ends; for deployments that migrate before they start, while the former version serves. */
import { openToMigrate } from './database.ts';
import { run } from './process.ts';

await run(async (config, log) => {
  const database = await openToMigrate(config, log);
  await database.stop();
  log.info('schema is up to date');
});
