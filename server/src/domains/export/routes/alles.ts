import { join } from 'node:path';
import { exportZip } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { type Call, Content, route } from '#http/index.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import { createSpoolRoom } from '#platform/spool.ts';
import { createPlaces } from '../rules.ts';
import { startExport } from '../service.ts';

/** Each takes up a connection, a snapshot and a share of this process while it is made. */
const WRITTEN_AT_ONCE = 2;
const LONGEST = 3_600_000;
/** Each takes up a file while it is read. */
const READ_AT_ONCE = 64;
/** Half a megabit a second. Whoever reads more slowly than that has one of the places that others wait for. */
const PACE = { bytes: 60 * 64 * 1024, ms: 60_000 };
/** What the database on the same disk needs to go on. */
const RESERVE = 1024 * 1024 * 1024;
/** A connection on which nothing moves for so long is dead. */
const STALLED = 120_000;

/** GET /v1/cockpit/export.zip */
export function allesRoute(context: ServiceContext) {
  const shared = {
    takePlace: createPlaces<MandantId>(READ_AT_ONCE),
    takeWritingPlace: createPlaces<symbol>(WRITTEN_AT_ONCE),
    spools: createSpoolRoom({
      directory: join(context.config.dataDir, 'ausgaben'),
      maxBytes: context.config.exportBytes,
      reserve: RESERVE,
      pace: PACE,
    }),
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
