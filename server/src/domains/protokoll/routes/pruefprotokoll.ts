import { pruefprotokoll } from '#contracts';
import { Content, type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { toCsv } from '../csv.ts';
import { readProtokoll } from '../service.ts';

export const pruefprotokollRoute = (context: ServiceContext): Route =>
  route(pruefprotokoll, async ({ query, principal: { mandant, zeitzone } }) => {
    const page = await readProtokoll(context, mandant, query, zeitzone);
    if (query.format !== 'csv') return page;
    const today = Temporal.Instant.fromEpochMilliseconds(context.clock.now().getTime())
      .toZonedDateTimeISO(zeitzone)
      .toPlainDate();
    return new Content('text/csv; charset=utf-8', toCsv(page.eintraege, zeitzone), {
      'content-disposition': `attachment; filename="pruefprotokoll-${today}.csv"`,
      ...(page.weiter === null ? {} : { 'x-zaehlwerk-weiter': page.weiter }),
    });
  });
