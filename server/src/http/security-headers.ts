/** The headers of every answer, from wherever it comes. */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import helmet from 'helmet';

/** The same for all answers: helmet writes them down once. */
export function securityHeaders(production: boolean): Record<string, string> {
  const headers: Record<string, string> = {};
  const setHeaders = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'self'"],
        'img-src': ["'self'", 'data:'],
        'style-src': ["'self'", "'unsafe-inline'"],
        'object-src': ["'none'"],
        'base-uri': ["'none'"],
        'frame-ancestors': ["'none'"],
        'form-action': ["'self'"],
      },
    },
    strictTransportSecurity: production ? { maxAge: 31_536_000, includeSubDomains: true } : false,
    referrerPolicy: { policy: 'no-referrer' },
    frameguard: { action: 'deny' },
  });
  const answer = new ServerResponse(new IncomingMessage(new Socket()));
  setHeaders(answer.req, answer, () => {
    for (const [name, value] of Object.entries(answer.getHeaders())) headers[name] = String(value);
  });
  return headers;
}

/** What counts for a file that is no page: the others are about what a page may do, and go with each of many files. */
const FOR_FILES = new Set([
  'x-content-type-options',
  'cross-origin-resource-policy',
  'strict-transport-security',
]);

/** Those of the headers that only a page needs. */
export const pageHeaders = (headers: Record<string, string>): string[] =>
  Object.keys(headers).filter((name) => !FOR_FILES.has(name));

/** Puts them on every answer of a route, and keeps those of the API out of every cache. */
export function registerSecurityHeaders(
  app: FastifyInstance,
  headers: Record<string, string>,
  isOfApi: (url: string) => boolean,
): void {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (isOfApi(request.url)) reply.header('cache-control', 'no-store');
    done();
  });
}
