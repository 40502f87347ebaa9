/** Requests that a proxy passes on: what it says of their sender, and proxies that nobody has named. */
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import ipaddr from 'ipaddr.js';
import type { Log } from '#platform/log.ts';
import { parseNetwork } from '#platform/outbound.ts';
import { createSparing } from '#platform/sparing.ts';
import { networkOf } from '#platform/throttle.ts';

const HEADER = 'x-forwarded-for';
/** No address is longer, with its port. */
const MAX_ENTRY = 64;

/** The address in an entry, without port, brackets and zone; null when there is none. */
function addressIn(entry: string): string | null {
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

/** The header stays where it was, if empty: `warnOfUnnamedProxies` looks for it. */
function cleanForwarded(headers: IncomingHttpHeaders): void {
  const said = headers[HEADER];
  if (typeof said === 'string') headers[HEADER] = addressesIn(said);
}

/**
 * Cleans what trusted proxies say of the sender, before anybody asks for `request.ip`: the framework takes any text for an address
 * that a proxy names; sessions, the audit log and the limits on attempts are to hold addresses only.
 */
export function registerForwarded(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    cleanForwarded(request.raw.headers);
    done();
  });
}

/** Those that say on whose behalf; looked up one by one, since every request is asked. */
const ON_BEHALF = ['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'forwarded', 'x-real-ip'];
const HOUR = 3_600_000;

/** Warns of each network from which requests are passed on by an address that `trustedProxies` does not name. */
export function warnOfUnnamedProxies(
  app: FastifyInstance,
  { log, trustedProxies }: { log: Log; trustedProxies: string[] },
): void {
  const named = trustedProxies.map(parseNetwork).filter((network) => network !== null);
  const isTime = createSparing({ every: HOUR, most: 20 });
  app.addHook('onRequest', (request, _reply, done) => {
    const header = ON_BEHALF.find((name) => request.headers[name] !== undefined);
    const peer = request.socket.remoteAddress;
    if (header !== undefined && peer !== undefined && ipaddr.isValid(peer)) {
      const address = ipaddr.process(peer);
      const isNamed = named.some(
        ([network, prefix]) => network.kind() === address.kind() && address.match(network, prefix),
      );
      if (!isNamed && isTime(networkOf(address.toString())))
        log.warn(
          { proxy: address.toString(), header },
          'a proxy passes requests on that VERTRAUTE_PROXYS does not name: all count as its own, limits included; name its address there',
        );
    }
    done();
  });
}
