/** `npm start`: database, API, counting and cockpit in one process (`ROLLE` narrows it down). */
import { mailwegOf } from '#platform/mail.ts';
import { greetingFor, hasNoMandant, mailHint, terminalLanguage } from './greeting.ts';
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
  const language = terminalLanguage(process.env);
  const lines = [greetingFor(publicAddress, isEmpty, language), mailHint(mailwegOf(config), language)];
  for (const line of lines) if (line !== null) process.stderr.write(`${line}\n`);
});
