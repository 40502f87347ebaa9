/** Codes of the second factor: TOTP (RFC 6238, as authenticator apps have it) and recovery codes. */
import { createHmac, randomInt } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

const ISSUER = 'Zählwerk';
const SEED_BYTES = 20;
/** Clocks differ; a code of the step before or after is taken too. */
const WINDOW = 1;

/** Crockford's alphabet: no I, L, O and U, which would be read as something else. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const RECOVERY_CODES = 10;
const RECOVERY_LENGTH = 8;

const totpOf = (seed: string, label = ''): TOTP =>
  new TOTP({
    issuer: ISSUER,
    label,
    algorithm: 'SHA1',
    digits: 6,
    period: 30,
    secret: Secret.fromBase32(seed),
  });

/** A new seed of 160 bits, in base32. */
export const newSeed = (): string => new Secret({ size: SEED_BYTES }).base32;

/** `otpauth://totp/…`, what the QR code for the app says. */
export const otpauthUri = (seed: string, email: string): string => totpOf(seed, email).toString();

/** A code as it was meant: without blanks and hyphens, in capitals. */
export const normaliseCode = (typed: string): string => typed.replace(/[\s\p{Pd}]/gu, '').toUpperCase();

export const isTotpCode = (code: string): boolean => /^\d{6}$/.test(code);

/** The time step a code belongs to, counted from 1970; null for a wrong code. */
export function stepOf(seed: string, code: string, now: Date): number | null {
  // The library compares bytes and throws when there are more than six.
  if (!isTotpCode(code)) return null;
  const totp = totpOf(seed);
  const timestamp = now.getTime();
  const delta = totp.validate({ token: code, timestamp, window: WINDOW });
  return delta === null ? null : totp.counter({ timestamp }) + delta;
}

export const newRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () =>
    Array.from({ length: RECOVERY_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join(''),
  );

/**
 * What is stored of a recovery code. It has 40 random bits only: without the seed, which is sealed, a stolen database
 * does not show them even to somebody who tries them all.
 */
export function recoveryHash(seed: string, code: string): Buffer {
  const meant = code.replaceAll('O', '0').replace(/[IL]/g, '1');
  return createHmac('sha256', seed).update(`wiederherstellungscode:${meant}`).digest();
}
