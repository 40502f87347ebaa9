import { focusAusgeben } from '#contracts';
import { Content, type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { focusFile } from '../service/focus.ts';

export const focusAusgebenRoute = (context: ServiceContext): Route =>
  route(focusAusgeben, async ({ principal, query }) => {
    const { name, text } = await focusFile(context, principal.mandant, query.monat);
    return new Content('text/csv; charset=utf-8', Buffer.from(text), {
      'content-disposition': `attachment; filename="${name}"`,
    });
  });
