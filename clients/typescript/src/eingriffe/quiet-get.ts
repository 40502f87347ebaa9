import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { text } from 'node:stream/consumers';

/** As much of `fetch` as asking what is in force takes. */
export type Get = (
  url: string,
  init: { headers: Record<string, string>; signal: AbortSignal },
) => Promise<Response>;

const WITHOUT_BODY = new Set([204, 205, 304]);

/** A request whose connection does not keep the process alive, which that of `fetch` does while an answer is awaited. */
export const quietGet: Get = async (url, init) => {
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const request = new URL(url).protocol === 'https:' ? requestHttps : requestHttp;
  const sent = request(url, init, (answer) => {
    const { statusCode: status = 0, headers } = answer;
    const named = ['etag', 'retry-after'].flatMap((name) => {
      const value = headers[name];
      return typeof value === 'string' ? [[name, value] as [string, string]] : [];
    });
    text(answer)
      .then((body) => new Response(WITHOUT_BODY.has(status) ? null : body, { status, headers: named }))
      .then(resolve, reject);
  });
  sent.on('socket', (socket) => {
    socket.unref();
    // Where a name has several addresses, the one that connects may be another socket underneath.
    socket.once('connect', () => socket.unref());
  });
  sent.on('error', reject);
  sent.end();
  return promise;
};
