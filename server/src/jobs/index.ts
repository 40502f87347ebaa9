export { type Job, type JobContext, job } from './job.ts';
export { type Scheduler, startScheduler } from './scheduler.ts';
