/** Refusals around saved views. */
import { ANSICHTEN_MAX } from '#contracts';
import { conflict, type ValueFault } from '#kernel/errors.ts';

export const nameTaken = () =>
  conflict('ansicht_name_vergeben', {
    de: 'Eine Ihrer Ansichten hat schon diesen Namen.',
    en: 'One of your views has this name already.',
  });

export const tooMany = () =>
  conflict('ansichten_zu_viele', {
    de: `Mehr als ${ANSICHTEN_MAX} Ansichten lassen sich nicht speichern. Entfernen Sie zuerst eine.`,
    en: `No more than ${ANSICHTEN_MAX} views can be kept. Remove one first.`,
  });

export const notAPage = (input: string): ValueFault => ({
  path: ['pfad'],
  reason: {
    de: 'Das ist keine Seite des Cockpits wie „/aufschluesselung“.',
    en: 'This is no page of the cockpit like “/aufschluesselung”.',
  },
  input,
});

export const notAQuery = (input: string): ValueFault => ({
  path: ['suche'],
  reason: {
    de: 'Das ist keine Suche einer Adresse wie „zeitraum=30tage“: ohne Fragezeichen am Anfang, ohne „#“ und ohne Steuerzeichen.',
    en: 'This is no query of an address like “zeitraum=30tage”: no question mark at the beginning, no “#”, no control characters.',
  },
  input,
});

export const noName = (input: string): ValueFault => ({
  path: ['name'],
  reason: { de: 'Der Name darf nicht leer sein.', en: 'The name must not be empty.' },
  input,
});
