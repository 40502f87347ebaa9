import { forEveryMandant, type JobContext, onSchedule } from '#jobs/index.ts';
import { handOnAll } from '../service/hand-on.ts';

const DUE = 'SELECT DISTINCT mandant_id FROM otlp_faellig WHERE ab <= now()';

/** Hands on what is due though its clock has not struck: of a process that has ended. */
export const nachholenJob = (context: Pick<JobContext, 'owner' | 'db' | 'log' | 'clock'>) =>
  onSchedule({
    id: 'otlp.nachholen',
    cron: '* * * * *',
    atStart: true,
    run: async () => {
      const traces = await forEveryMandant(context, DUE, (mandant) =>
        handOnAll(context.db, mandant, context.clock.now()),
      );
      return { spuren: traces.reduce<number>((sum, each) => sum + (each ?? 0), 0) };
    },
  });
