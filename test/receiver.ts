/** A receiver of webhooks on a free port: it keeps what comes and answers as a test wants. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

export interface Receiver {
  /** With `path` behind it. */
  url(path?: string): string;
  received: Received[];
  /** How the next ones are answered, one after the other; the last one holds on. */
  answers: Answer[];
  stop(): Promise<void>;
}

/** Answers with a status, and perhaps headers. */
export const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (response) =>
    void response.writeHead(code, headers).end('ok');

/** Ways in which a receiver does not answer. */
export const never: Answer = () => undefined;
export const dropping: Answer = (_response, { socket }) => void socket.destroy();
/** Says 200 and then sends for as long as somebody listens. */
export const endless: Answer = (response) => {
  response.writeHead(200);
  const chunk = Buffer.alloc(65_536, 'x');
  const more = () => {
    while (!response.destroyed && response.write(chunk));
    response.once('drain', more);
  };
  more();
};
/** Says a header line now and then, never the last one. */
export const dripping: Answer = (_response, { socket }) => {
  socket.write('HTTP/1.1 200 OK\r\n');
  const timer = setInterval(() => socket.write('x-more: y\r\n'), 100);
  socket.once('close', () => clearInterval(timer));
};

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const answers: Answer[] = [status(200)];
  const server = createServer(async (request, response) => {
    const { url = '', headers } = request;
    received.push({ path: url, headers, body: await text(request) });
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    answer?.(response, request);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: (path = '/') => `http://127.0.0.1:${port}${path}`,
    received,
    answers,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
