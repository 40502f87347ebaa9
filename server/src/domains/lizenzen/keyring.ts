/**
 * The keys (Ed25519) that licences and the revocation list are signed with: kept sealed in the database, one of them active. The
 * first one is made when it is needed.
 */
import {
  type CryptoKey,
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
} from 'jose';
import type { Ask } from '#platform/database/index.ts';
import type { SecretBox } from '#platform/secret-box.ts';

const ALGORITHM = 'EdDSA';

/** An opened key. */
export interface SigningKey {
  nummer: number;
  /** RFC 7638 thumbprint. */
  kid: string;
  key: CryptoKey;
  /** The public half. */
  jwk: JWK;
  /** Whether it signs what is new. */
  aktiv: boolean;
}

/** A row, as the function that hands them out gives it. */
interface SealedKey extends Pick<SigningKey, 'nummer' | 'aktiv'> {
  verschluesselt: Buffer;
}

const KEYS = 'SELECT nummer, verschluesselt, aktiv FROM zw_lizenzschluessel($1)';

/** A new private key, sealed. */
export async function newSealedKey(secrets: SecretBox): Promise<Buffer> {
  const { privateKey } = await generateKeyPair(ALGORITHM, { crv: 'Ed25519', extractable: true });
  return secrets.seal(Buffer.from(JSON.stringify(await exportJWK(privateKey))));
}

async function open(secrets: SecretBox, sealed: Buffer): Promise<Pick<SigningKey, 'kid' | 'key' | 'jwk'>> {
  const jwk: JWK = JSON.parse(secrets.open(sealed).toString());
  const { kty, crv, x } = jwk;
  const kid = await calculateJwkThumbprint(jwk);
  return { kid, key: (await importJWK(jwk, ALGORITHM)) as CryptoKey, jwk: { kty, crv, x, kid } as JWK };
}

/** Reads the keys that are not withdrawn, in the order they were made; opened ones are remembered. */
export type Keyring = (ask: Ask) => Promise<SigningKey[]>;

export function createKeyring(secrets: SecretBox): Keyring {
  const opened = new Map<number, ReturnType<typeof open>>();
  return async (ask) => {
    const found = await ask<SealedKey>(KEYS, [null]);
    // Of several processes that start at once one wins; all use what it stored.
    const sealed = found.length > 0 ? found : await ask<SealedKey>(KEYS, [await newSealedKey(secrets)]);
    return Promise.all(
      sealed.map(async ({ nummer, verschluesselt, aktiv }) => {
        const opening = opened.get(nummer) ?? open(secrets, verschluesselt);
        opened.set(nummer, opening);
        opening.catch(() => opened.delete(nummer));
        return { nummer, aktiv, ...(await opening) };
      }),
    );
  };
}

/** The one that signs what is new. */
export function activeOf(keys: SigningKey[]): SigningKey {
  const active = keys.find(({ aktiv }) => aktiv);
  if (!active) throw new Error('no active signing key');
  return active;
}
