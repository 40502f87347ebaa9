/** `npm run migrate`: brings the schema up to date and ends; for deployments that migrate before they start. */
import { openDatabase } from './database.ts';
import { run } from './process.ts';

await run(async (config, log) => {
  const database = await openDatabase(config, log);
  await database.stop();
  log.info('schema is up to date');
});
