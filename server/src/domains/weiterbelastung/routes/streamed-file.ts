/** Files that are read while they are made. */
import type { Readable } from 'node:stream';
import type { Operation } from '#contracts';
import { type Call, Content } from '#http/index.ts';
import { STALLED } from '#platform/archive-room.ts';

/** As an answer; a connection on which nothing moves any more is cut. */
export function streamedFile(
  { reply }: Pick<Call<Operation>, 'reply'>,
  type: string,
  { stream, fileName }: { stream: Readable; fileName: string },
  headers: Record<string, string> = {},
): Content {
  reply.raw.setTimeout(STALLED, () => reply.raw.destroy());
  return new Content(type, stream, {
    'content-disposition': `attachment; filename="${fileName}"`,
    ...headers,
  });
}
