/** `npm run demo`: the whole service with a made-up company in it, 30 days of its past, and traffic that goes on. */

import { run, stopOnSignal } from '#main/process.ts';
import { startService } from '#main/service.ts';
import { play } from './play.ts';
import { DemoRefused } from './state.ts';

// A line per request would push the progress and the login off the screen.
process.env.LOG_LEVEL ??= 'error';

/** A sentence for what the person at the keyboard can put right; null for everything else. */
function sentenceFor(error: unknown, port: number): string | null {
  if (error instanceof DemoRefused) return error.message;
  if ((error as { code?: string }).code !== 'EADDRINUSE') return null;
  return `Der Port ${port} ist belegt. Mit PORT=${port + 1} npm run demo läuft die Demo auf einem anderen.`;
}

await run(async (config, log) => {
  const ending = new AbortController();
  console.log('Zählwerk wird gestartet …');
  // Alarms of the demo come to a receiver in this process.
  const allowedNetworks = [...config.allowedNetworks, '127.0.0.1'];
  const starting = startService({ ...config, allowedNetworks, role: 'all' }, log);
  const playing = starting.then((service) => {
    log.info({ address: service.address }, 'ready');
    return play(config, service, log, ending.signal);
  });
  stopOnSignal(log, async () => {
    console.log('\nDie Demo wird beendet …');
    ending.abort();
    await Promise.allSettled([playing]);
    await (await starting).stop();
  });
  try {
    await playing;
  } catch (error) {
    if (ending.signal.aborted) return;
    await starting.then(
      (service) => service.stop(),
      () => undefined,
    );
    const sentence = sentenceFor(error, config.port);
    if (sentence === null) throw error;
    console.error(sentence);
    process.exit(1);
  }
});
