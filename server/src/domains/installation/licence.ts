/** What a licence says, and the one that this installation is set to use. */
import { datetime, integer, nullable, type Static, Type, text, uuid } from '#contracts';
import { compileCheck } from '#http/check/index.ts';
import type { Config } from '#platform/config.ts';
import { readKeys } from './keys.ts';
import { fingerprintOf, type Keys, verifySigned } from './signed.ts';

export const LICENCE_TYPE = 'zaehlwerk-lizenz+json';

/** What is signed. */
const Lizenz = Type.Object({
  lizenz_id: uuid(),
  /** Whom it was made out to. */
  kunde: text(),
  paket: text(),
  /** Null: without end. */
  gueltig_bis: nullable(datetime()),
  /** How many Mandanten it covers. */
  mandanten: integer({ min: 1 }),
  ausgestellt_am: datetime(),
  /** Where the revocation list is. */
  sperrliste: text(),
});
type Lizenz = Static<typeof Lizenz>;

const check = compileCheck(Lizenz);

/** A licence with its fingerprint and the key it is signed with. */
export type VerifiedLicence = Lizenz & { fingerabdruck: string; kid: string };

/** The contents of a token. Throws for what none of the keys has signed as a licence, and for other contents. */
export async function verifyLicence(token: string, keys: Keys): Promise<VerifiedLicence> {
  const { payload, kid } = await verifySigned(token, keys, LICENCE_TYPE);
  const result = check(JSON.parse(payload), ['lizenz']);
  if (!result.ok)
    throw new Error(`licence: ${result.faults.map(({ msg, loc }) => `${loc}: ${msg}`).join('; ')}`);
  return { ...(result.value as Lizenz), fingerabdruck: fingerprintOf(token), kid };
}

/** What is set: one that proves nothing (with the reason), or a verified one with the keys that vouch for it. */
export type Installed = { invalid: unknown } | { licence: VerifiedLicence; keys: Keys };

async function verify(token: string, keyText: string | null): Promise<Installed> {
  try {
    if (keyText === null) throw new Error('LIZENZ_PRUEFSCHLUESSEL is not set');
    const keys = await readKeys(keyText);
    return { licence: await verifyLicence(token, keys), keys };
  } catch (invalid) {
    return { invalid };
  }
}

const known = new WeakMap<Config, Promise<Installed | null>>();

/** The licence that is configured; null when there is none. It does not change while the service runs, so it is verified once. */
export function installedLicence(config: Config): Promise<Installed | null> {
  const { licence, licenceKey } = config;
  const reading =
    known.get(config) ?? (licence === null ? Promise.resolve(null) : verify(licence, licenceKey));
  known.set(config, reading);
  return reading;
}
