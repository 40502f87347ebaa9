/** Licences and revocation lists as somebody else would sign them, and a server that publishes such a list. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';
import {
  fingerprintOf,
  LICENCE_TYPE,
  LIST_TYPE,
  readKeys,
  sign,
  signedList,
} from '#domains/installation/index.ts';

/** The one who makes licences out. */
export interface Issuer {
  kid: string;
  key: CryptoKey;
  /** The public key, as `LIZENZ_PRUEFSCHLUESSEL` takes it. */
  jwk: string;
  keys: Awaited<ReturnType<typeof readKeys>>;
  /** A licence that says this beside what it must say. */
  licence(contents?: Record<string, unknown>): Promise<string>;
  /** A list, as its server answers it. */
  list(contents?: Record<string, unknown>): Promise<string>;
}

export const LICENCE = {
  lizenz_id: '0193f3c4-0000-7000-8000-000000000001',
  kunde: 'Muster GmbH',
  paket: 'enterprise',
  gueltig_bis: '2027-01-01T00:00:00.000Z',
  mandanten: 3,
  ausgestellt_am: '2026-01-01T00:00:00.000Z',
  sperrliste: 'https://lizenzen.example.org/v1/lizenzen/sperrliste',
};

export const LIST = {
  nummer: 5,
  ausgestellt_am: '2026-10-01T00:00:00.000Z',
  gueltig_bis: '2026-10-08T00:00:00.000Z',
  sperren: [] as ReturnType<typeof blockOf>[],
};

/** What a list says of a blocked licence. */
export const blockOf = (token: string, lizenz_id = LICENCE.lizenz_id) => ({
  lizenz_id,
  fingerabdruck: fingerprintOf(token),
  gesperrt_am: '2026-10-01T00:00:00.000Z',
});

export async function createIssuer(): Promise<Issuer> {
  const { publicKey, privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519' });
  const { kty, crv, x } = await exportJWK(publicKey);
  const jwk = JSON.stringify({ kty, crv, x });
  const kid = await calculateJwkThumbprint({ kty, crv, x } as object);
  return {
    kid,
    key: privateKey,
    jwk,
    keys: await readKeys(jwk),
    licence: (contents = {}) => sign({ ...LICENCE, ...contents }, LICENCE_TYPE, kid, privateKey),
    async list(contents = {}) {
      const payload = { ...LIST, ...contents };
      return signedList(JSON.stringify(payload), await sign(payload, LIST_TYPE, kid, privateKey));
    },
  };
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/**
 * The token, changed in all ways that matter: every bit of every byte of every part, and every letter replaced by one that decoders
 * take for the same bits, or by one that they leave out.
 */
export function* spoilt(token: string): Generator<string> {
  const parts = token.split('.');
  for (const [index, part] of parts.entries()) {
    const bytes = Buffer.from(part, 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const flipped = Buffer.from(bytes);
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      yield parts.with(index, flipped.toString('base64url')).join('.');
    }
    for (const letter of LETTERS) {
      const other = part.slice(0, -1) + letter;
      if (other !== part) yield parts.with(index, other).join('.');
    }
    for (const more of ['=', '==', ' ', '\n', '.', 'A', '\0', 'ä']) {
      yield parts.with(index, part + more).join('.');
      yield parts.with(index, more + part).join('.');
    }
    yield parts.with(index, part.slice(0, -1)).join('.');
    yield parts.with(index, '').join('.');
    const standard = part.replaceAll('-', '+').replaceAll('_', '/');
    if (standard !== part) yield parts.with(index, standard).join('.');
  }
  yield parts.slice(0, 2).join('.');
  yield '';
}

export interface RevocationServer {
  url: string;
  /** What it answers from now on. */
  serve(body: string, headers?: Record<string, string>, status?: number): void;
  /** What it was asked so far. */
  asked: Pick<IncomingMessage, 'url' | 'headers'>[];
  stop(): Promise<void>;
}

/** Serves one list, and 304 to requests that name its `etag`. */
export async function startRevocationServer(): Promise<RevocationServer> {
  let answer = { body: '', headers: {} as Record<string, string>, status: 404 };
  const asked: RevocationServer['asked'] = [];
  const server = createServer((request, response) => {
    asked.push({ url: request.url, headers: request.headers });
    const { body, headers, status } = answer;
    const known = headers.etag !== undefined && request.headers['if-none-match'] === headers.etag;
    response.writeHead(known ? 304 : status, headers).end(known ? undefined : body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/sperrliste`,
    serve: (body, headers = {}, status = 200) => {
      answer = { body, headers, status };
    },
    asked,
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
