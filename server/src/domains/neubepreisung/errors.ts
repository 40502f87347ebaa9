import { conflict, InvalidInput, notFound } from '#kernel/errors.ts';

export const repricingMissing = () => notFound({ de: 'Diese Neubepreisung', en: 'This repricing' });

export const repricingRuns = () =>
  conflict('neubepreisung_laeuft', {
    de: 'Es wird schon neu bepreist. Warten Sie, bis das fertig ist, oder brechen Sie es ab.',
    en: 'Calls are being priced anew already. Wait until that is done, or end it.',
  });

export const notAtThatPoint = () =>
  conflict('neubepreisung_nicht_bereit', {
    de: 'Dafür ist diese Neubepreisung nicht an dem Punkt.',
    en: 'This repricing is not at that point.',
  });

export const pricesChanged = () =>
  conflict('preise_geaendert', {
    de: 'Die Preise haben sich seit der Vorschau geändert. Rechnen Sie sie neu aus.',
    en: 'The prices have changed since the preview. Work it out anew.',
  });

/** 422: of these days not all calls are kept; `from` is the first day of which they are. */
export const notKept = (from: string, input: string) =>
  new InvalidInput({
    path: ['von'],
    input,
    reason: {
      de: `einzelne Aufrufe sind erst ab dem ${from} aufbewahrt`,
      en: `single calls are kept from ${from} only`,
    },
  });

export const noDays = (input: unknown) =>
  new InvalidInput({
    path: ['bis'],
    input,
    reason: { de: 'das Ende muss nach dem Beginn liegen', en: 'the end must come after the beginning' },
  });
