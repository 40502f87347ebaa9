/** Connections to providers. Those that are known are on the public internet, whatever their names lead to today. */
import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { buildConnector as Connecting, Dispatcher } from 'undici';
import buildConnector from 'undici/lib/core/connect.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import { isPublicAddress } from '#kernel/public-address.ts';
import type { Target } from './targets.ts';
import { goesPast, tunnelTo, type WayOut } from './way-out.ts';

/** A provider's name leads into a network of ours. */
export class ForbiddenAddress extends Error {}

export const MAX_HEADER_BYTES = 65_536;
const CONNECT_MS = 10_000;
/** How long a connection waits for its next request. */
const IDLE_MS = 30_000;
/** To one provider. */
const MAX_CONNECTIONS = 2_000;

/** Where a name leads is looked at when the connection is made; one forbidden address among several is enough. */
const publicLookup =
  (resolve: typeof lookup): LookupFunction =>
  (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, []);
      const [first] = addresses;
      if (first === undefined || !addresses.every(({ address }) => isPublicAddress(address)))
        return callback(new ForbiddenAddress(`${hostname} leads to a network that is not public`), []);
      if (options.all) return callback(null, addresses);
      return callback(null, first.address, first.family);
    });
  };

type Connector = Connecting.connector;

/** What a name leads to here, if this machine knows it at all, must be public; the house's proxy looks it up for itself. */
const requirePublic = (hostname: string, look: LookupFunction): Promise<void> =>
  new Promise((resolve, reject) => {
    look(hostname, { all: true }, (error) => (error instanceof ForbiddenAddress ? reject(error) : resolve()));
  });

/** By a tunnel of the house's proxy what is spoken to by TLS, and not named as going past it. */
function connectorBy(wayOut: WayOut | null, look: LookupFunction | null): Connector {
  const options = { timeout: CONNECT_MS, allowH2: false };
  const directly = buildConnector(look === null ? options : { ...options, lookup: look });
  if (wayOut === null) return directly;
  return (asked, callback) => {
    const port = asked.port || '443';
    if (asked.protocol !== 'https:' || goesPast(wayOut, asked.hostname, port))
      return directly(asked, callback);
    const within = async () => {
      if (look !== null) await requirePublic(asked.hostname, look);
      return tunnelTo(wayOut, `${asked.hostname}:${port}`, CONNECT_MS);
    };
    within().then(
      (httpSocket) => directly({ ...asked, httpSocket }, callback),
      (error: Error) => callback(error, null),
    );
  };
}

function agentWith(connect: Connector): Agent {
  return new Agent({
    connections: MAX_CONNECTIONS,
    pipelining: 1,
    allowH2: false,
    connect,
    keepAliveTimeout: IDLE_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    // How long a model may think is the caller's patience, who hangs up.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

export interface Outgoing {
  to(target: Target): Dispatcher;
  close(): Promise<void>;
}

export function createOutgoing(wayOut: WayOut | null, resolve: typeof lookup = lookup): Outgoing {
  const known = agentWith(connectorBy(wayOut, publicLookup(resolve)));
  const own = agentWith(connectorBy(wayOut, null));
  return {
    to: ({ isOwn }) => (isOwn ? own : known),
    close: async () => {
      await Promise.all([known.destroy(), own.destroy()]);
    },
  };
}
