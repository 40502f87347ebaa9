/** A report as a page for browsers and mail programs: one column, styles in place, nothing from elsewhere, no script. */
import { escaped } from '#domains/postausgang/index.ts';
import type { Bar, Block, ReportDocument, Row, Section } from './document.ts';

// What mail programs do not know of a style sheet they leave out: it only makes colours for who reads in the dark.
const DARK = `body,.flaeche{background:#0f1413!important;color:#eef2f1!important}.leise{color:#a7b0ae!important}.linie{border-color:#2c3634!important}.balken{background:#5cc3cc!important}a{color:#7fd4dc!important}.vermerk{background:#3a2f12!important;color:#f5e3b3!important}`;
const FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,sans-serif";
const INK = 'color:#18181b';
const QUIET = 'color:#52525b';
const LINK = 'color:#0b6b74';
const WRAP = 'overflow-wrap:anywhere;word-break:break-word';
const LINE = 'border-top:1px solid #e4e4e7';
const FIGURE = `padding:8px 0 8px 12px;${LINE};text-align:right;vertical-align:top;white-space:nowrap;font-variant-numeric:tabular-nums`;

const link = (address: string, text: string, style = '') =>
  `<a href="${escaped(address)}" style="${LINK};${style}">${escaped(text)}</a>`;
const hint = (text: string) =>
  `<br><span class="leise" style="${QUIET};font-size:14px;font-weight:400">${escaped(text)}</span>`;

/** A table says what it is of; where the heading above has just said so, to those who do not see it only. */
function opening(titel: string, section: string): string {
  const table =
    '<table width="100%" cellpadding="0" cellspacing="0" border="0" style="border-collapse:collapse;margin:0 0 12px"';
  if (titel === section) return `${table} aria-label="${escaped(titel)}">`;
  return `${table}><caption style="text-align:left;font-weight:600;padding:8px 0 6px">${escaped(titel)}</caption>`;
}

function rowOf({ name, wert, hinweis, link: address }: Row): string {
  const named = address ? link(address, name) : escaped(name);
  const head = `<th scope="row" class="linie" style="padding:8px 0;${LINE};text-align:left;vertical-align:top;font-weight:400;${WRAP}">${named}${hinweis ? hint(hinweis) : ''}</th>`;
  return `<tr>${head}<td class="linie" style="${FIGURE};font-weight:600">${escaped(wert)}</td></tr>`;
}

function barRow({ name, wert, laenge }: Bar): string {
  const bar =
    laenge === 0
      ? ''
      : `<table role="presentation" width="${laenge}%" cellpadding="0" cellspacing="0" border="0"><tr><td class="balken" height="10" style="height:10px;background:#0b6b74;font-size:0;line-height:0">&nbsp;</td></tr></table>`;
  return `<tr><th scope="row" style="padding:4px 0;text-align:left;font-weight:400;white-space:nowrap">${escaped(name)}</th><td width="100%" style="padding:4px 10px">${bar}</td><td style="padding:4px 0;text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums">${escaped(wert)}</td></tr>`;
}

function blockOf(block: Block, section: string): string {
  if (block.art === 'absatz') return `<p style="margin:0 0 12px;${WRAP}">${escaped(block.text)}</p>`;
  if (block.art === 'kennzahl') {
    const sentences = block.saetze.map((satz) => `<br>${escaped(satz)}`).join('');
    return `<p style="margin:0 0 16px;${WRAP}"><span style="font-size:32px;font-weight:700;line-height:1.2;font-variant-numeric:tabular-nums">${escaped(block.wert)}</span>${sentences}</p>`;
  }
  const rows = block.art === 'zeilen' ? block.zeilen.map(rowOf) : block.zeilen.map(barRow);
  return `${opening(block.titel, section)}${rows.join('')}</table>`;
}

function sectionOf({ titel, bloecke, mehr }: Section): string {
  const more = mehr ? `<p style="margin:0">${link(mehr.adresse, mehr.text)}</p>` : '';
  return `<tr><td class="linie" style="padding:20px 0;border-top:2px solid #e4e4e7"><h2 style="margin:0 0 10px;font-size:20px;line-height:1.3;${WRAP}">${escaped(titel)}</h2>${bloecke.map((block) => blockOf(block, titel)).join('')}${more}</td></tr>`;
}

const remark = (text: string) =>
  `<p class="vermerk" style="margin:12px 0 0;padding:10px 12px;background:#fdf3d7;color:#4d3800;${WRAP}">${escaped(text)}</p>`;

/** `abbestellen`: for a mail, where such mails are switched off. */
export function toHtml(report: ReportDocument, abbestellen?: { text: string; adresse: string }): string {
  const { sprache, titel, untertitel, vermerke, abschnitte, fuss } = report;
  const head = `<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${escaped(titel)}</title><style>:root{color-scheme:light dark}@media (prefers-color-scheme:dark){${DARK}}</style></head>`;
  const top = `<tr><td style="padding:0 0 20px"><h1 style="margin:0 0 4px;font-size:26px;line-height:1.25;${WRAP}">${escaped(titel)}</h1><p class="leise" style="margin:0;${QUIET};${WRAP}">${escaped(untertitel)}</p>${vermerke.map(remark).join('')}</td></tr>`;
  const off = abbestellen ? `<br>${link(abbestellen.adresse, abbestellen.text)}` : '';
  const foot = `<tr><td class="linie leise" style="padding:16px 0 0;border-top:2px solid #e4e4e7;${QUIET};font-size:14px;${WRAP}">${fuss.map(escaped).join('<br>')}${off}<br>Zählwerk</td></tr>`;
  const body = `<table role="presentation" align="center" width="640" cellpadding="0" cellspacing="0" border="0" style="width:100%;max-width:640px;margin:0 auto;border-collapse:collapse">${top}${abschnitte.map(sectionOf).join('')}${foot}</table>`;
  return `<!doctype html><html lang="${sprache}">${head}<body class="flaeche" style="margin:0;padding:20px 16px;background:#ffffff;${INK};${FONT};font-size:16px;line-height:1.5"><div role="main">${body}</div></body></html>`;
}
