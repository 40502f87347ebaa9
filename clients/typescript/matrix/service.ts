/** A service as far as clients see it: takes events, says what is in force. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { Eingriff, Ereignis } from '../src/index.ts';

export interface Service {
  baseUrl: string;
  events: Ereignis[];
  /** What is in force from now on. */
  put(...eingriffe: Partial<Eingriff>[]): void;
  stop(): Promise<void>;
}

const whole = (eingriff: Partial<Eingriff>): Partial<Eingriff> => ({
  eingriff_id: crypto.randomUUID(),
  stufe: 'sperren',
  agent: null,
  grund: 'Schleife',
  grund_en: 'loop',
  beginn: new Date().toISOString(),
  bis: null,
  ...eingriff,
});

export async function startService(): Promise<Service> {
  const events: Ereignis[] = [];
  let inForce: Partial<Eingriff>[] = [];
  let tag = 1;
  const waiting = new Set<ServerResponse>();
  const tell = (response: ServerResponse) =>
    response
      .writeHead(200, { etag: `"${tag}"`, 'content-type': 'application/json' })
      .end(JSON.stringify({ eingriffe: inForce, fingerabdruck_schluessel: '5a'.repeat(32) }));
  // A client that computes for long finds its connection as it left it.
  const server = createServer({ keepAliveTimeout: 600_000 }, async (request, response) => {
    if (request.method === 'POST') {
      const { ereignisse } = (await json(request)) as { ereignisse: Ereignis[] };
      events.push(...ereignisse);
      response.writeHead(202, { 'content-type': 'application/json' }).end('{}');
    } else if (request.headers['if-none-match'] === `"${tag}"`) {
      waiting.add(response);
      response.once('close', () => waiting.delete(response));
    } else tell(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    events,
    put(...eingriffe) {
      inForce = eingriffe.map(whole);
      tag += 1;
      for (const response of waiting) tell(response);
      waiting.clear();
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
