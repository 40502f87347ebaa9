/** The form of our mails: a greeting line, paragraphs, at most one link, the same as text and as HTML. */
import { oneLine } from '#kernel/name.ts';
import type { Language } from '#kernel/sentence.ts';
import type { Mail } from '#platform/mail.ts';

export interface Letter {
  an: string;
  /** German unless said otherwise. */
  sprache?: Language;
  betreff: string;
  /** Plain sentences, one paragraph each. */
  absaetze: string[];
  /** Comes after the paragraphs. */
  link?: { text: string; adresse: string };
  /** After the link, smaller. */
  hinweis?: string;
}

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => ESCAPES[character] as string);

/**
 * A name within a letter: programs that show it find nothing in it to make a link of, readers see no difference (U+2060 has
 * no width). What somebody calls their company must not lead elsewhere in our mails.
 */
export const unlinked = (name: string): string =>
  name.replace(/(?<=[\p{L}\p{N}])\.(?=[\p{L}\p{N}])/gu, '.\u2060').replaceAll('://', ':\u2060//');

const SIGNATURE = 'Zählwerk';

export function toMail({ an, betreff, link, sprache = 'de', ...letter }: Letter): Mail {
  // A header and a paragraph are one line each, whatever a name holds: nobody adds a letter of their own to ours.
  const absaetze = letter.absaetze.map(oneLine);
  const hinweis = letter.hinweis && oneLine(letter.hinweis);
  const text = [
    ...absaetze,
    ...(link ? [`${link.text}:\n${link.adresse}`] : []),
    ...(hinweis ? [hinweis] : []),
    `-- \n${SIGNATURE}`,
  ].join('\n\n');
  const paragraph = (content: string, style = '') => `<p style="margin:0 0 16px;${style}">${content}</p>`;
  const button = (label: string, address: string) =>
    paragraph(
      `<a href="${escaped(address)}" style="display:inline-block;padding:10px 18px;border-radius:6px;background:#1d4ed8;color:#ffffff;text-decoration:none">${escaped(label)}</a>`,
    ) +
    paragraph(
      `<span style="word-break:break-all">${escaped(address)}</span>`,
      'font-size:13px;color:#52525b',
    );
  const html = `<!doctype html><html lang="${sprache}"><body style="margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif;color:#18181b;background:#ffffff"><div style="max-width:560px">${absaetze.map((absatz) => paragraph(escaped(absatz))).join('')}${link ? button(link.text, link.adresse) : ''}${hinweis ? paragraph(escaped(hinweis), 'font-size:13px;color:#52525b') : ''}${paragraph(SIGNATURE, 'color:#52525b')}</div></body></html>`;
  return { an, betreff: oneLine(betreff), text, html };
}
