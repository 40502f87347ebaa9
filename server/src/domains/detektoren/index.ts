/** Detectors: what rules are about, looked for in the calls of the last day. */
export type { Candidate, RecordFindings } from './candidate.ts';
export { type Detected, type DetectionContext, runDetectors } from './owner/run-detectors.ts';
