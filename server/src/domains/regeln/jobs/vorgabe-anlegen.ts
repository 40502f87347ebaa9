import { mandantAngelegt } from '#domains/mandant/index.ts';
import { handle, type Job, type JobContext } from '#jobs/index.ts';
import { putDefaults } from '../put-defaults.ts';

/** A new Mandant gets the rules it begins with. */
export const vorgabeAnlegenJob = (context: Pick<JobContext, 'db' | 'clock'>): Job =>
  handle(mandantAngelegt, async ({ mandant }) => ({ regeln: await putDefaults(context, mandant) }));
