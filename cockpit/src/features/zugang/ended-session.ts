/** Whether the session of this browser has ended without being left: the sign-in says so. */

const KEY = 'zaehlwerk_sitzung';

/** Somebody is signed in. */
export const sessionIsOpen = (): void => localStorage.setItem(KEY, 'offen');

/** A request was not recognised any more; says nothing where nobody was signed in. */
export function sessionHasEnded(): void {
  if (localStorage.getItem(KEY) === 'offen') localStorage.setItem(KEY, 'beendet');
}

/** It was left on purpose. */
export const sessionIsLeft = (): void => localStorage.removeItem(KEY);

export const hasSessionEnded = (): boolean => localStorage.getItem(KEY) === 'beendet';
