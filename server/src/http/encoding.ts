/** Packs answers that are read, for clients that say they can unpack them (decision 0041). */
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';

/** Below this many bytes an answer travels in one packet anyway. */
export const ENCODED_FROM = 1024;

const PACKABLE = /^(text\/|application\/(json|openmetrics-text)\b)/;

/** Where more costs several times the time for hardly fewer bytes: some 10 ms for an answer of half a megabyte. */
const BROTLI_QUALITY = 4;
const GZIP_LEVEL = 4;

const brotli = promisify(brotliCompress);
const packGzip = promisify(gzip);

// Both work in the threads of the pool; the event loop goes on meanwhile.
const PACKERS = {
  br: (body: Buffer): Promise<Buffer> =>
    brotli(body, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
      },
    }),
  gzip: (body: Buffer): Promise<Buffer> => packGzip(body, { level: GZIP_LEVEL }),
};

type Encoding = keyof typeof PACKERS;
const OFFERED = [...(Object.keys(PACKERS) as Encoding[]), 'identity'];

/** Says which of several that are accepted alike comes first. The types of the package do not know it yet. */
interface Negotiating {
  encodings(available: string[], options: { preferred: string[] }): string[];
}

function encodingFor(request: FastifyRequest): Encoding | null {
  // Who says nothing would take anything, but hardly expects it.
  if (request.headers['accept-encoding'] === undefined) return null;
  const accepted: Negotiating = new Negotiator(request.raw);
  const [best] = accepted.encodings(OFFERED, { preferred: OFFERED });
  return best !== undefined && best in PACKERS ? (best as Encoding) : null;
}

/**
 * Whether a page of somebody else has caused the request: it could have its own words repeated in the answer, and tell from the
 * length of what is packed together with them what else stands there.
 */
const isForeign = ({ headers }: FastifyRequest): boolean =>
  !['same-origin', 'none', undefined].includes(headers['sec-fetch-site'] as string | undefined);

const isPackable = (reply: FastifyReply): boolean =>
  reply.statusCode === 200 &&
  !reply.hasHeader('content-encoding') &&
  PACKABLE.test(String(reply.getHeader('content-type')));

/** Hook of a route that is read: resolves with the body to send, packed where that is worth it. */
export async function encodeAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  if ((typeof payload !== 'string' && !Buffer.isBuffer(payload)) || !isPackable(reply)) return payload;
  if (!reply.hasHeader('vary')) reply.header('vary', 'Accept-Encoding');
  const encoding = encodingFor(request);
  if (encoding === null || isForeign(request) || payload.length < ENCODED_FROM) return payload;
  const packed = await PACKERS[encoding](Buffer.from(payload as string));
  reply.header('content-encoding', encoding);
  return packed;
}
