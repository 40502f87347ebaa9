import { abrechnungenZip } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { type Call, Content, type Route, route } from '#http/index.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import { createPlaces, STALLED } from '#platform/archive-room.ts';
import type { ServiceContext } from '#platform/context.ts';
import { startStatements } from '../service/statements-archive.ts';

/** Enough for tens of thousands of statements. */
const LONGEST = 3_600_000;
const READ_AT_ONCE = 64;

/** GET /v1/cockpit/export/abrechnungen.zip */
export function abrechnungenZipRoute(context: ServiceContext): Route {
  const shared = {
    takePlace: createPlaces<MandantId>(READ_AT_ONCE),
    spools: context.spools,
    longest: LONGEST,
  };
  const handle = async (call: Call<typeof abrechnungenZip>): Promise<Content> => {
    const { principal, query, reply } = call;
    const order = { mandant: principal.mandant, akteur: akteurOf(call), monat: query.monat };
    const { stream, fileName } = await startStatements(context, shared, order);
    reply.raw.setTimeout(STALLED, () => reply.raw.destroy());
    return new Content('application/zip', stream, {
      'content-disposition': `attachment; filename="${fileName}"`,
    });
  };
  return route(abrechnungenZip, handle, { idleHead: true });
}
