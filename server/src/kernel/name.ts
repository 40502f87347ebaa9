/** Names that people give themselves, their company, their brand: they end in mails, subjects and documents. */
import { InvalidInput } from './errors.ts';

/** Line breaks, control characters, and what turns the direction of writing around: none of them is seen. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const ADDRESS = /:\/\/|(?<![\p{L}\p{N}])www\./iu;

/** Whether mail programs would make a link of a part of the text, as far as it can be told from it. */
export const holdsAddress = (text: string): boolean => ADDRESS.test(text);

/** The text on one line, with a blank in the place of whatever is not seen. */
export const oneLine = (text: string): string => text.replaceAll(UNSEEN, ' ').replace(/ {2,}/g, ' ').trim();

/** Why a text of one or more lines cannot be taken, as a German clause; null when it can. */
export const textProblem = (text: string): string | null =>
  text.replace(/\r?\n/g, '').search(UNSEEN) < 0
    ? null
    : 'darf keine Steuerzeichen und keine Zeichen enthalten, die die Schreibrichtung ändern';

/** Why a name cannot be taken, as a German clause; null when it can: one line, no address of the internet. */
export function nameProblem(text: string): string | null {
  if (/[\r\n]/.test(text)) return 'muss auf einer Zeile stehen';
  return textProblem(text) ?? (holdsAddress(text) ? 'darf keine Internetadresse enthalten' : null);
}

/** Throws 422 for what cannot be taken as a name. */
export function requireName(field: string, text: string): void {
  const problem = nameProblem(text);
  if (problem !== null)
    throw new InvalidInput({ path: [field], reason: `Der Name ${problem}.`, input: text });
}
