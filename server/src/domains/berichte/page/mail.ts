/** A report as a mail. */
import { attachment, unlinked } from '#domains/postausgang/index.ts';
import { oneLine } from '#kernel/name.ts';
import type { Sentence } from '#kernel/sentence.ts';
import type { Mail } from '#platform/mail.ts';
import type { Block, ReportDocument } from './document.ts';
import { toHtml } from './html.ts';
import { toText } from './text.ts';

/** Where every user switches their own mails off. */
const SETTINGS_PAGE = '/einstellungen/profil';

const OFF: Sentence = {
  de: 'Diese Mail kommt, weil Sie den Wochenbericht eingeschaltet haben. Hier schalten Sie ihn aus',
  en: 'You get this mail because you have switched the weekly report on. Switch it off here',
};

/** Names are what senders call things; figures, which have dots too, stay as they are. */
const plain = (text: string) => text.replace(/\S*\p{L}\S*/gu, (word) => unlinked(word));

function withoutLinks(block: Block): Block {
  if (block.art === 'absatz') return { ...block, text: plain(block.text) };
  if (block.art !== 'zeilen') return block;
  const zeilen = block.zeilen.map((row) => ({
    ...row,
    name: plain(row.name),
    ...(row.hinweis === undefined ? {} : { hinweis: plain(row.hinweis) }),
  }));
  return { ...block, zeilen };
}

/** To `an`, with the PDF attached; `baseUrl` is the public address of the cockpit. */
export function toMail(report: ReportDocument, an: string, pdf: Uint8Array, baseUrl: string): Mail {
  const adresse = `${baseUrl}${SETTINGS_PAGE}`;
  const off = { text: OFF[report.sprache], adresse };
  const shown = {
    ...report,
    untertitel: plain(report.untertitel),
    abschnitte: report.abschnitte.map((section) => ({
      ...section,
      bloecke: section.bloecke.map(withoutLinks),
    })),
  };
  return {
    an,
    betreff: oneLine(report.titel),
    text: toText(shown, off),
    html: toHtml(shown, off),
    anhaenge: [attachment(`${report.titel}.pdf`, 'application/pdf', pdf)],
    abbestellen: adresse,
  };
}
