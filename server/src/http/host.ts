/**
 * Under which names the service answers. A page of elsewhere whose name is made to lead to this machine is, to the browser,
 * on the same origin as the service; it cannot help sending its own name along.
 */
import { isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { gesund } from '#contracts';
import type { Log } from '#platform/log.ts';
import { createSparing } from '#platform/sparing.ts';
import { HttpError } from './errors.ts';

export interface HostOptions {
  log: Log;
  baseUrl: () => string;
  /** Further names the service is known by, in lower case. */
  otherHosts?: string[];
}

const HOST = /^(?:\[[\da-f:.]+\]|[^\s:/?#@[\]\\%]+)(?::\d*)?$/i;
const HOUR = 3_600_000;

/** The name in a `Host` header: in lower case, without port and final dot. Null for what is none. */
export function hostnameOf(host: string): string | null {
  if (!HOST.test(host) || !URL.canParse(`http://${host}`)) return null;
  return new URL(`http://${host}`).hostname.replace(/\.$/, '');
}

/** The same of a header that mostly is the one of before: addresses are dear to read. */
function createHostnameOf(): typeof hostnameOf {
  let last: { host: string; name: string | null } = { host: '', name: null };
  return (host) => {
    if (last.host !== host) last = { host, name: hostnameOf(host) };
    return last.name;
  };
}

/** No name server is asked about these, so nobody can make them lead elsewhere. */
const leadsNowhereElse = (name: string): boolean =>
  name === 'localhost' || name.endsWith('.localhost') || isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0;

const unreadable = () =>
  new HttpError(400, 'anfrage_ungueltig', {
    de: 'Die Kopfzeile Host fehlt, ist ungültig oder steht mehrmals da.',
    en: 'The header Host is missing, not valid or there more than once.',
  });

const unknownName = (name: string) =>
  new HttpError(421, 'name_unbekannt', {
    de: `Unter „${name}“ ist dieser Dienst nicht eingerichtet. Der Betreiber setzt BASE_URL auf die öffentliche Adresse oder nennt den Namen in WEITERE_HOSTS.`,
    en: `This service is not set up for the name “${name}”. Its operator sets BASE_URL to the public address or names it in WEITERE_HOSTS.`,
  });

/** Of several that stand in a request Node keeps the first; a proxy in front may have gone by another. */
function isNamedOnce(rawHeaders: string[]): boolean {
  let found = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') found += 1;
  }
  return found < 2;
}

/** The name a request calls the service by; null where it need not have one. Throws 400. */
function calledName({ headers, raw }: FastifyRequest, nameOf: typeof hostnameOf): string | null {
  if (headers.host === undefined) {
    // Browsers do not speak it; probes of load balancers do.
    if (raw.httpVersion === '1.0') return null;
    throw unreadable();
  }
  const name = isNamedOnce(raw.rawHeaders) ? nameOf(headers.host) : null;
  if (name === null) throw unreadable();
  return name;
}

/** Answers 421 to every request that calls the service by a name that is not its own, but for the health check. */
export function checkHost(app: FastifyInstance, { log, baseUrl, otherHosts = [] }: HostOptions): void {
  const isTime = createSparing({ every: HOUR, most: 20 });
  const others = new Set(otherHosts);
  const nameOf = createHostnameOf();
  app.addHook('onRequest', (request, _reply, done) => {
    const name = calledName(request, nameOf);
    if (name === null || leadsNowhereElse(name) || others.has(name)) return done();
    if (name === hostnameOf(new URL(baseUrl()).host)) return done();
    // Probes call it by whatever name they have for it, and it says nothing that is worth asking for from elsewhere.
    if (request.routeOptions.config.operation === gesund.id) return done();
    if (isTime(name))
      log.warn(
        { host: name },
        'a request calls the service by a name it does not know; set BASE_URL to the public address, or name it in WEITERE_HOSTS',
      );
    throw unknownName(name);
  });
}
