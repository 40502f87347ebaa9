/** The way to the service: by undici as all else, since `fetch` brings a second client and its streams along (5 MB). */
import { request } from 'undici';

const NO_BODY = new Set([204, 205, 304]);

/** As much of `fetch` as the package asks of it: text there and back. */
export const serviceFetch: typeof fetch = async (input, init = {}) => {
  const { method = 'GET', headers, body = null, signal = null } = init;
  const {
    statusCode,
    headers: said,
    body: answer,
  } = await request(String(input), {
    method: method as 'GET',
    headers: headers as Record<string, string>,
    body: body as string | null,
    signal,
  });
  const text = await answer.text();
  const named = ['etag', 'retry-after'].flatMap((name) => {
    const value = said[name];
    return typeof value === 'string' ? [[name, value] as [string, string]] : [];
  });
  return new Response(NO_BODY.has(statusCode) ? null : text, { status: statusCode, headers: named });
};
