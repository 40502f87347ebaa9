/** Health and public status, with its history; what the metrics ask of the database. */
import type { Acceptance } from '#domains/ereignisse/index.ts';
import { readPriceListAge } from '#domains/preise/index.ts';
import type { Route } from '#http/index.ts';
import { type Job, type JobContext, readJobStates } from '#jobs/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { type Board, createBoard } from './board.ts';
import { alteZustaendeEntfernenJob } from './jobs/alte-zustaende-entfernen.ts';
import { createProbe } from './probe.ts';
import { gesundRoute } from './routes/gesund.ts';
import { statusRoute } from './routes/status.ts';
import { verlaufRoute } from './routes/verlauf.ts';
import { ping, readArchiver, readBacklog, readBackupState } from './store.ts';
import { createWatch, type Watch } from './watch.ts';

export { noteBackup } from './owner/backup-state.ts';

/** What the service knows of itself: its routes, how its parts are, and who looks at them though nobody asks. */
export interface System extends Pick<Board, 'standing'> {
  routes: Route[];
  watch: Watch;
}

/** Has the gauges read when they are scraped. */
export function watchGauges(context: Pick<ServiceContext, 'db' | 'clock' | 'metrics'>): void {
  const { metrics } = context;
  metrics.onBacklog(createProbe(() => readBacklog(context.db)));
  metrics.onJobs(createProbe(() => readJobStates(context.db)));
  metrics.onBackup(createProbe(() => readBackupState(context.db)));
  metrics.onArchive(createProbe(() => readArchiver(context.db)));
  metrics.onPriceList(createProbe(() => readPriceListAge(context)));
}

/** Makes the question whether the database answers; it never throws. */
export function createHealthCheck(context: Pick<ServiceContext, 'db' | 'log'>): () => Promise<boolean> {
  const probe = createProbe(() => ping(context.db));
  return async () => {
    try {
      await probe();
      return true;
    } catch (error) {
      context.log.warn({ err: error }, 'health check: no answer from the database');
      return false;
    }
  };
}

export function createSystem(context: ServiceContext, acceptance: Pick<Acceptance, 'trouble'>): System {
  watchGauges(context);
  const board = createBoard(context, acceptance);
  return {
    routes: [
      gesundRoute(context, createHealthCheck(context), createProbe(acceptance.trouble)),
      statusRoute(context, board),
      verlaufRoute(context, board),
    ],
    standing: () => board.standing(),
    watch: createWatch(context, board),
  };
}

export const systemJobs = (context: Pick<JobContext, 'owner'>): Job[] => [alteZustaendeEntfernenJob(context)];
