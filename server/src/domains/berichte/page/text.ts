/** A report as plain text, for who reads mail that way: the same figures, in the same order. */
import type { Bar, Block, ReportDocument, Row, Section } from './document.ts';

const underlined = (text: string, line: string) => `${text}\n${line.repeat(Math.min([...text].length, 72))}`;

function rowOf({ name, wert, hinweis, link }: Row): string {
  const first = wert === '' ? `- ${name}` : `- ${name}: ${wert}`;
  return [first, ...(hinweis ? [`  ${hinweis}`] : []), ...(link ? [`  ${link}`] : [])].join('\n');
}

const barRow = ({ name, wert, laenge }: Bar) => {
  const bar = '#'.repeat(Math.ceil(laenge / 5));
  return `- ${name}: ${wert}${bar === '' ? '' : `  ${bar}`}`;
};

function blockOf(block: Block, section: string): string {
  if (block.art === 'absatz') return block.text;
  if (block.art === 'kennzahl') return [`${block.name}: ${block.wert}`, ...block.saetze].join('\n');
  const rows = block.art === 'zeilen' ? block.zeilen.map(rowOf) : block.zeilen.map(barRow);
  return [...(block.titel === section ? [] : [`${block.titel}:`]), ...rows].join('\n');
}

const sectionOf = ({ titel, bloecke, mehr }: Section): string =>
  [
    underlined(titel, '-'),
    ...bloecke.map((block) => blockOf(block, titel)),
    ...(mehr ? [`${mehr.text}:\n${mehr.adresse}`] : []),
  ].join('\n\n');

/** `abbestellen`: for a mail, where such mails are switched off. */
export function toText(report: ReportDocument, abbestellen?: { text: string; adresse: string }): string {
  const off = abbestellen ? [`${abbestellen.text}:\n${abbestellen.adresse}`] : [];
  return [
    `${underlined(report.titel, '=')}\n${report.untertitel}`,
    ...report.vermerke,
    ...report.abschnitte.map(sectionOf),
    ['-- ', ...report.fuss].join('\n'),
    ...off,
    'Zählwerk',
  ].join('\n\n');
}
