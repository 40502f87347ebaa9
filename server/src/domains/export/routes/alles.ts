import { exportZip } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { type Call, Content, route } from '#http/index.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import { createPlaces } from '../rules.ts';
import { startExport } from '../service.ts';

/** Each takes up a connection and a share of this process for minutes. */
const AT_ONCE = 2;
/** A receiver that takes nothing for so long is gone. */
const STALLED = 120_000;
/** Whoever reads slowly keeps a place, and the database from clearing away what everybody has removed since. */
const LONGEST = 2 * 3_600_000;

/** GET /v1/cockpit/export.zip */
export function allesRoute(context: ServiceContext) {
  const takePlace = createPlaces<MandantId>(AT_ONCE);
  const handle = async (call: Call<typeof exportZip>): Promise<Content> => {
    const { principal, query, reply } = call;
    const { stream, fileName, events } = await startExport(context, takePlace, principal, akteurOf(call), {
      tage: query.tage,
      longest: LONGEST,
    });
    reply.raw.setTimeout(STALLED, () => reply.raw.destroy());
    return new Content('application/zip', stream, {
      'content-disposition': `attachment; filename="${fileName}"`,
      'x-zaehlwerk-ereignisse': String(events),
    });
  };
  return route(exportZip, handle, { idleHead: true });
}
