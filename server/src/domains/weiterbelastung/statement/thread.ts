/** What runs in the thread of documents. */
import { inThread } from '#platform/documents.ts';
import { statementPdf } from './statement.ts';

export default inThread(statementPdf);
