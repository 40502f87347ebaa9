/** The statement as a PDF, made where nobody waits for it. */
import type { MandantId } from '#kernel/mandant-id.ts';
import type { Documents, Patience } from '#platform/documents.ts';
import type { Statement } from './model.ts';

const THREAD = new URL('./thread.ts', import.meta.url);

/** As `statementPdf`, in a thread; throws 503 `ueberlastet` when too many documents wait already (unless `patient`) or when it takes too long. */
export const makeStatement = (
  documents: Documents,
  mandant: MandantId,
  statement: Statement,
  options: Patience = {},
): Promise<Uint8Array> => documents.make(mandant, THREAD, statement, options);
