/** `npm start`: database, API, counting and cockpit in one process (`ROLLE` narrows it down). */
import { greetingFor, hasNoMandant, terminalLanguage } from './greeting.ts';
import { run, stopOnSignal } from './process.ts';
import { startService } from './service.ts';

await run(async (config, log) => {
  const service = await startService(config, log);
  stopOnSignal(log, service.stop);
  log.info({ address: service.address, role: config.role }, 'ready');
  const { publicAddress, connection } = service;
  if (publicAddress === null) return;
  // Not among the lines of the log, which machines read.
  const isEmpty = await hasNoMandant(connection, log).catch(() => false);
  process.stderr.write(`${greetingFor(publicAddress, isEmpty, terminalLanguage(process.env))}\n`);
});
