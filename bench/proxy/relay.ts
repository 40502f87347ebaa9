/** The least that a relay by `node:http` and undici does: passes on, and knows nothing. What it adds is what passing on costs on this machine. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Agent } from 'undici';

const origin = process.env.RELAY_TO ?? '';
const agent = new Agent({ connections: 2_000, pipelining: 1 });

const server = createServer({ noDelay: true }, async (request, response) => {
  const { authorization = '' } = request.headers;
  const headers = { 'content-type': 'application/json', authorization };
  const body = await buffer(request);
  agent.dispatch(
    { origin, path: request.url ?? '/', method: 'POST', headers, body },
    {
      onRequestStart: () => undefined,
      onResponseStart: (_controller, status, given) => void response.writeHead(status, given),
      onResponseData: (_controller, piece) => void response.write(piece),
      onResponseEnd: () => void response.end(),
      onResponseError: () => void response.destroy(),
    },
  );
});
server.listen(0, '127.0.0.1', 4_096);
await once(server, 'listening');
console.log(
  JSON.stringify({ msg: 'ready', address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }),
);
