/** E-mail addresses: plausible or not, with the reasons of Python's email-validator, and the form they are kept in. */
import { domainToASCII, domainToUnicode } from 'node:url';

const LOCAL_CHARACTER = /[\p{L}\p{M}\p{N}_!#$%&'*+\-/=?^`{|}~.]/u;
const DOMAIN_CHARACTER = /[\p{L}\p{M}\p{N}\-.]/u;
const MAX_LABEL = 63;
const MAX_DOMAIN = 253;

/** A character as the reasons name it: `'('`, `SPACE`, `U+000A`. */
function named(character: string): string {
  if (character === ' ') return 'SPACE';
  if (/[\p{L}\p{N}\p{P}\p{S}]/u.test(character)) return `'${character}'`;
  return `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`;
}

const strangers = (text: string, allowed: RegExp): string =>
  [...new Set(text)]
    .filter((character) => !allowed.test(character))
    .sort()
    .map(named)
    .join(', ');

function dotProblem(part: string, start: string, end: string): string | null {
  if (part.startsWith('.')) return `An email address cannot ${start}.`;
  if (part.endsWith('.')) return `An email address cannot ${end}.`;
  return part.includes('..') ? 'An email address cannot have two periods in a row.' : null;
}

function localProblem(local: string): string | null {
  if (local === '') return 'There must be something before the @-sign.';
  if (local.startsWith('"')) return 'Quoting the part before the @-sign is not allowed here.';
  const invalid = strangers(local, LOCAL_CHARACTER);
  if (invalid) return `The email address contains invalid characters before the @-sign: ${invalid}.`;
  return dotProblem(local, 'start with a period', 'have a period immediately before the @-sign');
}

function domainProblem(domain: string): string | null {
  if (domain === '') return 'There must be something after the @-sign.';
  if (domain.startsWith('[')) return 'A bracketed IP address after the @-sign is not allowed here.';
  const invalid = strangers(domain, DOMAIN_CHARACTER);
  if (invalid) return `The part after the @-sign contains invalid characters: ${invalid}.`;
  const dots = dotProblem(domain, 'have a period immediately after the @-sign', 'end with a period');
  if (dots) return dots;
  if (domain.startsWith('-')) return 'An email address cannot have a hyphen immediately after the @-sign.';
  if (domain.endsWith('-')) return 'An email address cannot end with a hyphen.';
  if (/\.-|-\./.test(domain)) return 'An email address cannot have a period and a hyphen next to each other.';
  if (domain.length > MAX_DOMAIN) return 'The email address is too long after the @-sign.';
  if (domain.split('.').some((label) => label.length > MAX_LABEL)) {
    return 'After the @-sign, periods cannot be separated by this many characters.';
  }
  if (!domain.includes('.')) return 'The part after the @-sign is not valid. It should have a period.';
  if (!/\p{L}\p{M}*$/u.test(domain))
    return 'The part after the @-sign is not valid. It is not within a valid top-level domain.';
  return isNameForMachines(domain) || domainToASCII(domain) !== ''
    ? null
    : 'The part after the @-sign is not a valid internationalized domain name.';
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
const isNameForMachines = (domain: string): boolean => /^[\x00-\x7f]*$/.test(domain);

/**
 * The address as it is kept and compared: letters with their marks as one character (NFC), an international domain in its ASCII
 * form (UTS 46), the rest as it was typed; upper and lower case are the database's to compare (`zw_adresse`). `a@münchen.de` and
 * `a@xn--mnchen-3ya.de` are one mailbox, and so are the two ways in which systems write `hä@…`.
 */
export function normaliseEmail(typed: string): string {
  const text = typed.normalize('NFC');
  const at = text.lastIndexOf('@');
  const domain = text.slice(at + 1);
  if (at < 0 || isNameForMachines(domain)) return text;
  const ascii = domainToASCII(domain);
  return ascii === '' ? text : `${text.slice(0, at + 1)}${ascii}`;
}

/** A kept address as people read it. */
export function readableEmail(email: string): string {
  const at = email.lastIndexOf('@');
  const domain = email.slice(at + 1);
  const readable = /(^|\.)xn--/i.test(domain) ? domainToUnicode(domain) : '';
  return readable === '' ? email : `${email.slice(0, at + 1)}${readable}`;
}

/** Why the text is no plausible e-mail address; null when it is one. Whether mail arrives is not asked. */
export function emailProblem(text: string): string | null {
  const at = text.indexOf('@');
  if (at < 0) return 'An email address must have an @-sign.';
  return localProblem(text.slice(0, at)) ?? domainProblem(text.slice(at + 1));
}
