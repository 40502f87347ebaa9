export { askForCheck, type Check, checkJobs, defineCheck } from './check.ts';
export type { JobContext } from './context.ts';
export { enqueue, enqueueFor } from './enqueue.ts';
export { GiveUp, TryAgain } from './failure.ts';
export { forEveryMandant, type Selected } from './for-every-mandant.ts';
export {
  type DeadLetter,
  discardDeadLetter,
  type JobState,
  listDeadLetters,
  readJobStates,
  requeueDeadLetters,
} from './given-up.ts';
export { type Call, defineJob, handle, type Job, type JobKind, onSchedule, type Retry } from './job.ts';
export { type LastRun, readLastRun } from './last-run.ts';
export { CERTAIN_AFTER_HOURS, passedBefore } from './passed-time.ts';
export { olderPayload } from './payload.ts';
export { createRunner, type Runner } from './runner.ts';
export type { Counters } from './shared-run.ts';
export { type RunningJobs, startJobs } from './start.ts';
export { enqueueForInstallation } from './store.ts';
