/** What every entry shares: configuration or a sentence why not, signals, exit codes. */
import { type Config, ConfigError, parseConfig } from '#platform/config.ts';
import { createLog, type Log } from '#platform/log.ts';

/** Runs `main` with the configuration of the environment; a wrong variable ends the process with its name. */
export async function run(main: (config: Config, log: Log) => Promise<void>): Promise<void> {
  let config: Config;
  try {
    config = parseConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(error.message);
    process.exit(2);
  }
  const log = createLog(config.logLevel);
  try {
    await main(config, log);
  } catch (error) {
    log.fatal({ err: error }, 'start failed');
    process.exit(1);
  }
}

/** npm hands on a Ctrl-C that the terminal has sent to its child as well; what follows this soon is the same one. */
const ECHO_MS = 1_000;

/** Ends the process with 0 once `stop` is done, on the first SIGTERM or SIGINT; a second one ends it at once. */
export function stopOnSignal(log: Log, stop: () => Promise<void>): void {
  let stoppingSince: number | null = null;
  const onSignal = (signal: NodeJS.Signals) => {
    if (stoppingSince !== null) {
      if (performance.now() - stoppingSince > ECHO_MS) process.exit(1);
      return;
    }
    stoppingSince = performance.now();
    log.info({ signal }, 'stopping');
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.fatal({ err: error }, 'stop failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}
