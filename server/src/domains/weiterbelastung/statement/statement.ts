/** The statement of one end customer for one month as a PDF. */
import { countText, dayText, euroText, monthText } from '#kernel/format.ts';
import { type Cents, centsText } from '#kernel/money.ts';
import {
  accentOf,
  barChart,
  CHART_HEIGHT,
  MUTED,
  PALE,
  pictureOf,
  Sheet,
  type Style,
  table,
} from '#platform/pdf/index.ts';
import {
  amountText,
  checkSums,
  dayValues,
  derivation,
  remarks,
  type Say,
  sayIn,
  tableRows,
} from './figures.ts';
import type { Statement, StatementRest, StatementRow } from './model.ts';

const LOGO = { width: 150, height: 44 };
const HEAD_TOP = 34;
/** Of the size of the font, from the top of a line to its base. */
const ASCENT = 1.07;
const AMOUNT_WIDTH = 90;
/** What must stand below a heading before a page may end. */
const SOME_ROWS = 100;

/** Who sends it: the logo on the right, the name on the left. */
function drawSender(sheet: Sheet, { absender }: Statement): void {
  const picture = pictureOf(absender.logo);
  const room = sheet.width - (picture ? LOGO.width + 20 : 0);
  const name = sheet.block(absender.name, room, { size: 13, weight: 'bold', color: sheet.accent.text }, 2);
  sheet.put(sheet.root, 'P', name, sheet.left, HEAD_TOP);
  if (picture) sheet.picture(picture, `Logo ${absender.name}`, sheet.right - LOGO.width, HEAD_TOP, LOGO);
  sheet.y = HEAD_TOP + LOGO.height + 26;
}

/** To whom it goes, and on which day it was made. */
function drawRecipient(sheet: Sheet, { zeile, erstellt_am, sprache }: Statement, say: Say): void {
  const small: Style = { size: 9, color: MUTED };
  const put = (text: string, style: Style, lines: number) => {
    const block = sheet.block(text, sheet.width * 0.65, style, lines);
    sheet.put(sheet.root, 'P', block, sheet.left, sheet.y);
    sheet.y += block.height;
  };
  const top = sheet.y;
  put(say('to'), small, 1);
  put(zeile.name ?? zeile.referenz, { size: 11.5, weight: 'bold' }, 3);
  put(say('reference', { wert: zeile.referenz }), { size: 9.5 }, 3);
  // The number has a line of its own, so that it never breaks: payments name it.
  put(say('voucher', { wert: zeile.belegnummer }), { size: 9.5 }, 2);
  if (zeile.kostenstelle !== null) put(say('costCentre', { wert: zeile.kostenstelle }), { size: 9.5 }, 2);
  const made = sheet.block(
    say('made', { tag: dayText(erstellt_am, sprache) }),
    150,
    { ...small, align: 'right' },
    2,
  );
  sheet.put(sheet.root, 'P', made, sheet.right - 150, top);
  sheet.y += 26;
}

/** As large as it fits. */
function largest(sheet: Sheet, text: string, width: number, most: number): Style {
  let style: Style = { size: most, weight: 'bold' };
  while (style.size > 7 && sheet.measure(style)(text) > width) style = { ...style, size: style.size - 0.5 };
  return style;
}

/** The figures that somebody looks for first. */
function drawFigures(sheet: Sheet, statement: Statement, say: Say): void {
  const { zeile, netto_eur, umsatzsteuer, monat, sprache, geschlossen_am } = statement;
  const figures: [string, string, number][] = [
    [say(umsatzsteuer ? 'netAmount' : 'amount'), amountText(netto_eur, say, sprache), 0.31],
    [say('calls'), countText(zeile.aufrufe, sprache), 0.21],
    [say('month'), monthText(monat, sprache), 0.25],
    [say('status'), say(geschlossen_am === null ? 'open' : 'closed'), 0.23],
  ];
  const { y } = sheet;
  sheet.area(sheet.left, y, sheet.width, 54, PALE);
  sheet.area(sheet.left, y, 3, 54, sheet.accent.mark);
  let x = sheet.left + 14;
  figures.forEach(([label, value, part], index) => {
    const width = (sheet.width - 14) * part - 10;
    const style = largest(sheet, value, width, index === 0 ? 17 : 12.5);
    const above = sheet.block(label, width, { size: 8, color: MUTED }, 1);
    sheet.put(sheet.root, 'P', above, x, y + 9);
    sheet.put(sheet.root, 'P', sheet.block(value, width, style, 1), x, y + 41 - ASCENT * style.size);
    x += width + 10;
  });
  sheet.y += 54 + 6;
}

