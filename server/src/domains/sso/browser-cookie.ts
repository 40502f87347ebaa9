import type { FastifyReply, FastifyRequest } from 'fastify';
import { LOGIN_MINUTES } from './rules.ts';

/** The cookie that ties a login to the browser it began in: nobody can be made to end another's. */
export interface BrowserCookie {
  read(request: FastifyRequest): string | null;
  set(reply: FastifyReply, value: string): void;
  clear(reply: FastifyReply): void;
}

export function createBrowserCookie(production: boolean): BrowserCookie {
  const name = production ? '__Host-zw_sso' : 'zw_sso';
  // Lax: the way back begins on the provider's page, and the cookie must come along.
  const attributes = { httpOnly: true, sameSite: 'lax', path: '/', secure: production } as const;
  return {
    read: (request) => request.cookies[name] ?? null,
    set: (reply, value) => void reply.setCookie(name, value, { ...attributes, maxAge: LOGIN_MINUTES * 60 }),
    clear: (reply) => void reply.clearCookie(name, attributes),
  };
}
