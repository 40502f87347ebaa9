/**
 * Links that sign in are in no answer of a service that nobody has called one for development: not through a proxy that keeps
 * quiet about itself, as a stock nginx does, not through a tunnel, and not to the machine itself.
 */
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { PASSWORT } from '#test/account.ts';
import { PATIENCE, startService, type TestService } from '#test/service.ts';

const listening = (server: net.Server) =>
  new Promise<string>((resolve) =>
    server.listen(0, '127.0.0.1', () =>
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    ),
  );

/** `location / { proxy_pass http://127.0.0.1:…; }` and nothing else: the name of the service itself, and no word of the sender. */
const stockProxy = (target: URL) =>
  http.createServer((request, response) => {
    const { host: _host, connection: _connection, ...headers } = request.headers;
    const passed = http.request(
      target.origin + request.url,
      { method: request.method, headers: { host: target.host, connection: 'close', ...headers } },
      (answer) => {
        response.writeHead(answer.statusCode as number, answer.headers);
        answer.pipe(response);
      },
    );
    request.pipe(passed);
  });

/** As `socat` or `ssh -R` has it: bytes. */
const relay = (target: URL) =>
  net.createServer((socket) => {
    const onward = net.connect(Number(target.port), target.hostname);
    for (const each of [socket, onward]) each.on('error', () => undefined);
    socket.pipe(onward).pipe(socket);
  });

let service: TestService;
let servers: net.Server[];
let ways: Record<string, string>;
beforeAll(async () => {
  service = await startService({ NODE_ENV: '' });
  const address = await service.app.listen({ port: 0, host: '127.0.0.1' });
  const target = new URL(address);
  servers = [stockProxy(target), relay(target)];
  const [proxy, tunnel] = await Promise.all(servers.map(listening));
  ways = { direct: address, proxy: proxy as string, tunnel: tunnel as string };
});
afterAll(async () => {
  for (const server of servers) server.close();
  await service.stop();
});

it.each(['direct', 'proxy', 'tunnel'])('the way there: %s', async (way) => {
  const email = `${way}@example.org`;
  let cookie = '';
  const answers: Record<string, unknown>[] = [];
  const post = async (path: string, body?: object) => {
    const answer = await fetch(`${ways[way]}${path}`, {
      method: 'POST',
      headers: { cookie, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    expect(answer.ok).toBe(true);
    cookie ||= answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    answers.push((await answer.json()) as Record<string, unknown>);
  };
  await post('/v1/registrieren', { firma: 'Muster GmbH', email, passwort: PASSWORT });
  await post('/v1/email/bestaetigung');
  await post('/v1/cockpit/benutzer/einladen', { email: `gast-${way}@example.org` });
  await post('/v1/passwort/vergessen', { email });
  // All four were made and are in mails; no answer has one.
  const tokens = await vi.waitFor(async () => {
    const mails = (await service.mails()).filter(({ an }) => an.endsWith(`${way}@example.org`));
    const found = mails.map(({ text }) => /token=([\w-]{43})/.exec(text)?.[1] as string);
    expect(found).toHaveLength(4);
    return found;
  }, PATIENCE);
  for (const answer of answers) expect(answer).not.toHaveProperty('link');
  for (const token of tokens) expect(JSON.stringify(answers)).not.toContain(token);
});
