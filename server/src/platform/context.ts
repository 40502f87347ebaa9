import type { Clock } from '#kernel/clock.ts';
import type { ArchiveRoom } from './archive-room.ts';
import type { Config } from './config.ts';
import type { RequestDatabase } from './database/index.ts';
import type { Documents } from './documents.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { Outbound } from './outbound.ts';
import type { SecretBox } from './secret-box.ts';
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
  /** Where archives are made and wait for their readers. */
  spools: ArchiveRoom;
  version: string;
  /** Aborted once the service is about to stop: the load balancer is to take it out. */
  leaving?: AbortSignal;
}
