import { abrechnungenZip } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { filesOfAKind } from '../limits.ts';
import { startStatements } from '../service/statements-archive.ts';
import { streamedFile } from './streamed-file.ts';

/** GET /v1/cockpit/export/abrechnungen.zip */
export function abrechnungenZipRoute(context: ServiceContext): Route {
  const shared = filesOfAKind(context);
  return route(
    abrechnungenZip,
    async (call) => {
      const order = { mandant: call.principal.mandant, akteur: akteurOf(call), monat: call.query.monat };
      return streamedFile(call, 'application/zip', await startStatements(context, shared, order));
    },
    { idleHead: true },
  );
}
