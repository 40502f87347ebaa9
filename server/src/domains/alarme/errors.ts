import { conflict, notFound } from '#kernel/errors.ts';

export const channelNotSetUp = () =>
  conflict('kanal_nicht_eingerichtet', {
    de: 'Dieser Kanal ist nicht eingerichtet.',
    en: 'This channel is not set up.',
  });

export const noSuchDelivery = () => notFound({ de: 'Diese Zustellung', en: 'This delivery' });
