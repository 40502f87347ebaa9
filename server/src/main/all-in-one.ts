/** `npm start`: database, API, counting and cockpit in one process (`ROLLE` narrows it down). */
import { run, stopOnSignal } from './process.ts';
import { startService } from './service.ts';

await run(async (config, log) => {
  const service = await startService(config, log);
  stopOnSignal(log, service.stop);
  log.info({ address: service.address, role: config.role }, 'ready');
});
