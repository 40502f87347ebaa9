/** The statement as a PDF, made where nobody waits for it. */
import type { Documents } from '#platform/documents.ts';
import type { Statement } from './model.ts';

const THREAD = new URL('./thread.ts', import.meta.url);

/** As `statementPdf`, in a thread; throws 503 `ueberlastet` when too many documents wait already (unless `patient`) or when it takes too long. */
export const makeStatement = (
  documents: Documents,
  statement: Statement,
  options: { patient?: boolean } = {},
): Promise<Uint8Array> => documents.make(THREAD, statement, options);
