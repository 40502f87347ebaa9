/** Counting: from the inbox to events, rollups and runs. The one module that writes them, as the owner of the tables. */
export { holdCounting } from './count-stretch.ts';
export { createNachpreisen } from './jobs/nachpreisen.ts';
export { createMarkConsumer, type Mark, type MarkConsumer, type MarkHandler } from './marks.ts';
export { createLoadSignal, createStepBack, type LoadSignal, type StepBack, showLoad } from './step-back.ts';
export { type CountingWorker, createCountingWorker, type WorkerOptions } from './worker.ts';
