/** What tests of more than one slice take from behind the doors of slices: the service itself does it by schedule, or within one. */
export { pruefenJobs } from '#domains/budgets/jobs/pruefen.ts';
export { idempotenzAufraeumenJob } from '#domains/ereignisse/jobs/idempotenz-aufraeumen.ts';
export { loeschenJob } from '#domains/kuendigung/jobs/loeschen.ts';
export { removeMandant } from '#domains/kuendigung/owner/removal.ts';
export { MAX_ATTACHED } from '#domains/postausgang/attachment.ts';
export { costOf } from '#domains/preise/cost.ts';
export { nachpreisenJob } from '#domains/zaehlung/jobs/nachpreisen.ts';
export type { CountingWorker } from '#domains/zaehlung/worker.ts';
