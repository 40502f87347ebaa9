/** Answers that a client may keep are named by what they say, and confirmed instead of sent again (decision 0041). */
import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fresh from 'fresh';

/**
 * The seconds up to which figures hold, and of the latest call there is. An answer that differs in them alone says what the one
 * before says, until the next minute.
 */
const SECONDS_OF_STAND = /("(?:gezaehlt|daten)_bis":"[\d-]{10}T\d\d:\d\d)[^"]*"/g;

// Weak: the same figures, whatever way they are packed.
const tagOf = (body: string | Buffer): string =>
  `W/"${hash('sha1', typeof body === 'string' ? body.replace(SECONDS_OF_STAND, '$1"') : body, 'base64url')}"`;

/** No body; to HEAD Fastify would else say that it is of no length. */
const nothingFor = ({ method }: FastifyRequest): Readable | null =>
  method === 'HEAD' ? Readable.from([]) : null;

/** Who may keep an answer, and which headers of the request it depends on. */
export interface Keeping {
  cacheControl: string;
  vary: string;
}

/** By the browser of who is signed in, or the client that holds the key; never used without asking first. */
export const OF_ONE: Keeping = {
  cacheControl: 'private, no-cache',
  vary: 'Cookie, Authorization, Accept-Encoding',
};

/** The same of an operation that takes the key in a header of its own, too. */
export const OF_ANY_KEY: Keeping = { ...OF_ONE, vary: 'Cookie, Authorization, X-SVC-Key, Accept-Encoding' };

/** What is the same for all. */
export const OF_ALL: Keeping = { cacheControl: 'no-cache', vary: 'Accept-Encoding' };

/** What is the same for all, and may be a few seconds old. */
export const ofAllFor = (seconds: number): Keeping => ({
  ...OF_ALL,
  cacheControl: `public, max-age=${seconds}`,
});

/** Makes the hook of a route whose answers may be kept: resolves with the body to send, none where the client has it. */
export const confirmAnswer =
  ({ cacheControl, vary }: Keeping) =>
  async (request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> => {
    if (reply.statusCode !== 200 || (typeof payload !== 'string' && !Buffer.isBuffer(payload)))
      return payload;
    // A handler that waits for a change has named what it answers with itself.
    const etag = reply.getHeader('etag')?.toString() ?? tagOf(payload);
    reply.headers({ etag, 'cache-control': cacheControl, vary });
    if (!fresh(request.headers, { etag })) return payload;
    reply.code(304).removeHeader('content-type');
    return nothingFor(request);
  };
