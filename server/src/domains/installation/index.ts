/** What this installation may do: its licence, the revocation list it follows, how many Mandanten it covers. */
import type { Job, JobContext } from '#jobs/index.ts';
import { sperrlisteHolenJob } from './jobs/sperrliste-holen.ts';

export { readKeys } from './keys.ts';
export { installedLicence, LICENCE_TYPE, verifyLicence } from './licence.ts';
export { LIST_TYPE, signedList } from './list.ts';
export { listAddressOf } from './owner/fetch-list.ts';
export { noteUse, type Outcome, takeList } from './owner/known-list.ts';
export { type Lizenzstand, readLizenzstand, requireMandantenPlatz } from './service.ts';
export { fingerprintOf, NotSigned, sign } from './signed.ts';
export { countMandanten } from './store.ts';

export const installationJobs = (context: JobContext): Job[] => [sperrlisteHolenJob(context)];
