/** The licence of the installation: a signed token (compact JWS, EdDSA). */
import { compactVerify, importJWK, type JWK } from 'jose';
import { datetime, integer, nullable, optional, type Static, Type, text, uuid } from '#contracts';
import { compileCheck } from '#http/check/index.ts';
import type { Config } from '#platform/config.ts';

const ALGORITHM = 'EdDSA';

/** What a licence says. */
const Lizenz = Type.Object({
  lizenz_id: uuid(),
  /** Who it was issued to. */
  kunde: text(),
  paket: text(),
  /** Null: without end. */
  gueltig_bis: optional(datetime()),
  /** How many Mandanten it covers. */
  mandanten: Type.Optional(nullable(integer({ min: 1 }))),
});
export type Lizenz = Static<typeof Lizenz>;

const check = compileCheck(Lizenz);

/**
 * The contents of a token, signed by the holder of the key (JWK as JSON). Throws for any other algorithm, signature, key
 * or content.
 */
export async function verifyLicence(token: string, publicKey: string): Promise<Lizenz> {
  const key = await importJWK(JSON.parse(publicKey) as JWK, ALGORITHM);
  const { payload } = await compactVerify(token, key, { algorithms: [ALGORITHM] });
  const result = check(JSON.parse(new TextDecoder().decode(payload)), ['lizenz']);
  if (!result.ok)
    throw new Error(`licence: ${result.faults.map(({ msg, loc }) => `${loc}: ${msg}`).join('; ')}`);
  return result.value as Lizenz;
}

/** What is configured: no licence at all, one that proves nothing (with the reason), or a verified one. */
export type Installed = null | { invalid: unknown } | Lizenz;

/** Reads and verifies the configured licence. Without a key to check it against it proves nothing. */
export async function readLicence({ licence, licenceKey }: Config): Promise<Installed> {
  if (licence === null) return null;
  if (licenceKey === null) return { invalid: new Error('LIZENZ_PRUEFSCHLUESSEL is not set') };
  return verifyLicence(licence, licenceKey).catch((invalid: unknown) => ({ invalid }));
}
