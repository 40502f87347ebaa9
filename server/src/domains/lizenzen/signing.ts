/** The Ed25519 key the revocation list is signed with: made once per database, kept encrypted in it. */
import { CompactSign, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import type { ServiceContext } from '#platform/context.ts';
import { readSigningKey } from './store.ts';

const ALGORITHM = 'EdDSA';
/** Says what is signed, so that a signature for one purpose never passes for another (RFC 8725, 3.11). */
const TYPE = 'zaehlwerk-sperrliste+json';

/** Signs a payload: compact JWS, header `alg`, `kid` (RFC 7638 thumbprint of the key) and `typ`. */
export type Sign = (payload: object) => Promise<string>;

async function newKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair(ALGORITHM, { crv: 'Ed25519', extractable: true });
  return exportJWK(privateKey);
}

async function loadKey({ db, secrets, log }: ServiceContext): Promise<JWK> {
  const stored = await readSigningKey(db, null);
  if (stored) return JSON.parse(secrets.open(stored).toString());
  const proposal = secrets.seal(Buffer.from(JSON.stringify(await newKey())));
  // Of several processes that start at once one wins; all use what it stored.
  const winner = (await readSigningKey(db, proposal)) ?? proposal;
  const jwk: JWK = JSON.parse(secrets.open(winner).toString());
  const { d: _private, ...publicKey } = jwk;
  log.info({ publicKey }, 'revocation list: signing key made; installations check against this public key');
  return jwk;
}

async function createSign(context: ServiceContext): Promise<Sign> {
  const jwk = await loadKey(context);
  const key = await importJWK(jwk, ALGORITHM);
  const header = { alg: ALGORITHM, kid: await calculateJwkThumbprint(jwk), typ: TYPE };
  return (payload) =>
    new CompactSign(Buffer.from(JSON.stringify(payload))).setProtectedHeader(header).sign(key);
}

/** Loads the key at the first use, and again at the next one should that fail. */
export function createSigner(context: ServiceContext): Sign {
  let ready: Promise<Sign> | null = null;
  return async (payload) => {
    ready ??= createSign(context).catch((error: unknown) => {
      ready = null;
      throw error;
    });
    return (await ready)(payload);
  };
}
