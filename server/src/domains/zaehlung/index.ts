/** Counting: from the inbox to events, rollups and runs. The one module that writes them, as the owner of the tables. */
import type { PriceList } from '#domains/preise/index.ts';
import type { Job, JobContext } from '#jobs/index.ts';
import { ersatzkurseErsetzenJob } from './jobs/ersatzkurse-ersetzen.ts';
import { nachListePreisenJob, nachPreisbuchPreisenJob, nachpreisenJob } from './jobs/nachpreisen.ts';
import { quellenVergessenJob } from './jobs/quellen-vergessen.ts';
import { werteFuehrenJob } from './jobs/werte-fuehren.ts';
import { werteVergessenJob } from './jobs/werte-vergessen.ts';

export { askForValues } from './ask-for-values.ts';
export type { AskedValue } from './asked-values.ts';
export { type CallBesideList, readBesideList } from './beside-list.ts';
export { lockCounting } from './change-calls.ts';
export { giveWay } from './give-way.ts';
export { keepValues } from './keep-values.ts';
export { readMarkCounts } from './mark-counts.ts';
export { createMarkConsumer } from './marks.ts';
export { isPassing } from './passing.ts';
export { setRepeats } from './repeats.ts';
export { wiederholungen } from './repeats-job.ts';
export {
  type Looked,
  lookAtPrices,
  type Place,
  type Repriced,
  repriceCalls,
  type Stretch as PriceStretch,
} from './reprice.ts';
export { findRetold, retoldIn } from './retold.ts';
export { takeBackImported } from './take-back.ts';
export { holdCounting } from './taking.ts';
export { createCountingWorker } from './worker.ts';

export const zaehlungJobs = (context: JobContext, prices: PriceList): Job[] => [
  nachpreisenJob(context, prices),
  nachListePreisenJob(context, prices),
  nachPreisbuchPreisenJob(context, prices),
  ersatzkurseErsetzenJob(context),
  quellenVergessenJob(context),
  werteFuehrenJob(context),
  werteVergessenJob(context),
];
