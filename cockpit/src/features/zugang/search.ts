/** The addresses of the pages before the cockpit. */

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
  ziel?: string;
  /** Why a login with the company account failed. */
  fehler?: string;
}

export function parseLoginSearch(raw: Record<string, unknown>): LoginSearch {
  const { ziel, fehler } = raw;
  return {
    ...(typeof ziel === 'string' && /^\/(?![/\\])/.test(ziel) ? { ziel } : {}),
    ...(typeof fehler === 'string' && fehler !== '' ? { fehler } : {}),
  };
}

/** The search of the login page for who came from this address; the overview is where one arrives anyway. */
export const toLoginSearch = (href: string): LoginSearch => (href === '/' ? {} : { ziel: href });

/** The token of a link from a mail; empty where it was cut off. */
export const parseTokenSearch = (raw: Record<string, unknown>): { token: string } => ({
  token: typeof raw.token === 'string' ? raw.token.trim() : '',
});
