/** The way out of a house that lets nothing out but by a proxy of its own (`HTTPS_PROXY`, `NO_PROXY`): a tunnel for each connection. */
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Socket } from 'node:net';

export interface WayOut {
  /** Of the house's proxy, with name and password where it wants them. */
  proxy: URL;
  /** What goes past it, as `NO_PROXY` says it: names, `.suffixes`, `name:port`, `*`. */
  past: readonly string[];
}

/** The machine itself is reached without anybody's help. */
const HERE = ['localhost', '127.0.0.1', '[::1]', '::1'];

/** Whether a connection to a host goes past the house's proxy. */
export function goesPast({ past }: WayOut, hostname: string, port: string): boolean {
  const host = hostname.toLowerCase();
  return [...HERE, ...past].some((entry) => {
    const [, name = '', only] = /^(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
    if (HERE.includes(entry)) return host === entry;
    if (only !== undefined && only !== port) return false;
    const plain = name.replace(/^\*?\.?/, '');
    return name === '*' || host === plain || host.endsWith(`.${plain}`);
  });
}

const authorizationOf = ({ username, password }: URL): Record<string, string> =>
  username === ''
    ? {}
    : {
        'proxy-authorization': `Basic ${Buffer.from(
          `${decodeURIComponent(username)}:${decodeURIComponent(password)}`,
        ).toString('base64')}`,
      };

/** The house's proxy did not connect. */
class TunnelRefused extends Error {
  readonly code = 'HTTPS_PROXY';
}

/** A connection to `host:port` through the house's proxy. Rejects where that is not there, refuses or keeps silent. */
export function tunnelTo({ proxy }: WayOut, target: string, timeout: number): Promise<Socket> {
  const request = proxy.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const asked = request(proxy, {
      method: 'CONNECT',
      path: target,
      headers: { host: target, ...authorizationOf(proxy) },
      agent: false,
      timeout,
    });
    asked.once('connect', ({ statusCode }, socket) => {
      socket.setTimeout(0);
      if (statusCode === 200) return resolve(socket as Socket);
      socket.destroy();
      reject(new TunnelRefused(`the proxy of HTTPS_PROXY answered ${statusCode}`));
    });
    // An answer to a request for a tunnel that is none.
    asked.once('response', ({ statusCode }) =>
      asked.destroy(new TunnelRefused(`the proxy of HTTPS_PROXY answered ${statusCode}`)),
    );
    asked.once('timeout', () => asked.destroy(new TunnelRefused('the proxy of HTTPS_PROXY keeps silent')));
    asked.once('error', reject);
    asked.end();
  });
}
