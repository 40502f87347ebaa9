import { AppError } from '#kernel/errors.ts';
import type { Sentence } from '#kernel/sentence.ts';
import type { Limits } from '#platform/quota.ts';

const WHAT: Record<keyof Limits, Sentence> = {
  anfragen: { de: 'Anfragen', en: 'requests' },
  ereignisse: { de: 'Ereignissen', en: 'events' },
};

/** 429: the key has used up what it may send; `seconds` says when there is room again. */
export const keyExhausted = (what: keyof Limits, perMinute: number, seconds: number) =>
  new AppError(
    'too-many',
    'kontingent_schluessel',
    {
      de: `Der Schlüssel hat sein Kontingent von ${perMinute} ${WHAT[what].de} je Minute ausgeschöpft.`,
      en: `The key has used up its quota of ${perMinute} ${WHAT[what].en} a minute.`,
    },
    seconds,
  );

/** 429: the Mandant has, with all its keys together. */
export const mandantExhausted = (what: keyof Limits, perMinute: number, seconds: number) =>
  new AppError(
    'too-many',
    'kontingent_mandant',
    {
      de: `Alle Schlüssel des Mandanten zusammen haben sein Kontingent von ${perMinute} ${WHAT[what].de} je Minute ausgeschöpft.`,
      en: `All keys of the Mandant together have used up its quota of ${perMinute} ${WHAT[what].en} a minute.`,
    },
    seconds,
  );
