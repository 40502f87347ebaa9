import { wochenbericht } from '#contracts';
import { Content, type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { compose } from '../page/compose.ts';
import { toHtml } from '../page/html.ts';
import { languageOfReader } from '../service/reader.ts';
import { readReport } from '../service/report.ts';

/** The page shows names that others have given; it needs its own styles and nothing else. */
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};

export const wocheRoute = (context: ServiceContext): Route =>
  route(wochenbericht, async ({ query, principal, request }) => {
    const report = await readReport(context, principal.mandant, query.woche, principal.rechte);
    if (query.format === 'json') return report;
    const language = await languageOfReader(context, principal, request.headers['accept-language']);
    const page = toHtml(compose(report, language, context.config.baseUrl));
    return new Content('text/html; charset=utf-8', page, HEADERS);
  });
