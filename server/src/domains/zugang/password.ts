/** Passwords as argon2id in the PHC string form, so that stored hashes say with which cost they were made. */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { createShares } from '#platform/shares.ts';

interface Cost {
  /** KiB. */
  memory: number;
  passes: number;
  parallelism: number;
}

/** OWASP Password Storage Cheat Sheet, argon2id, second of the equivalent settings. */
const COST: Cost = { memory: 19_456, passes: 2, parallelism: 1 };
const SALT_BYTES = 16;
const TAG_BYTES = 32;

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/**
 * Hashing takes a thread of the few that unpacking, files and name look-ups need as well: half of them stay free. A second or
 * two of work may wait; a flood of the login beyond that gets 503.
 */
const threads = createShares({ places: 2, waiting: 100 });
const derive = promisify(argon2);

const toBase64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');

const toPhc = (cost: Cost, salt: Buffer, tag: Buffer) =>
  `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${toBase64(salt)}$${toBase64(tag)}`;

function tagOf(passwort: string, cost: Cost, salt: Buffer, tagLength: number): Promise<Buffer> {
  // Systems differ in how they type an "ä"; one form, so that it is the same password on all of them.
  const message = Buffer.from(passwort.normalize('NFC'));
  return threads.inTurn(null, () => derive('argon2id', { ...cost, message, nonce: salt, tagLength }));
}

/** The PHC string to store. Every byte of the password counts, none is cut off. Throws 503 when too many wait. */
export async function hashPassword(passwort: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  return toPhc(COST, salt, await tagOf(passwort, COST, salt, TAG_BYTES));
}

/** Verifying against this takes as long as against a stored hash; no password is known that matches. */
const NOBODYS_HASH = toPhc(COST, randomBytes(SALT_BYTES), randomBytes(TAG_BYTES));

/**
 * Whether the password belongs to the stored PHC string; null stands for a user that does not exist, which takes the
 * same way and is never right. Throws on a string of another form, and 503 when too many wait.
 */
export async function verifyPassword(passwort: string, stored: string | null): Promise<boolean> {
  const parts = PHC.exec(stored ?? NOBODYS_HASH);
  if (!parts) throw new Error('a stored password hash is not an argon2id PHC string');
  const [memory, passes, parallelism] = parts.slice(1, 4).map(Number) as [number, number, number];
  const [salt, tag] = parts.slice(4).map((text) => Buffer.from(text, 'base64')) as [Buffer, Buffer];
  const given = await tagOf(passwort, { memory, passes, parallelism }, salt, tag.length);
  return timingSafeEqual(given, tag) && stored !== null;
}
