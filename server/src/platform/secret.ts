import { hash, randomBytes } from 'node:crypto';

/** 256 random bits as URL-safe text (43 characters). */
export const randomSecret = (): string => randomBytes(32).toString('base64url');

/** Whether a text has the form of `randomSecret`; anything else cannot be in the database and is not looked up there. */
export const isSecret = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text);

/** What is stored of a secret that has 256 random bits of its own: no salt, no stretching needed. */
export const hashOf = (secret: string | Uint8Array): Buffer => hash('sha256', secret, 'buffer');
