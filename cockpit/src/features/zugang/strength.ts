/** What the page says about a new password while it is typed. The service judges it with more words than fit into a page. */

export type Strength = 'kurz' | 'leicht' | 'gut';

/** The length the service asks for, in characters. */
const MIN_LENGTH = 10;
/** This many different characters must be left once the guessable parts are taken out. */
const MIN_DISTINCT = 6;

const GUESSABLE = ['passwort', 'password', '12345', '67890', 'qwert', 'abcde', 'zählwerk', 'zaehlwerk'];

/** `known` are words others connect with the user: the address, the company. */
export function strengthOf(password: string, known: string[] = []): Strength {
  if ([...password].length < MIN_LENGTH) return 'kurz';
  const words = known
    .flatMap((word) => word.toLowerCase().split(/[\s@.,_-]+/))
    .filter((word) => word.length > 3);
  const rest = [...GUESSABLE, ...words].reduce(
    (text, word) => text.replaceAll(word, ''),
    password.toLowerCase(),
  );
  return new Set(rest).size < MIN_DISTINCT ? 'leicht' : 'gut';
}
