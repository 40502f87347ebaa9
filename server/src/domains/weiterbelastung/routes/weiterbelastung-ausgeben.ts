import { weiterbelastungAusgeben } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { Content, type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { billFile } from '../service/files.ts';

export const weiterbelastungAusgebenRoute = (context: ServiceContext): Route =>
  route(
    weiterbelastungAusgeben,
    async (call) => {
      const { name, type, bytes } = await billFile(
        context,
        call.principal.mandant,
        akteurOf(call),
        call.query,
      );
      return new Content(type, bytes, { 'content-disposition': `attachment; filename="${name}"` });
    },
    { idleHead: true },
  );
