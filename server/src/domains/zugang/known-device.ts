/**
 * Known devices: a browser that has signed in keeps a pass by which its next attempts differ from those of strangers. A pass
 * opens nothing. It is sealed under the key of the installation and stored nowhere here; it holds for one user, and only as
 * long as that user's password is the one it was made with, so that whatever sets a new password ends all earlier ones.
 */
import { randomUUID } from 'node:crypto';
import { hashOf } from '#platform/secret.ts';
import type { SecretBox } from '#platform/secret-box.ts';

/** A user and the password that is stored. */
interface Credentials {
  benutzer_id: string;
  passwort_hash: string | null;
}

interface Pass {
  /** What is sealed for another purpose is no pass. */
  purpose: typeof PURPOSE;
  /** Names the budget of attempts: another one for each login. */
  id: string;
  user: string;
  password: string;
  /** ISO 8601. */
  validUntil: string;
}

const PURPOSE = 'known device';

/** A browser nobody has signed in with for this long is a stranger's again. */
export const DEVICE_VALID_DAYS = 180;
const DAY = 86_400_000;

const fingerprintOf = (passwort_hash: string) => hashOf(passwort_hash).toString('base64url');

/** A pass for the browser that has just proven to be the user's; null for users without a password, at which nobody guesses. */
export function issueDevice(
  secrets: SecretBox,
  { benutzer_id, passwort_hash }: Credentials,
  now: Date,
): string | null {
  if (passwort_hash === null) return null;
  const pass: Pass = {
    purpose: PURPOSE,
    id: randomUUID(),
    user: benutzer_id,
    password: fingerprintOf(passwort_hash),
    validUntil: new Date(now.getTime() + DEVICE_VALID_DAYS * DAY).toISOString(),
  };
  return secrets.seal(Buffer.from(JSON.stringify(pass))).toString('base64url');
}

/** What is sealed in a cookie; null for anything that was not sealed here. */
function openPass(secrets: SecretBox, cookie: string): Pass | null {
  try {
    return JSON.parse(secrets.open(Buffer.from(cookie, 'base64url')).toString());
  } catch {
    return null;
  }
}

/** The id of the device whose pass the browser sent; null for a stranger: no pass, a foreign or an old one. */
export function knownDevice(
  secrets: SecretBox,
  cookie: string | null,
  user: Credentials | undefined,
  now: Date,
): string | null {
  if (cookie === null || !user || user.passwort_hash === null) return null;
  const pass = openPass(secrets, cookie);
  const holds =
    pass?.purpose === PURPOSE &&
    pass.user === user.benutzer_id &&
    pass.password === fingerprintOf(user.passwort_hash) &&
    Date.parse(pass.validUntil) > now.getTime();
  return holds ? pass.id : null;
}
