import { focusAusgeben } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { filesOfAKind } from '../limits.ts';
import { startFocus } from '../service/focus.ts';
import { streamedFile } from './streamed-file.ts';

export function focusAusgebenRoute(context: ServiceContext): Route {
  const shared = filesOfAKind(context);
  return route(
    focusAusgeben,
    async (call) => {
      const order = { mandant: call.principal.mandant, akteur: akteurOf(call), monat: call.query.monat };
      const { ausgelassen, ...file } = await startFocus(context, shared, order);
      return streamedFile(call, 'text/csv; charset=utf-8', file, { 'x-rows-left-out': String(ausgelassen) });
    },
    { idleHead: true },
  );
}
