/** Signed texts of licences and revocation lists: compact JWS, Ed25519, each in exactly one spelling. */
import { createHash } from 'node:crypto';
import { CompactSign, type CryptoKey, compactVerify } from 'jose';

const ALGORITHM = 'EdDSA';

/** Says what is signed, so that a signature for one purpose never passes for another (RFC 8725, 3.11). */
export type SignedType = 'zaehlwerk-lizenz+json' | 'zaehlwerk-sperrliste+json';

/** Public keys by their `kid`, the RFC 7638 thumbprint. */
export type Keys = ReadonlyMap<string, CryptoKey>;

/** The text is not what one of the keys has signed as a text of this kind. */
export class NotSigned extends Error {}

// The one order there is: a header in any other is none of ours.
const headerOf = (kid: string, typ: SignedType) => JSON.stringify({ alg: ALGORITHM, kid, typ });

/** Signs a payload. */
export const sign = (payload: object, typ: SignedType, kid: string, key: CryptoKey): Promise<string> =>
  new CompactSign(Buffer.from(JSON.stringify(payload)))
    .setProtectedHeader({ alg: ALGORITHM, kid, typ })
    .sign(key);

/** Decodes base64url that is spelled as it would be written; the usual decoders take other letters for the same bytes. */
function decode(part: string): Buffer {
  const bytes = Buffer.from(part, 'base64url');
  if (bytes.toString('base64url') !== part) throw new NotSigned('not written as base64url');
  return bytes;
}

function kidOf(header: string): string {
  try {
    const { kid } = JSON.parse(header);
    if (typeof kid === 'string') return kid;
  } catch {
    // Said below.
  }
  throw new NotSigned('the header names no key');
}

/**
 * The payload of a token as text, and the key that has signed it. Throws `NotSigned` for any other algorithm, kind, key, signature
 * or spelling.
 */
export async function verifySigned(
  token: string,
  keys: Keys,
  typ: SignedType,
): Promise<{ payload: string; kid: string }> {
  const parts = token.split('.');
  if (parts.length !== 3) throw new NotSigned('not three parts');
  const [header = ''] = parts.map(decode).map((bytes) => bytes.toString());
  const kid = kidOf(header);
  if (header !== headerOf(kid, typ)) throw new NotSigned(`not signed as ${typ}`);
  const key = keys.get(kid);
  if (!key) throw new NotSigned(`signed with another key (${kid})`);
  const { payload } = await compactVerify(token, key, { algorithms: [ALGORITHM] }).catch((cause) => {
    throw new NotSigned('the signature is wrong', { cause });
  });
  return { payload: new TextDecoder('utf-8', { fatal: true }).decode(payload), kid };
}

/** Fingerprint of a licence: SHA-256 of its token, 64 hex characters. */
export const fingerprintOf = (token: string): string => createHash('sha256').update(token).digest('hex');
