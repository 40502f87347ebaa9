/**
 * What trusted proxies say of the sender. The framework takes any text for an address that a proxy names; sessions, the audit
 * log and the limits on attempts are to hold addresses only.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import ipaddr from 'ipaddr.js';

const HEADER = 'x-forwarded-for';
/** No address is longer, with its port. */
const MAX_ENTRY = 64;

/** The address in an entry, without port, brackets and zone; null when there is none. */
export function addressIn(entry: string): string | null {
  const text = entry.trim();
  if (text.length > MAX_ENTRY) return null;
  const [, bare = text] = /^\[([^\]]*)\](?::\d+)?$/.exec(text) ?? /^(\d+(?:\.\d+){3}):\d+$/.exec(text) ?? [];
  const address = bare.replace(/%.*$/, '');
  return ipaddr.IPv4.isValidFourPartDecimal(address) || ipaddr.IPv6.isValid(address) ? address : null;
}

/**
 * The addresses from the right, where the nearest proxy writes, up to the first entry that is none: what stands before that,
 * nobody vouches for. Empty when the nearest proxy names no address; the sender is then the proxy.
 */
export function addressesIn(header: string): string {
  const entries = header.split(',').reverse();
  const end = entries.findIndex((entry) => addressIn(entry) === null);
  return entries
    .slice(0, end < 0 ? undefined : end)
    .map(addressIn)
    .reverse()
    .join(', ');
}

/** The header stays where it was, if empty: that a request was passed on is known by it. */
export function cleanForwarded(headers: IncomingHttpHeaders): void {
  const said = headers[HEADER];
  if (typeof said === 'string') headers[HEADER] = addressesIn(said);
}

/** Before anybody asks for `request.ip`. */
export function registerForwarded(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    cleanForwarded(request.raw.headers);
    done();
  });
}
