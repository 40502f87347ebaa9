/** What a list of runs is refused for. */
import { unavailable } from '#kernel/errors.ts';

/** Seconds after which the database may be less busy. */
const AGAIN = 30;

export const searchTooSlow = () =>
  unavailable(
    'suche_zu_lange',
    {
      de: 'Die Suche dauert zu lange; mehr Zeichen oder ein kürzerer Zeitraum helfen.',
      en: 'The search takes too long; more characters or a shorter period help.',
    },
    AGAIN,
  );
