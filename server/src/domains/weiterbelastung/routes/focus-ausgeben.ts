import { focusAusgeben } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { Content, type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { focusFile } from '../service/focus.ts';

export const focusAusgebenRoute = (context: ServiceContext): Route =>
  route(
    focusAusgeben,
    async (call) => {
      const { mandant } = call.principal;
      const { name, bytes, ausgelassen } = await focusFile(
        context,
        mandant,
        akteurOf(call),
        call.query.monat,
      );
      return new Content('text/csv; charset=utf-8', bytes, {
        'content-disposition': `attachment; filename="${name}"`,
        'x-rows-left-out': String(ausgelassen),
      });
    },
    { idleHead: true },
  );
