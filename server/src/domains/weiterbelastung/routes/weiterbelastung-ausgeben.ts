import { weiterbelastungAusgeben } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { Content, type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { filesOfAKind } from '../limits.ts';
import { bookingBatch } from '../service/booking-batch.ts';
import { startTable } from '../service/table.ts';
import { streamedFile } from './streamed-file.ts';

export function weiterbelastungAusgebenRoute(context: ServiceContext): Route {
  const shared = filesOfAKind(context);
  return route(
    weiterbelastungAusgeben,
    async (call) => {
      const order = { mandant: call.principal.mandant, akteur: akteurOf(call), monat: call.query.monat };
      if (call.query.format !== 'ledger')
        return streamedFile(call, 'text/csv; charset=utf-8', await startTable(context, shared, order));
      const { name, type, bytes } = await bookingBatch(context, order);
      return new Content(type, bytes, { 'content-disposition': `attachment; filename="${name}"` });
    },
    { idleHead: true },
  );
}
