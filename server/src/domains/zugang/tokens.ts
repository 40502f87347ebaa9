/** The two secrets that are handed out: session tokens and API keys. */
import { randomSecret } from '#kernel/secret.ts';

const PREFIX = 'zw_live_';
const RANDOM = /^[A-Za-z0-9_-]{43}$/;

/** Anything else cannot be in the database and is not looked up there. */
export const isSessionToken = (text: string): boolean => RANDOM.test(text);

export const isKeySecret = (text: string): boolean =>
  text.startsWith(PREFIX) && RANDOM.test(text.slice(PREFIX.length));

/** A new API key: the visible prefix and 256 random bits. */
export const newKeySecret = (): string => PREFIX + randomSecret();

/** What stays readable of a key after it was shown: enough to tell keys apart, too little to guess one. */
export const visibleParts = (secret: string) => ({
  anfang: secret.slice(0, 12),
  letzte_vier: secret.slice(-4),
});
