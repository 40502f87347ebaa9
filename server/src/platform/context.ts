import type { Clock } from '#kernel/clock.ts';
import type { Config } from './config.ts';
import type { RequestDatabase } from './database/index.ts';
import type { Documents } from './documents.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { Outbound } from './outbound.ts';
import type { SecretBox } from './secret-box.ts';
import type { SpoolRoom } from './spool.ts';
import type { Throttle } from './throttle.ts';

/** What `main` hands to every slice: the outside world, made once. */
export interface ServiceContext {
  db: RequestDatabase;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  config: Config;
  secrets: SecretBox;
  outbound: Outbound;
  throttle: Throttle;
  documents: Documents;
  /** Where archives wait for their readers. */
  spools: SpoolRoom;
  version: string;
}
