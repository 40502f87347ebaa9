import { conflict, InvalidInput, notFound } from '#kernel/errors.ts';

export const importMissing = () => notFound({ de: 'Dieser Import', en: 'This import' });

export const importRuns = () =>
  conflict('import_laeuft', {
    de: 'Ein anderer Import wird gerade gezählt oder zurückgenommen. Warten Sie, bis das fertig ist.',
    en: 'Another import is being counted or taken back. Wait until that is done.',
  });

export const notAtThatPoint = () =>
  conflict('import_nicht_bereit', {
    de: 'Dafür ist dieser Import nicht an dem Punkt.',
    en: 'This import is not at that point.',
  });

/** 422: no key of the Mandant, or a blocked one. */
export const noSuchKey = (input: string) =>
  new InvalidInput({
    path: ['schluessel_id'],
    input,
    reason: {
      de: 'muss ein eigener API-Schlüssel sein, der nicht gesperrt ist',
      en: 'must be an API key of your own that is not blocked',
    },
  });

/** 422: more calls than a part holds. */
export const tooManyCalls = (most: number, input: number) =>
  new InvalidInput({
    path: ['ereignisse'],
    input,
    reason: { de: `ein Teil fasst höchstens ${most} Aufrufe`, en: `a part holds ${most} calls at most` },
  });

/** 422: a text that is no SHA-256. */
export const noHash = (input: string) =>
  new InvalidInput({
    path: ['sha256'],
    input,
    reason: { de: 'muss aus 64 Hexadezimalziffern bestehen', en: 'must be 64 hexadecimal digits' },
  });
