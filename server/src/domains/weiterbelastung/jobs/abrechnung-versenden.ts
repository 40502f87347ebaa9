import { Type, uuid } from '#contracts';
import { defineJob, handle, type JobContext } from '#jobs/index.ts';
import type { DocumentContext } from '../service/documents.ts';
import { abandonStatement, sendStatement } from '../service/send-statement.ts';

/** A statement is to be sent. */
export const ABRECHNUNG_VERSENDEN = defineJob({
  id: 'weiterbelastung.abrechnung_versenden',
  version: 1,
  payload: Type.Object({ versendung_id: uuid() }),
  concurrency: 2,
});

export const abrechnungVersendenJob = (context: DocumentContext & Pick<JobContext, 'secrets'>) =>
  handle(
    ABRECHNUNG_VERSENDEN,
    ({ mandant, payload }) => sendStatement(context, mandant, payload.versendung_id),
    ({ mandant, payload }) => abandonStatement(context, mandant, payload.versendung_id),
  );
