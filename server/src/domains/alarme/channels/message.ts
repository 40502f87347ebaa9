/** What is said through a channel, and the words around it. */
import type { Stufe } from '#contracts';
import { dayText } from '#kernel/format.ts';
import type { Language } from '#kernel/sentence.ts';

export interface Message {
  /** Stays the same over all attempts. */
  id: string;
  art: 'alarm' | 'entwarnung' | 'sammlung' | 'probe';
  stufe: Stufe;
  titel: string;
  /** One line or several. */
  text: string;
  /** Where in the cockpit there is more about it. */
  cockpitUrl: string;
  /** Local to the Mandant, ISO 8601 with its offset. */
  zeitpunkt: string;
  sprache: Language;
}

/** What is sent to the address of a channel. */
export interface ChannelRequest {
  headers: Record<string, string>;
  body: string;
}

// What was done stands in the headline.
const WORDS = {
  de: {
    open: 'Im Cockpit öffnen',
    oClock: ' Uhr',
    entwarnung: 'Entwarnung',
    sammlung: 'Sammelmeldung',
    probe: 'Probe',
    beobachten: 'Hinweis',
    warnen: 'Warnung',
    drosseln: 'Alarm',
    anhalten: 'Alarm',
    sperren: 'Alarm',
  },
  en: {
    open: 'Open in the cockpit',
    oClock: '',
    entwarnung: 'All clear',
    sammlung: 'Digest',
    probe: 'Test',
    beobachten: 'Notice',
    warnen: 'Warning',
    drosseln: 'Alert',
    anhalten: 'Alert',
    sperren: 'Alert',
  },
} as const;

/** What kind of message it is, in a word or two. */
export const kindInWords = ({ art, stufe, sprache }: Message): string =>
  WORDS[sprache][art === 'alarm' ? stufe : art];

/** What a link to the cockpit is called. */
export const openInWords = ({ sprache }: Message): string => WORDS[sprache].open;

/** `22. November 2026, 18:30 Uhr`, as the clock on the wall shows it. */
export function timeInWords({ zeitpunkt, sprache }: Message): string {
  const [day = '', time = ''] = zeitpunkt.split('T');
  return `${dayText(day, sprache)}, ${time.slice(0, 5)}${WORDS[sprache].oClock}`;
}

/** At most this number of characters, the last of them an ellipsis where something was cut off. */
export function shortened(text: string, most: number): string {
  const characters = [...text];
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`;
}
