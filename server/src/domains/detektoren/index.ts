/** Detectors: what rules are about, looked for in the calls of the last day. */
import type { Job, JobContext } from '#jobs/index.ts';
import { wiederholungenJob } from './jobs/wiederholungen.ts';

export type { Candidate, RecordFindings } from './candidate.ts';
export { wiederholungenJob } from './jobs/wiederholungen.ts';
export { createLookout } from './owner/on-marks.ts';
export { record } from './owner/record.ts';
export { type Detected, type DetectionContext, runDetectors } from './owner/run-detectors.ts';

export const detektorenJobs = (context: Pick<JobContext, 'owner' | 'clock'>): Job[] => [
  wiederholungenJob(context),
];
