import { abrechnungPdf } from '#contracts';
import { Content, type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { plainName } from '../file-names.ts';
import { statementDocument } from '../service/documents.ts';

export const abrechnungPdfRoute = (context: ServiceContext): Route =>
  route(abrechnungPdf, async ({ principal, params: { endkunde_ref: referenz }, query }) => {
    const { bytes, monat } = await statementDocument(context, principal.mandant, {
      monat: query.monat,
      referenz,
    });
    return new Content('application/pdf', Buffer.from(bytes), {
      'content-disposition': `inline; filename="abrechnung-${monat}-${plainName(referenz)}.pdf"`,
    });
  });
