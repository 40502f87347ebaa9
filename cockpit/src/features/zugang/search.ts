/** The addresses of the pages before the cockpit. */
export { sessionHasEnded } from './ended-session.ts';

/** Pages that need no session: who loses one there stays where they are. */
const gates = [
  '/anmelden',
  '/registrieren',
  '/passwort-vergessen',
  '/passwort-neu',
  '/einladung',
  '/abschied',
];

export const isGate = (path: string): boolean => gates.includes(path);

export interface LoginSearch {
  /** After signing in one returns to the page one came for: a path of this site, never another address. */
  ziel?: string | undefined;
  /** Why a login with the company account failed. */
  fehler?: string | undefined;
}

const ANY_SITE = 'https://cockpit.invalid';

/** As the browser reads it: it takes a backslash for a slash and leaves out tabs and line breaks. */
const isPathHere = (text: string): boolean =>
  text.startsWith('/') && URL.canParse(text, ANY_SITE) && new URL(text, ANY_SITE).origin === ANY_SITE;

/** What is refused is there as undefined: the router keeps what the address has of fields that are left out. */
export function parseLoginSearch({ ziel, fehler }: Record<string, unknown>): LoginSearch {
  return {
    ziel: typeof ziel === 'string' && isPathHere(ziel) ? ziel : undefined,
    fehler: typeof fehler === 'string' && fehler !== '' ? fehler : undefined,
  };
}

/** The search of the login page for who came from this address; the overview is where one arrives anyway. */
export const toLoginSearch = (href: string): LoginSearch => (href === '/' ? {} : { ziel: href });

/** The token of a link from a mail; empty where it was cut off. */
export const parseTokenSearch = (raw: Record<string, unknown>): { token: string } => ({
  token: typeof raw.token === 'string' ? raw.token.trim() : '',
});
