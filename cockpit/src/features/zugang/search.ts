/** After signing in one returns to the page one came for: a path of this site, never another address. */
export function parseLoginSearch(raw: Record<string, unknown>): { ziel?: string } {
  const { ziel } = raw;
  return typeof ziel === 'string' && /^\/(?![/\\])/.test(ziel) ? { ziel } : {};
}

/** The search of the login page for who came from this address; the overview is where one arrives anyway. */
export const toLoginSearch = (href: string): { ziel?: string } => (href === '/' ? {} : { ziel: href });
