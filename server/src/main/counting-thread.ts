/** Entry of the thread that counts beside the API, so that counting never holds up its event loop. */
import { parentPort, workerData } from 'node:worker_threads';
import { createStepBack, type LoadSignal } from '#platform/back-pressure.ts';
import type { Config } from '#platform/config.ts';
import type { Connections } from '#platform/database/index.ts';
import { createLog } from '#platform/log.ts';
import { type CountingMessage, startCounting } from './counting.ts';

const { config, connections, load } = workerData as {
  config: Config;
  connections: Connections;
  /** How busy the thread of the API is. */
  load: LoadSignal;
};
const port = parentPort;
if (!port) throw new Error('runs as a worker thread only');

const tell = (message: CountingMessage) => port.postMessage(message);

const counting = startCounting(config, connections, createLog(config.logLevel), tell, createStepBack(load));
tell('started');
port.once('message', async () => {
  await counting.stop();
  port.close();
});
