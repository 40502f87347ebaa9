import type { IncomingMessage } from 'node:http';
import { builtin } from '../builtin.ts';

/** As much of `fetch` as asking what is in force takes. */
export type Get = (
  url: string,
  init: { headers: Record<string, string>; signal: AbortSignal },
) => Promise<Response>;

const WITHOUT_BODY = new Set([204, 205, 304]);

async function responseOf(answer: IncomingMessage): Promise<Response> {
  const { statusCode: status = 0, headers } = answer;
  const named = ['etag', 'retry-after'].flatMap((name) => {
    const value = headers[name];
    return typeof value === 'string' ? [[name, value] as [string, string]] : [];
  });
  answer.setEncoding('utf8');
  let body = '';
  for await (const piece of answer) body += piece;
  return new Response(WITHOUT_BODY.has(status) ? null : body, { status, headers: named });
}

/**
 * A request whose connection does not keep the process alive, which that of `fetch` does while an answer is awaited. Where there
 * is no Node, `fetch` does.
 */
export const quietGet: Get = (url, init) => {
  const library = builtin(new URL(url).protocol === 'https:' ? 'node:https' : 'node:http');
  if (library === undefined) return fetch(url, init);
  return new Promise((resolve, reject) => {
    const sent = library.request(url, init, (answer) => void responseOf(answer).then(resolve, reject));
    sent.on('socket', (socket) => {
      socket.unref();
      // Where a name has several addresses, the one that connects may be another socket underneath.
      if (socket.connecting) socket.once('connect', () => socket.unref());
    });
    sent.on('error', reject);
    sent.end();
  });
};
