import { abrechnungPdf } from '#contracts';
import { Content, type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { statementDocument } from '../service/documents.ts';

/** What any file system takes: a reference may hold anything. */
const plain = (referenz: string) =>
  referenz
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9._-]+/g, '_')
    .slice(0, 60);

export const abrechnungPdfRoute = (context: ServiceContext): Route =>
  route(abrechnungPdf, async ({ principal, params: { endkunde_ref: referenz }, query }) => {
    const { bytes, monat } = await statementDocument(context, principal.mandant, {
      monat: query.monat,
      referenz,
    });
    return new Content('application/pdf', Buffer.from(bytes), {
      'content-disposition': `inline; filename="abrechnung-${monat}-${plain(referenz)}.pdf"`,
    });
  });
