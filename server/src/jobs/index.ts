export { askForCheck, checkJobs, defineCheck } from './check.ts';
export type { JobContext } from './context.ts';
export { enqueue, enqueueFor } from './enqueue.ts';
export {
  /** @public No job of today gives up. */
  GiveUp,
  TryAgain,
} from './failure.ts';
export { forEveryMandant, type Selected } from './for-every-mandant.ts';
export {
  discardDeadLetter,
  type JobState,
  listDeadLetters,
  readJobStates,
  requeueDeadLetters,
} from './given-up.ts';
export { defineJob, handle, type Job, onSchedule } from './job.ts';
export { type LastRun, readLastRun } from './last-run.ts';
export { CERTAIN_AFTER_HOURS, passedBefore } from './passed-time.ts';
export {
  /** @public No payload has had another version yet. */
  olderPayload,
} from './payload.ts';
export type { Counters } from './shared-run.ts';
export { startJobs } from './start.ts';
export { enqueueForInstallation } from './store.ts';
