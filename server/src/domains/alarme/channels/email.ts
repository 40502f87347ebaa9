/** Alarms as mails. */
import { type Letter, type StopLinks, unlinked } from '#domains/postausgang/index.ts';
import { kindInWords, type Message, openInWords, shortened, timeInWords } from './message.ts';

const SUBJECT = 150;

const WHY = {
  de: 'Sie bekommen diese Mail, weil Ihre Adresse bei den Alarmen von Zählwerk eingetragen ist.',
  en: 'You get this mail because your address is entered for alerts of Zählwerk.',
};
const STOP = { de: 'Keine Alarme mehr per Mail bekommen', en: 'Get no more alerts by mail' };

/** Names are what senders call things; figures, which have dots too, stay as they are. */
const withoutLinks = (text: string) => text.replace(/\S*\p{L}\S*/gu, (word) => unlinked(word));

export function letterOf(message: Message, an: string, stop: StopLinks): Letter {
  const { titel, text, cockpitUrl, sprache } = message;
  return {
    an,
    sprache,
    betreff: shortened(`${kindInWords(message)}: ${titel}`, SUBJECT),
    titel: withoutLinks(titel),
    absaetze: [...text.split('\n').map(withoutLinks), timeInWords(message)],
    link: { text: openInWords(message), adresse: cockpitUrl },
    hinweis: WHY[sprache],
    abbestellen: { text: STOP[sprache], ...stop },
  };
}
