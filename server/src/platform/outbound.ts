/**
 * Requests to addresses that users give us. They reach the public internet only: where a name leads is looked at when
 * the connection is made, so that a name which changes its mind afterwards gains nothing.
 */

import { lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { Agent, buildConnector, fetch, type RequestInit, type Response } from 'undici';
import { isPublicAddress } from '#kernel/public-address.ts';
import type { Sentence } from '#kernel/sentence.ts';

/** A network that `ERLAUBTE_NETZE` names. */
export type Network = [address: ipaddr.IPv4 | ipaddr.IPv6, prefix: number];

/** The address is not one we connect to. */
export class ForbiddenAddress extends Error {}

export interface Outbound {
  /**
   * Like `fetch`, without redirects; rejects with `ForbiddenAddress` (perhaps as the cause). After 10 seconds it gives up,
   * whether it waits for the connection, for the answer or for the rest of its body.
   */
  fetch(url: string | URL, init?: RequestInit): Promise<Response>;
  /** Why an address can be refused at once, as a clause; null when only connecting will tell. */
  problemOf(url: string): Sentence | null;
}

export interface OutboundOptions {
  /** Milliseconds until a request is given up. */
  timeout?: number;
  /** Where names lead; the system's resolver unless given. */
  resolve?: typeof lookup;
}

const TIMEOUT = 10_000;

/** Reads a network in CIDR notation, or a single address; null when it is neither. */
export function parseNetwork(text: string): Network | null {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text);
  if (!isIP(text)) return null;
  const address = ipaddr.parse(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

/** Those of checked texts. */
export const networksOf = (texts: string[]): Network[] =>
  texts.map(parseNetwork).filter((network) => network !== null);

function isAllowed(text: string, networks: Network[]): boolean {
  if (isPublicAddress(text)) return true;
  const address = ipaddr.process(text);
  return networks.some(
    ([network, prefix]) => network.kind() === address.kind() && address.match(network, prefix),
  );
}

const withoutBrackets = (host: string) => host.replace(/^\[|\]$/g, '');

function guardedLookup(networks: Network[], resolve: typeof lookup): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, []);
      // One forbidden address among several is enough: which one is tried is not ours to say.
      if (!addresses.every(({ address }) => isAllowed(address, networks)))
        return callback(new ForbiddenAddress(`${hostname} leads to a forbidden network`), []);
      if (options.all) return callback(null, addresses);
      const [first] = addresses;
      return callback(
        first ? null : new Error(`${hostname} has no address`),
        first?.address ?? '',
        first?.family,
      );
    });
  };
}

/** What makes a text no address to fetch, wherever it may lead. */
function formProblem(text: string): Sentence | null {
  if (!URL.canParse(text)) return { de: 'ist keine Adresse', en: 'is no address' };
  const { protocol, username, password } = new URL(text);
  if (protocol !== 'https:' && protocol !== 'http:')
    return { de: 'muss mit https:// oder http:// beginnen', en: 'must begin with https:// or http://' };
  return username === '' && password === ''
    ? null
    : { de: 'darf keine Zugangsdaten enthalten', en: 'must not contain credentials' };
}

const LOCALHOST = /(^|\.)localhost\.?$/;
const LOOPBACK = ['127.0.0.1', '::1'];

/** Where an address leads, as far as it can be told without asking anybody. */
function networkProblem(url: string, networks: Network[]): Sentence | null {
  const host = withoutBrackets(new URL(url).hostname);
  const known = LOCALHOST.test(host) ? LOOPBACK : isIP(host) ? [host] : null;
  if (known === null || known.some((address) => isAllowed(address, networks))) return null;
  return {
    de: 'liegt in einem Netz, das der Dienst nicht erreichen darf',
    en: 'is in a network that the service must not reach',
  };
}

/** The guard; `networks` are reachable besides the public internet. */
export function createOutbound(
  networks: Network[],
  { timeout = TIMEOUT, resolve = lookup }: OutboundOptions = {},
): Outbound {
  const connect = buildConnector({ timeout, lookup: guardedLookup(networks, resolve) });
  const dispatcher = new Agent({
    // A literal address is never looked up, so the look-up alone would let it through.
    connect: (options, callback) => {
      const host = withoutBrackets(options.hostname);
      if (isIP(host) && !isAllowed(host, networks))
        return callback(new ForbiddenAddress(`${host} is in a forbidden network`), null);
      return connect(options, callback);
    },
  });
  return {
    async fetch(url, init = {}) {
      const problem = formProblem(String(url));
      if (problem !== null) throw new ForbiddenAddress(`the address ${problem.en}`);
      // The caller may be more impatient than we are, not more patient.
      const limit = AbortSignal.timeout(timeout);
      const signal = init.signal ? AbortSignal.any([init.signal, limit]) : limit;
      return fetch(url, { ...init, signal, redirect: 'manual', dispatcher });
    },
    problemOf: (url) => formProblem(url) ?? networkProblem(url, networks),
  };
}

/** The body up to `limit` bytes; null when it is longer. */
export async function readAtMost(response: Response, limit: number): Promise<Buffer | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    // Leaving the loop cancels the rest.
    if (length > limit) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
