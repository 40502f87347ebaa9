import { exportZip } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { type Call, Content, route } from '#http/index.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import { createPlaces, STALLED } from '#platform/archive-room.ts';
import type { ServiceContext } from '#platform/context.ts';
import { startExport } from '../service.ts';

const LONGEST = 3_600_000;
/** Each takes up a file while it is read. */
const READ_AT_ONCE = 64;
/** GET /v1/cockpit/export.zip */
export function allesRoute(context: ServiceContext) {
  const shared = {
    takePlace: createPlaces<MandantId>(READ_AT_ONCE),
    spools: context.spools,
    longest: LONGEST,
  };
  const handle = async (call: Call<typeof exportZip>): Promise<Content> => {
    const { principal, query, reply } = call;
    const { stream, fileName, events } = await startExport(
      context,
      shared,
      principal,
      akteurOf(call),
      query.tage,
    );
    reply.raw.setTimeout(STALLED, () => reply.raw.destroy());
    return new Content('application/zip', stream, {
      'content-disposition': `attachment; filename="${fileName}"`,
      'x-zaehlwerk-ereignisse': String(events),
    });
  };
  return route(exportZip, handle, { idleHead: true });
}
