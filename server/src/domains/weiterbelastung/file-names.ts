/** Names of files, of references that may hold anything. */
import { createHash } from 'node:crypto';

const LONGEST = 60;
/** Of SHA-256, in hexadecimal digits: no two references of a Mandant meet in it. */
const DIGITS = 12;

const SPELT: Record<string, string> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  Ä: 'Ae',
  Ö: 'Oe',
  Ü: 'Ue',
  ß: 'ss',
  ẞ: 'SS',
};

/** A reference as part of a file name that any file system takes: letters, digits, `.`, `_`, `-`. May be the same for several. */
export const plainName = (referenz: string): string =>
  referenz
    // As Germans write them where there are no umlauts: "Krüger" is not "Kruger".
    .normalize('NFC')
    .replace(/[äöüÄÖÜßẞ]/g, (letter) => SPELT[letter] ?? letter)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9._-]+/g, '_')
    .slice(0, LONGEST);

/**
 * A name for each reference, in the same order, no two alike even where case does not count. One that had to be changed, or that others
 * come near, ends with `~` and a part of its SHA-256: it stays the same beside any others, but for case.
 */
export function uniqueNames(referenzen: readonly string[]): string[] {
  const likes = new Map<string, number>();
  for (const referenz of referenzen) {
    const like = plainName(referenz).toLowerCase();
    likes.set(like, (likes.get(like) ?? 0) + 1);
  }
  return referenzen.map((referenz) => {
    const name = plainName(referenz);
    if (name === referenz && likes.get(name.toLowerCase()) === 1) return name;
    return `${name}~${createHash('sha256').update(referenz).digest('hex').slice(0, DIGITS)}`;
  });
}
