import { wochenberichtPdf } from '#contracts';
import { LOGOS } from '#domains/mandant/index.ts';
import { Content, type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { compose } from '../page/compose.ts';
import { makePdf } from '../page/pdf.ts';
import { brandOf } from '../service/brand.ts';
import { languageOfReader } from '../service/reader.ts';
import { readReport } from '../service/report.ts';

export const wochePdfRoute = (context: ServiceContext): Route =>
  route(
    wochenberichtPdf,
    async ({ query, principal, request }) => {
      const { mandant, rechte } = principal;
      const report = await readReport(context, mandant, query.woche, rechte);
      const language = await languageOfReader(context, principal, request.headers['accept-language']);
      const document = compose(report, language, context.config.baseUrl);
      // Each such request asks a foreign address.
      const brand = await brandOf(context, mandant, () =>
        context.throttle.countErrand(LOGOS, mandant, request.ip),
      );
      const pdf = await makePdf(context.documents, mandant, {
        document,
        brand,
        erstellt_am: report.erstellt_am,
      });
      return new Content('application/pdf', Buffer.from(pdf), {
        'content-disposition': `inline; filename="wochenbericht-${report.woche}.pdf"`,
      });
    },
    { idleHead: true },
  );
