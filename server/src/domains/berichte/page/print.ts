/** A report set on pages. */
import { type Cents, centsText, eurFrom, toCents } from '#kernel/money.ts';
import { accentOf, barChart, CHART_HEIGHT, MUTED, pictureOf, Sheet, table } from '#platform/pdf/index.ts';
import type { Block, ReportDocument, Row, Section } from './document.ts';
import { figuresIn } from './figures.ts';
import type { PrintedReport } from './pdf.ts';

const LOGO = { width: 150, height: 44 };
const HEAD_TOP = 34;
const WIDTHS = { wert: 85, hinweis: 235 };
/** What must stand below a heading before a page may end. */
const SOME_ROWS = 60;

const WORDS = {
  de: { was: 'Was', wert: 'Wert', hinweis: 'Erläuterung' },
  en: { was: 'What', wert: 'Value', hinweis: 'Explanation' },
};

/** Who it is of: the name on the left, the logo on the right. */
function drawBrand(sheet: Sheet, { name, logo }: PrintedReport['brand']): void {
  const picture = pictureOf(logo);
  const room = sheet.width - (picture ? LOGO.width + 20 : 0);
  const block = sheet.block(name, room, { size: 13, weight: 'bold', color: sheet.accent.text }, 2);
  sheet.put(sheet.root, 'P', block, sheet.left, HEAD_TOP);
  if (picture) sheet.picture(picture, `Logo ${name}`, sheet.right - LOGO.width, HEAD_TOP, LOGO);
  sheet.y = HEAD_TOP + Math.max(block.height, picture ? LOGO.height : 0) + 22;
}

/** Names, what is to be known about them where there is anything, and figures. */
function drawRows(sheet: Sheet, { sprache }: ReportDocument, titel: string, rows: readonly Row[]): void {
  const words = WORDS[sprache];
  const figure = { title: words.wert, width: WIDTHS.wert, align: 'right' as const };
  if (rows.some(({ hinweis }) => hinweis)) {
    const columns = [{ title: titel }, { title: words.hinweis, width: WIDTHS.hinweis }, figure];
    table(
      sheet,
      columns,
      rows.map(({ name, hinweis = '', wert }) => ({ cells: [name, hinweis, wert] })),
    );
  } else
    table(
      sheet,
      [{ title: titel }, figure],
      rows.map(({ name, wert }) => ({ cells: [name, wert] })),
    );
  sheet.y += 8;
}

/** Bars for who sees them; the figures follow as a table. */
function drawBars(sheet: Sheet, { titel, zeilen }: Extract<Block, { art: 'balken' }>): void {
  const cents = zeilen.map(({ betrag_eur }) => (betrag_eur === null ? null : toCents(eurFrom(betrag_eur))));
  if (cents.every((value) => value === null || value <= 0n)) return;
  const figures = figuresIn(sheet.language);
  sheet.keep(CHART_HEIGHT);
  barChart(sheet, {
    bars: zeilen.map(({ name }, index) => ({ label: name, value: cents[index] ?? null })),
    labelOf: (value) => figures.euro(centsText(value as Cents)),
    alt: `${titel}: ${zeilen.map(({ name, wert }) => `${name} ${wert}`).join('; ')}`,
  });
}

function drawBlock(sheet: Sheet, document: ReportDocument, section: string, block: Block): void {
  if (block.art === 'absatz') sheet.paragraph(block.text);
  else if (block.art === 'kennzahl') {
    sheet.paragraph(block.wert, { size: 20, weight: 'bold' });
    for (const satz of block.saetze) sheet.paragraph(satz);
    sheet.y += 4;
  } else {
    if (block.art === 'balken') drawBars(sheet, block);
    const titel = block.titel === section ? WORDS[document.sprache].was : block.titel;
    drawRows(sheet, document, titel, block.zeilen);
  }
}

function drawSection(sheet: Sheet, document: ReportDocument, { titel, bloecke }: Section): void {
  sheet.heading(2, titel, SOME_ROWS);
  for (const block of bloecke) drawBlock(sheet, document, titel, block);
}

/** The PDF's bytes (PDF/A-3a, PDF/UA-1), in the language of the report. A logo that cannot be shown is left out. */
export function printReport({ document, brand, erstellt_am }: PrintedReport): Promise<Uint8Array> {
  const { titel, untertitel, vermerke, abschnitte, fuss, sprache } = document;
  const about = { title: titel, author: brand.name, madeAt: new Date(erstellt_am) };
  const every = { footer: brand.fusszeile, running: `${titel} · ${brand.name}` };
  const sheet = new Sheet(about, sprache, accentOf(brand.farbe), every);
  drawBrand(sheet, brand);
  sheet.heading(1, titel, 0);
  sheet.paragraph(untertitel, { size: 9.5, color: MUTED });
  for (const text of vermerke) sheet.paragraph(text, { size: 9.5, weight: 'bold' });
  for (const section of abschnitte) drawSection(sheet, document, section);
  sheet.y += 12;
  for (const text of fuss) sheet.paragraph(text, { size: 8, color: MUTED });
  return sheet.finish();
}
