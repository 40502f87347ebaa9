import { conflict, InvalidInput, notFound } from '#kernel/errors.ts';

export const noSuchLicence = () => notFound({ de: 'Diese Lizenz', en: 'This licence' });

export const listFull = () =>
  conflict('sperrliste_voll', {
    de: 'Mehr Lizenzen kann die Sperrliste nicht aufnehmen.',
    en: 'The revocation list cannot hold more licences.',
  });

/** Nothing says which licence is meant. */
export const nothingNamed = () =>
  new InvalidInput({
    path: ['lizenz_id'],
    reason: {
      de: 'Nennen Sie die Lizenz: lizenz_id, fingerabdruck oder kunde.',
      en: 'Name the licence: lizenz_id, fingerabdruck or kunde.',
    },
  });

export const nameLength = (kunde: string) =>
  new InvalidInput({
    path: ['kunde'],
    reason: { de: 'kunde hat 2 bis 120 Zeichen.', en: 'kunde has 2 to 120 characters.' },
    input: kunde,
  });

export const alreadyOver = (gueltig_bis: string) =>
  new InvalidInput({
    path: ['gueltig_bis'],
    reason: { de: 'gueltig_bis muss in der Zukunft liegen', en: 'gueltig_bis must be in the future' },
    input: gueltig_bis,
  });

export const activeKey = () =>
  conflict('schluessel_aktiv', {
    de: 'Mit diesem Schlüssel wird unterschrieben; wechseln Sie ihn zuerst.',
    en: 'This key is the one that signs; rotate it first.',
  });

export const noSuchKey = () => notFound({ de: 'Diesen Schlüssel', en: 'This key' });
