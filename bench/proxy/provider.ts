/** A provider for measurements, as a process of its own: answers at once, streams a piece each `pause` milliseconds, and takes what events it is sent. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const usage = { prompt_tokens: 500, completion_tokens: 50, total_tokens: 550 };
const event = (choices: object[], more = {}) =>
  `data: ${JSON.stringify({ id: `chatcmpl-${'a'.repeat(24)}`, object: 'chat.completion.chunk', created: 1_780_000_000, model: 'gpt-5.1', choices, ...more })}\n\n`;
const PIECE = event([{ index: 0, delta: { content: 'word ' }, finish_reason: null }]);
const LAST = `${event([{ index: 0, delta: {}, finish_reason: 'stop' }])}${event([], { usage })}data: [DONE]\n\n`;

function stream(response: ServerResponse, pieces: number, pause: number): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  let sent = 0;
  const next = () => {
    if (response.destroyed) return;
    response.write(PIECE);
    sent += 1;
    if (sent >= pieces) response.end(LAST);
    else if (pause === 0) next();
    else setTimeout(next, pause);
  };
  next();
}

/** What the service says to those who ask and send. */
function serve(path: string, method: string | undefined, response: ServerResponse): void {
  response.setHeader('content-type', 'application/json');
  if (method === 'POST') response.writeHead(202).end('{}');
  else if (path.includes('eingriffe')) {
    response.writeHead(200, { etag: '"1"' });
    setTimeout(
      () => response.end(JSON.stringify({ eingriffe: [], fingerabdruck_schluessel: '5a'.repeat(32) })),
      20,
    );
  } else response.end('{}');
}

/** `/<pieces>x<pause>/v1/chat/completions`. */
const server = createServer({ keepAliveTimeout: 600_000 }, (request, response) => {
  const path = request.url ?? '';
  const [, pieces, pause] = /^\/(\d+)x(\d+)\//.exec(path) ?? [];
  request.resume();
  request.once('end', () => {
    if (pieces === undefined) serve(path, request.method, response);
    else stream(response, Number(pieces), Number(pause));
  });
});
server.listen(0, '127.0.0.1', 4_096);
await once(server, 'listening');
console.log(
  JSON.stringify({ msg: 'ready', address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }),
);
