/** Counting: from the inbox to events, rollups and runs. The one module that writes them, as the owner of the tables. */
export { holdCounting } from './count-stretch.ts';
export { createNachpreisen } from './jobs/nachpreisen.ts';
export { type CountingWorker, createCountingWorker, type WorkerOptions } from './worker.ts';
