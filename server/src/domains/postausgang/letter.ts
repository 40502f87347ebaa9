/** The form of our mails: a greeting line or a headline, paragraphs, at most one link, the same as text and as HTML. */
import { oneLine } from '#kernel/name.ts';
import type { Language } from '#kernel/sentence.ts';
import type { Mail } from '#platform/mail.ts';

export interface Letter {
  an: string;
  /** German unless said otherwise. */
  sprache?: Language;
  betreff: string;
  /** A headline above the paragraphs. */
  titel?: string;
  /** Plain sentences, one paragraph each. */
  absaetze: string[];
  /** Comes after the paragraphs. */
  link?: { text: string; adresse: string };
  /** After the link, smaller. */
  hinweis?: string;
  /** How this kind of mail is stopped: a line with a link, and what mail programs do by themselves. */
  abbestellen?: { text: string; seite: string; klick: string };
  /** Where answers go. */
  antwortAn?: string | null;
}

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
/** Text within HTML, and within the quotes of an attribute. */
export const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ESCAPES[character] as string);

/**
 * A name within a letter: programs that show it find nothing in it to make a link of, readers see no difference (U+2060 has
 * no width). What somebody calls their company must not lead elsewhere in our mails.
 */
export const unlinked = (name: string): string =>
  name.replace(/(?<=[\p{L}\p{N}])\.(?=[\p{L}\p{N}])/gu, '.\u2060').replaceAll('://', ':\u2060//');

/** Characters of a name that somebody has chosen, within our sentences. */
const LONGEST_NAME = 80;

/** The name of a company as our sentences say it: in quotes, of bounded length, and nothing in it a link. */
export function quotedName(name: string, language: Language = 'de'): string {
  const characters = [...oneLine(name).replaceAll(/["„“”»«]/g, "'")];
  const short =
    characters.length > LONGEST_NAME
      ? `${characters.slice(0, LONGEST_NAME - 1).join('')}…`
      : characters.join('');
  return language === 'de' ? `„${unlinked(short)}“` : `“${unlinked(short)}”`;
}

const SIGNATURE = 'Zählwerk';

/** Colours for who reads in the dark, where the program takes them; names that are longer than a line break. */
const HEAD = `<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><style>@media (prefers-color-scheme:dark){body{background:#0f1413!important;color:#eef2f1!important}.leise{color:#a7b0ae!important}.knopf{background:#5cc3cc!important;color:#05282c!important}}</style></head>`;
const QUIET = 'color:#52525b';
const BUTTON =
  'display:inline-block;padding:10px 18px;border-radius:6px;background:#0b6b74;color:#ffffff;text-decoration:none';
const BODY = 'margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif;color:#18181b;background:#ffffff';

const paragraph = (content: string, style = ''): string =>
  `<p style="margin:0 0 16px;${style}">${content}</p>`;
const quiet = (content: string, style = ''): string =>
  `<p class="leise" style="margin:0 0 16px;${QUIET};${style}">${content}</p>`;

const buttonOf = ({ text, adresse }: { text: string; adresse: string }): string =>
  paragraph(`<a class="knopf" href="${escaped(adresse)}" style="${BUTTON}">${escaped(text)}</a>`) +
  quiet(`<span style="word-break:break-all">${escaped(adresse)}</span>`, 'font-size:13px');

const stopOf = ({ text, seite }: { text: string; seite: string }): string =>
  quiet(`<a href="${escaped(seite)}" style="color:inherit">${escaped(text)}</a>`, 'font-size:13px');

export function toMail({
  an,
  betreff,
  link,
  abbestellen,
  antwortAn,
  sprache = 'de',
  ...letter
}: Letter): Mail {
  // A header and a paragraph are one line each, whatever a name holds: nobody adds a letter of their own to ours.
  const absaetze = letter.absaetze.map(oneLine);
  const titel = letter.titel && oneLine(letter.titel);
  const hinweis = letter.hinweis && oneLine(letter.hinweis);
  const text = [
    ...(titel ? [titel] : []),
    ...absaetze,
    ...(link ? [`${link.text}:\n${link.adresse}`] : []),
    ...(hinweis ? [hinweis] : []),
    ...(abbestellen ? [`${abbestellen.text}:\n${abbestellen.seite}`] : []),
    `-- \n${SIGNATURE}`,
  ].join('\n\n');
  const content = [
    ...(titel ? [`<h1 style="margin:0 0 16px;font-size:19px;line-height:1.35">${escaped(titel)}</h1>`] : []),
    ...absaetze.map((absatz) => paragraph(escaped(absatz))),
    ...(link ? [buttonOf(link)] : []),
    ...(hinweis ? [quiet(escaped(hinweis), 'font-size:13px')] : []),
    ...(abbestellen ? [stopOf(abbestellen)] : []),
    quiet(SIGNATURE),
  ].join('');
  const html = `<!doctype html><html lang="${sprache}">${HEAD}<body style="${BODY}"><div style="max-width:560px;overflow-wrap:anywhere;word-break:break-word">${content}</div></body></html>`;
  return {
    an,
    betreff: oneLine(betreff),
    text,
    html,
    ...(abbestellen ? { abbestellen: abbestellen.klick, einKlick: true } : {}),
    ...(antwortAn ? { antwortAn } : {}),
  };
}
