/** What a key looks like, and what it may do. */
import type { Scope } from '#contracts';
import { isSecret, randomSecret } from '#platform/secret.ts';

const PREFIX = 'zw_live_';

/** Whether a text has the form of a key. */
export const isKeySecret = (text: string): boolean =>
  text.startsWith(PREFIX) && isSecret(text.slice(PREFIX.length));

/** A new API key: the visible prefix and 256 random bits. */
export const newKeySecret = (): string => PREFIX + randomSecret();

/** What stays readable of a key after it was shown: enough to tell keys apart, too little to guess one. */
export const visibleParts = (secret: string) => ({
  anfang: secret.slice(0, 12),
  letzte_vier: secret.slice(-4),
});

/** What a new key may do: what was asked for, each scope once and in one order; without a wish everything. */
export function scopesOf(wished: readonly Scope[] | null | undefined): Scope[] {
  const all: Scope[] = ['Senden', 'Lesen'];
  return wished ? all.filter((scope) => wished.includes(scope)) : all;
}
