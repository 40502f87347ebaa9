import Type from 'typebox';
import { uuid } from '#contracts';
import { holdMandant } from '#domains/mandant/index.ts';
import { defineJob, handle, type Job, type JobContext } from '#jobs/index.ts';
import { distribute } from '../service/distribute.ts';

/** Puts in the deliveries of an alarm: one for each channel, so that one which does not answer holds up no other. */
export const verteilen = defineJob({
  id: 'alarme.verteilen',
  version: 1,
  payload: Type.Object({ alarm_id: uuid() }),
  retry: { first: 5, longest: 600, attempts: 60 },
  concurrency: 2,
});

export const verteilenJob = ({ db, secrets, clock }: Pick<JobContext, 'db' | 'secrets' | 'clock'>): Job =>
  handle(verteilen, ({ mandant, payload: { alarm_id } }) =>
    db.forMandant(mandant, async (tx) =>
      (await holdMandant(tx)) ? distribute(tx, secrets, clock.now(), alarm_id) : {},
    ),
  );
