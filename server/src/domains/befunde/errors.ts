import { conflict } from '#kernel/errors.ts';

export const incidentClosed = () =>
  conflict('vorfall_geschlossen', {
    de: 'Der Vorfall ist schon geschlossen.',
    en: 'The incident is closed already.',
  });
