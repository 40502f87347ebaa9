/** The way to the service: by undici as all else, since `fetch` and its `Response` bring a second client and its streams along (5 MB). */
import request from 'undici/lib/api/api-request.js';
import Agent from 'undici/lib/dispatcher/agent.js';

const agent = new Agent();

/** As much of `fetch` as the package asks of it: text there and back. */
export const serviceFetch: typeof fetch = async (input, init = {}) => {
  const { origin, pathname, search } = new URL(String(input));
  const { method = 'GET', headers, body = null, signal = null } = init;
  const {
    statusCode: status,
    headers: said,
    body: answer,
  } = await request.call(agent, {
    origin,
    path: `${pathname}${search}`,
    method: method as 'GET',
    headers: headers as Record<string, string>,
    body: body as string | null,
    signal,
  });
  const text = await answer.text();
  const heard = {
    status,
    ok: status >= 200 && status < 300,
    headers: { get: (name: string) => said[name] ?? null },
    text: async () => text,
  };
  return heard as unknown as Response;
};