function drawDerivation(sheet: Sheet, statement: Statement, say: Say): void {
  sheet.heading(2, say('derivation'), SOME_ROWS);
  const columns = [
    { title: say('item') },
    { title: say('amount'), width: AMOUNT_WIDTH, align: 'right' as const },
  ];
  table(sheet, columns, derivation(statement, say));
  sheet.y += 6;
  for (const remark of remarks(statement, say)) sheet.paragraph(remark);
}

function drawDays(sheet: Sheet, statement: Statement, say: Say): void {
  const { sprache, monat } = statement;
  const days = dayValues(statement);
  const charged = days.flatMap(({ tag, value }) => (value !== null && value > 0n ? [{ tag, value }] : []));
  const [first] = charged;
  if (!first) return;
  const most = charged.reduce((best, day) => (day.value > best.value ? day : best), first);
  sheet.heading(2, say('byDay'), CHART_HEIGHT);
  barChart(sheet, {
    bars: days.map(({ tag, value }) => ({ label: String(Number(tag.slice(8))), value })),
    labelOf: (value) => euroText(centsText(value as Cents), sprache),
    alt: say('chart', {
      monat: monthText(monat, sprache),
      tag: dayText(most.tag, sprache),
      betrag: euroText(centsText(most.value), sprache),
      n: String(charged.length),
      m: String(days.length),
    }),
  });
}

function drawTable(
  sheet: Sheet,
  { zeile, sprache }: Statement,
  say: Say,
  { rows, rest }: { rows: readonly StatementRow[]; rest: StatementRest | null },
  [heading, first]: ['byAgent', 'agent'] | ['byModel', 'model'],
): void {
  if (rows.length === 0) return;
  sheet.heading(2, say(heading), SOME_ROWS);
  const columns = [
    { title: say(first) },
    { title: say('calls'), width: 58, align: 'right' as const },
    { title: say('tokens'), width: 88, align: 'right' as const },
    { title: say('amount'), width: AMOUNT_WIDTH, align: 'right' as const },
  ];
  table(sheet, columns, tableRows(rows, rest, zeile.betrag_eur, say, sprache));
}

/**
 * The statement as a PDF (PDF/A-3a, PDF/UA-1), in its language; the same statement gives the same bytes. A logo that cannot be shown is
 * left out. Throws RangeError where its parts do not make the whole.
 */
export async function statementPdf(statement: Statement): Promise<Uint8Array> {
  checkSums(statement);
  const { absender, zeile, monat, erstellt_am, geschlossen_am, sprache, agenten, modelle } = statement;
  const say = sayIn(sprache);
  const month = monthText(monat, sprache);
  const title = say('title', { monat: month });
  const about = { title, author: absender.name, madeAt: new Date(`${erstellt_am}T00:00:00Z`) };
  const running = `${title} · ${zeile.name ?? zeile.referenz}`;
  const sheet = new Sheet(about, sprache, accentOf(absender.farbe), { footer: absender.fusszeile, running });
  drawSender(sheet, statement);
  drawRecipient(sheet, statement, say);
  sheet.heading(1, title, 0);
  const state =
    geschlossen_am === null ? say('mayChange') : say('closedOn', { tag: dayText(geschlossen_am, sprache) });
  sheet.paragraph(`${state} ${say('noInvoice')}`, { size: 9.5, color: MUTED });
  sheet.y += 8;
  drawFigures(sheet, statement, say);
  drawDerivation(sheet, statement, say);
  if (zeile.aufrufe === 0) sheet.paragraph(say('noCalls', { monat: month }));
  drawDays(sheet, statement, say);
  drawTable(sheet, statement, say, { rows: agenten, rest: statement.agenten_rest }, ['byAgent', 'agent']);
  drawTable(sheet, statement, say, { rows: modelle, rest: statement.modelle_rest }, ['byModel', 'model']);
  return sheet.finish();
}
