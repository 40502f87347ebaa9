import type { FastifyReply, FastifyRequest } from 'fastify';
import { sessionCookieName } from '#http/index.ts';

/** The cookie that carries the session token; gone when the browser is closed, or when the session has ended. */
export interface SessionCookie {
  /** The token the browser sent, whether it is good or not. */
  read(request: FastifyRequest): string | null;
  set(reply: FastifyReply, token: string): void;
  clear(reply: FastifyReply): void;
}

export function createSessionCookie(production: boolean): SessionCookie {
  const name = sessionCookieName(production);
  // What the prefix __Host- demands: Secure, the path / and no domain.
  const attributes = { httpOnly: true, sameSite: 'lax', path: '/', secure: production } as const;
  return {
    read: (request) => request.cookies[name] ?? null,
    set: (reply, token) => void reply.setCookie(name, token, attributes),
    clear: (reply) => void reply.clearCookie(name, attributes),
  };
}
