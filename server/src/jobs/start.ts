/** Starts everything that makes jobs run: the runner, the ear for new ones, the clock. */
import { randomInt } from 'node:crypto';
import type pg from 'pg';
import { createListener } from '#platform/database/index.ts';
import { CHANNEL } from './enqueue.ts';
import { type Job, onSchedule } from './job.ts';
import { createRunner, type RunnerOptions } from './runner.ts';
import { startClockwork } from './schedule.ts';
import { giveUpStranded, showLife } from './store.ts';

export interface RunningJobs {
  stop(): Promise<void>;
}

/** Two jobs of one name would take each other's work. */
function refuseDuplicates(jobs: Job[]): void {
  const ids = jobs.map(({ id }) => id);
  const twice = ids.filter((id, index) => ids.indexOf(id) !== index);
  if (twice.length > 0) throw new Error(`several jobs are named ${twice.join(', ')}`);
}

/** Throws when two jobs share a name. A database that is away stops nothing: what is due is run once it is back. */
export function startJobs(
  connection: pg.ClientConfig,
  { jobs: given, db, log, observe, worker }: RunnerOptions,
): RunningJobs {
  const jobs: Job[] = [
    ...given,
    onSchedule({
      id: 'auftraege.gestrandete_aufgeben',
      cron: '51 * * * *',
      atStart: true,
      run: async () => ({ aufgegeben: await giveUpStranded(db, jobs) }),
    }),
  ];
  refuseDuplicates(jobs);
  const id = randomInt(2 ** 31);
  const runner = createRunner({ jobs, db, log, observe, worker: { id, ...worker } });
  runner.start();
  const onListening = () => runner.wake();
  const listener = createListener({
    ...{ connection, channel: CHANNEL, onListening, log },
    onNotice: runner.wake,
    onConnected: (client) => showLife(client, id),
  });
  const clockwork = startClockwork(jobs, db, log);
  return {
    async stop() {
      await Promise.all([clockwork.stop(), listener.stop(), runner.stop()]);
    },
  };
}
