/** A report as a PDF, made in a thread of its own. */
import type { MandantId } from '#kernel/mandant-id.ts';
import type { Documents, Patience } from '#platform/documents.ts';
import type { Brand } from '../service/brand.ts';
import type { ReportDocument } from './document.ts';

/** What the thread sets. */
export interface PrintedReport {
  document: ReportDocument;
  brand: Brand;
  /** ISO 8601 in UTC. */
  erstellt_am: string;
}

const THREAD = new URL('./thread.ts', import.meta.url);

/** The PDF's bytes; throws 503 `ueberlastet` when too many documents wait already (unless `patient`) or when it takes too long. */
export const makePdf = (
  documents: Documents,
  mandant: MandantId,
  report: PrintedReport,
  options: Patience = {},
): Promise<Uint8Array> => documents.make(mandant, THREAD, report, options);
