/** Composes what `METRICS_PORT` offers, in whatever role. */
import { createHealthCheck, watchGauges } from '#domains/system/index.ts';
import { systemClock } from '#kernel/clock.ts';
import type { Config } from '#platform/config.ts';
import { type Connections, createPool, createRequestDatabase } from '#platform/database/index.ts';
import type { Log } from '#platform/log.ts';
import type { Metrics } from '#platform/metrics.ts';
import { type MetricsServer, startMetricsServer } from '#platform/metrics-server.ts';

const STATEMENT_TIMEOUT = 10_000;
const GIVE_UP = 12_000;

/** Listens there, with connections of its own, so that it answers while others are busy. Throws where the address is taken. */
export async function startMetrics(
  address: NonNullable<Config['metrics']>,
  { requests }: Connections,
  log: Log,
  metrics: Metrics,
): Promise<MetricsServer> {
  const options = { statementTimeout: STATEMENT_TIMEOUT, giveUp: GIVE_UP, pipeline: true };
  const db = createRequestDatabase(
    createPool({ ...options, connection: requests, max: 2, name: 'metrics' }, log),
  );
  watchGauges({ db, clock: systemClock, metrics });
  const isWell = createHealthCheck({ db, log });
  try {
    const server = await startMetricsServer(address, { metrics, isWell, log });
    log.info({ address: server.address }, 'metrics offered');
    return {
      address: server.address,
      async stop() {
        await server.stop();
        await db.close();
      },
    };
  } catch (error) {
    await db.close();
    throw error;
  }
}
