/** The public keys of the issuer of licences, as `LIZENZ_PRUEFSCHLUESSEL` has them: a JWK, or a set of them. */
import { type CryptoKey, calculateJwkThumbprint, importJWK, type JWK } from 'jose';
import type { Keys } from './signed.ts';

async function readKey(jwk: JWK): Promise<[string, CryptoKey]> {
  const { kty, crv, x, d } = jwk;
  if (kty !== 'OKP' || crv !== 'Ed25519' || typeof x !== 'string')
    throw new Error('a key is no public key of Ed25519');
  // It would do, but its holder makes licences: better that somebody notices.
  if (d !== undefined) throw new Error('a key is a private one');
  const pub = { kty, crv, x };
  return [await calculateJwkThumbprint(pub), (await importJWK(pub, 'EdDSA')) as CryptoKey];
}

/** Reads them. Throws for what is none, or holds a private one. */
export async function readKeys(text: string): Promise<Keys> {
  const given: unknown = JSON.parse(text);
  if (typeof given !== 'object' || given === null) throw new Error('no JWK');
  const jwks: unknown = 'keys' in given ? given.keys : [given];
  if (!Array.isArray(jwks) || jwks.length === 0) throw new Error('a set of no keys');
  return new Map(await Promise.all(jwks.map((jwk) => readKey({ ...jwk }))));
}
