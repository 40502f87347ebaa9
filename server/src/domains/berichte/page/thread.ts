/** What runs in the thread of documents. */
import { inThread } from '#platform/documents.ts';
import { printReport } from './print.ts';

export default inThread(printReport);
