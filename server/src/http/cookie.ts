/** Cookies that scripts cannot read and only this host gets. */
import type { FastifyReply, FastifyRequest } from 'fastify';

export interface HostCookie {
  /** As browsers send it. */
  name: string;
  /** What the browser sent, whether it is good or not. */
  read(request: FastifyRequest): string | null;
  set(reply: FastifyReply, value: string): void;
  clear(reply: FastifyReply): void;
}

/** `maxAge` in seconds; without it the cookie is gone when the browser is closed. */
export function createHostCookie(plainName: string, production: boolean, maxAge?: number): HostCookie {
  const name = production ? `__Host-${plainName}` : plainName;
  // What the prefix demands: Secure, the path / and no domain. Lax: users who come by a link from elsewhere bring it along.
  const attributes = { httpOnly: true, sameSite: 'lax', path: '/', secure: production } as const;
  const kept = maxAge === undefined ? attributes : { ...attributes, maxAge };
  return {
    name,
    read: (request) => request.cookies[name] ?? null,
    set: (reply, value) => void reply.setCookie(name, value, kept),
    clear: (reply) => void reply.clearCookie(name, attributes),
  };
}

/** The cookie that carries the session token. */
export const createSessionCookie = (production: boolean): HostCookie =>
  createHostCookie('zw_sitzung', production);
