import { abrechnungPdf } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { Content, type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { plainName } from '../file-names.ts';
import { issueStatement } from '../service/documents.ts';

export const abrechnungPdfRoute = (context: ServiceContext): Route =>
  route(
    abrechnungPdf,
    async (call) => {
      const asked = { monat: call.query.monat, referenz: call.params.endkunde_ref };
      const { mandant } = call.principal;
      const { bytes, monat, referenz } = await issueStatement(context, mandant, akteurOf(call), asked);
      return new Content('application/pdf', Buffer.from(bytes), {
        'content-disposition': `inline; filename="abrechnung-${monat}-${plainName(referenz)}.pdf"`,
      });
    },
    { idleHead: true },
  );
