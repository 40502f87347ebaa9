import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits as URL-safe text (43 characters). */
export const randomSecret = (): string => randomBytes(32).toString('base64url');

/** What is stored of a secret that has 256 random bits of its own: no salt, no stretching needed. */
export const hashOf = (secret: string | Uint8Array): Buffer => createHash('sha256').update(secret).digest();
