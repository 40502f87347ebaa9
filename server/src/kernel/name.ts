/** Names that people give themselves, their company, their brand: they end in mails, subjects and documents. */
import { InvalidInput } from './errors.ts';
import type { Sentence } from './sentence.ts';

/** Line breaks, control characters, and what turns the direction of writing around: none of them is seen. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const ADDRESS = /:\/\/|(?<![\p{L}\p{N}])www\./iu;

/** Whether mail programs would make a link of a part of the text, as far as it can be told from it. */
export const holdsAddress = (text: string): boolean => ADDRESS.test(text);

/** The text on one line, with a blank in the place of whatever is not seen. */
export const oneLine = (text: string): string => text.replaceAll(UNSEEN, ' ').replace(/ {2,}/g, ' ').trim();

/** Why a text of one or more lines cannot be taken, as a clause; null when it can. */
export const textProblem = (text: string): Sentence | null =>
  text.replace(/\r?\n/g, '').search(UNSEEN) < 0
    ? null
    : {
        de: 'darf keine Steuerzeichen und keine Zeichen enthalten, die die Schreibrichtung ändern',
        en: 'must contain neither control characters nor characters that change the direction of writing',
      };

/** Why a name cannot be taken, as a clause; null when it can: one line, no address of the internet. */
export function nameProblem(text: string): Sentence | null {
  if (/[\r\n]/.test(text)) return { de: 'muss auf einer Zeile stehen', en: 'must stand on one line' };
  return (
    textProblem(text) ??
    (holdsAddress(text)
      ? { de: 'darf keine Internetadresse enthalten', en: 'must not contain an address of the internet' }
      : null)
  );
}

/** Throws 422 for what cannot be taken as a name. */
export function requireName(field: string, text: string): void {
  const problem = nameProblem(text);
  if (problem !== null)
    throw new InvalidInput({
      path: [field],
      reason: { de: `Der Name ${problem.de}.`, en: `The name ${problem.en}.` },
      input: text,
    });
}
