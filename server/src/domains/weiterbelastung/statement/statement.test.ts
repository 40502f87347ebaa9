/** The statement read back as others read it. */
import { expect, test } from 'vitest';
import { accentOf } from '#platform/pdf/index.ts';
import { isWhole } from '#test/depth.ts';
import { altsOf, countOf, openPdf, type Piece, pagesOf, pixelsOf, untaggedOf } from '#test/read-pdf.ts';
import {
  emptyStatement,
  longNames,
  longStatement,
  sampleLine,
  sampleLogo,
  sampleRows,
  sampleStatement,
} from '#test/sample-statement.ts';
import type { Statement } from './model.ts';
import { statementPdf } from './statement.ts';

const A4 = { width: 595, height: 842, side: 50 };
const wordsOf = (pieces: readonly Piece[]) => pieces.map(({ text }) => text).join('|');
/** What is said once, page by page: neither head nor foot. */
const taggedOf = (pages: readonly Piece[][]) => pages.flat().filter(({ tags }) => tags !== '');
const textOf = async (statement: Statement) =>
  wordsOf(taggedOf(await pagesOf(await statementPdf(statement))));

/** Unpriced from beginning to end. */
const unpriced = (): Statement => {
  const unknown = <T extends { betrag_eur: string | null }>(rows: T[]) =>
    rows.map((row) => ({ ...row, betrag_eur: null }));
  const { agenten, modelle, tage } = sampleStatement();
  return sampleStatement({
    zeile: sampleLine({ betrag_eur: null, kosten_eur: null, abrechenbar_eur: null, unbepreist: 48_213 }),
    agenten: unknown(agenten),
    modelle: unknown(modelle),
    tage: unknown(tage),
    korrekturen: [],
    aufschlag: null,
    netto_eur: null,
    umsatzsteuer: null,
  });
};
const withFarbe = (farbe: string): Statement =>
  sampleStatement({ absender: { ...sampleStatement().absender, farbe } });

const EVERY: [string, () => Statement][] = [
  ['ordinary', () => sampleStatement()],
  ['empty', emptyStatement],
  ['unpriced', unpriced],
  ['long names', longNames],
  ['200 rows', () => longStatement(200)],
  ['with a logo', () => sampleStatement({ absender: { ...sampleStatement().absender, logo: sampleLogo() } })],
  ['English', () => sampleStatement({ sprache: 'en' })],
];

/** Made once for all that look at it. */
const made = new Map<string, Promise<Uint8Array>>();
function madeOf(name: string, make: () => Statement): Promise<Uint8Array> {
  const bytes = made.get(name) ?? statementPdf(make());
  made.set(name, bytes);
  return bytes;
}

test('says what it is about, how the amount is made up, and by what, in this order', async () => {
  const text = await textOf(sampleStatement());
  const parts = [
    'Muster Software GmbH',
    'Abrechnung für|Stadtwerke Beispielhausen GmbH|Referenz: K-10042|Belegnummer: 202610-K-10042|Kostenstelle: IT-4711',
    'Erstellt am 4. November 2026',
    'Abrechnung Oktober 2026|Der Monat wurde am 3. November 2026 abgeschlossen. Dies ist keine Rechnung.',
    'Betrag netto|1.227,20 €|Aufrufe|48.213|Monat|Oktober 2026|Status|abgeschlossen',
    'Kosten der Aufrufe im Oktober 2026|1.074,35 €|Aufschlag 15 %|161,15 €',
    'Korrektur zu August 2026: Preise geändert, Beleg 202610K202608-K-10042|\u221212,50 €',
    'Korrektur zu September 2026: 3 Aufrufe nachgekommen, Kosten 3,65 €, Aufschlag 15 %,|Beleg 202610K202609-K-10042|4,20 €',
    'Summe netto|1.227,20 €|Umsatzsteuer 19 %|233,17 €|Gesamtbetrag brutto|1.460,37 €',
    'Nicht berechnet und nicht im Betrag enthalten: fehlgeschlagene und doppelte Aufrufe|33,75 €',
    'Betrag je Tag',
    'Nach Agent|Agent|Aufrufe|Token|Betrag|Rechnungsprüfung|10|12.345|',
    'Summe|60|185.175|1.235,50 €|Nach Modell|',
    'Summe|33|74.070|1.235,50 €',
  ];
  let from = 0;
  for (const part of parts) {
    const at = text.indexOf(part, from);
    expect(at, `${part} in ${text.slice(from)}`).toBeGreaterThanOrEqual(from);
    from = at + part.length;
  }
});

test('keeps to itself what the Mandant does not tell', async () => {
  const text = await textOf(
    sampleStatement({
      aufschlag: null,
      nicht_berechnet_eur: null,
      umsatzsteuer: null,
      korrekturen: [],
      netto_eur: '1235.50',
    }),
  );
  expect(text).not.toMatch(/Aufschlag|Kosten der|Umsatzsteuer|brutto|netto|Nicht berechnet|Korrektur|15 %/);
  expect(text).toContain('Position|Betrag|Aufrufe im Oktober 2026|1.235,50 €|Summe|1.235,50 €');
});

test('a month without calls, one without prices and a part of a price are said to be so', async () => {
  const empty = await textOf(emptyStatement());
  expect(empty).toContain('Betrag|0,00 €|Aufrufe|0|Monat|Oktober 2026|Status|vorläufig');
  expect(empty).toContain('Im Oktober 2026 gab es keine Aufrufe.');
  expect(empty).not.toMatch(/Nach Agent|Nach Modell|Betrag je Tag/);
  const unknown = await textOf(unpriced());
  expect(unknown).toContain('Betrag|unbekannt');
  expect(unknown).toContain('Der Betrag ist unbekannt, weil für keinen der Aufrufe ein Preis bekannt ist.');
  expect(unknown).not.toMatch(/0,00 €|Betrag je Tag/);
  const partly = await textOf(sampleStatement({ zeile: sampleLine({ unbepreist: 1_200, teilbepreist: 1 }) }));
  expect(partly).toContain('Für 1.200 Aufrufe ist kein Preis bekannt; sie sind im Betrag nicht enthalten.');
  expect(partly).toContain('Bei einem Aufruf ist nur ein Teil des Preises bekannt');
});

test('a markup below zero is a discount', async () => {
  const text = await textOf(sampleStatement({ aufschlag: { prozent: '-7.5', betrag_eur: '-100.00' } }));
  expect(text).toContain('1.335,50 €|Nachlass 7,5 %|\u2212100,00 €');
});

test('speaks English where the end customer does', async () => {
  const bytes = await statementPdf(sampleStatement({ sprache: 'en' }));
  const text = wordsOf((await pagesOf(bytes)).flat());
  expect(text).toContain('Net amount|€1,227.20|Calls|48,213|Month|October 2026|Status|final');
  expect(text).toContain(
    'Correction to August 2026: prices changed, document 202610K202608-K-10042|\u2212€12.50',
  );
  expect(text).toContain('Page 2 of 2');
  expect(text).not.toMatch(/Betrag|Seite|Aufrufe|Abrechnung/);
});

test('refuses figures that do not make a whole', async () => {
  const { agenten } = sampleStatement();
  const refused = (change: Partial<Statement>) =>
    expect(statementPdf(sampleStatement(change))).rejects.toThrow(RangeError);
  await refused({ agenten: agenten.slice(1) });
  await refused({ modelle: sampleRows(3, 123_551, String) });
  await refused({ netto_eur: '1227.21' });
  await refused({ netto_eur: null });
  await refused({ umsatzsteuer: { prozent: '19', betrag_eur: '233.17', brutto_eur: '1460.38', saetze: [] } });
});

test.each(EVERY)(
  '%s: the same bytes twice, and nothing is drawn that is neither tagged nor an artifact',
  async (name, make) => {
    const bytes = await madeOf(name, make);
    if (isWhole || name === 'ordinary') expect(Buffer.compare(bytes, await statementPdf(make()))).toBe(0);
    const document = await openPdf(bytes);
    for (let number = 1; number <= document.numPages; number += 1)
      expect(await untaggedOf(await document.getPage(number))).toBe(0);
  },
);

test.each(EVERY)('%s: text stands within the margins, and no piece on another', async (name, make) => {
  for (const pieces of await pagesOf(await madeOf(name, make))) {
    for (const { text, x, y, width } of pieces) {
      expect(x, text).toBeGreaterThan(A4.side);
      expect(x + width, text).toBeLessThan(A4.width - A4.side);
      expect(y, text).toBeGreaterThan(25);
      expect(y, text).toBeLessThan(A4.height - 25);
    }
    for (const [index, one] of pieces.entries())
      for (const other of pieces.slice(index + 1)) {
        const isBeside = one.x + one.width <= other.x + 0.5 || other.x + other.width <= one.x + 0.5;
        const isBelow = Math.abs(one.y - other.y) >= 0.95 * Math.min(one.height, other.height);
        expect(isBeside || isBelow, `${one.text} and ${other.text}`).toBe(true);
      }
  }
});

test('tables are tables, with heads that say what they are for, once however many pages they take', async () => {
  const pages = await pagesOf(await madeOf('200 rows', () => longStatement(200)));
  expect(pages.length).toBeGreaterThan(5);
  const tagged = taggedOf(pages);
  const tagsOf = (text: string) => tagged.filter((piece) => piece.text === text).map(({ tags }) => tags);
  expect(tagsOf('Agent')).toEqual(['Document/Table/THead/TR/TH']);
  expect(tagsOf('agentur/projekt-7/agent-7')).toEqual(['Document/Table/TBody/TR/TH']);
  expect(tagsOf('12.345')).toEqual(Array(2).fill('Document/Table/TBody/TR/TD'));
  expect(tagsOf('Abrechnung Oktober 2026')).toEqual(['Document/H1']);
  expect(tagsOf('Nach Modell')).toEqual(['Document/H2']);
  // Seen at the top of each further page, but not told again.
  const heads = pages.map(
    (pieces) => pieces.filter(({ text, tags }) => text === 'Agent' && tags === '').length,
  );
  expect(heads.slice(2, -1)).toEqual(heads.slice(2, -1).map(() => 1));
  pages.forEach((pieces, index) => {
    expect(wordsOf(pieces)).toContain(`Seite ${index + 1} von ${pages.length}`);
  });
});

test('amounts end at one line on the right, digit below digit', async () => {
  const pages = await pagesOf(await madeOf('200 rows', () => longStatement(200)));
  const amounts = pages.flat().filter(({ text, tags }) => /€$/.test(text) && tags.endsWith('/TD'));
  expect(amounts.length).toBeGreaterThan(200);
  const ends = amounts.map(({ x, width }) => x + width);
  expect(Math.max(...ends) - Math.min(...ends)).toBeLessThan(0.1);
  const widths = new Set(
    amounts.filter(({ text }) => /^\d,\d\d.€$/.test(text)).map(({ width }) => width.toFixed(2)),
  );
  expect(widths.size).toBe(1);
});

test('cuts long names where it is seen, and says them in full to who listens', async () => {
  const bytes = await statementPdf(longNames());
  const text = await textOf(longNames());
  expect(text).toContain('…');
  expect(text).toContain('Помощник \ufffd \ufffd\ufffd \ufffd\ufffd Ελληνικά Łódź');
  const { kostenstelle } = longNames().zeile;
  expect(Buffer.from(bytes).includes(`/ActualText (Kostenstelle: ${kostenstelle})`)).toBe(true);
});

test.each(['#1f6feb', '#ffe600', '#101010'])('bars and bands in %s', async (farbe) => {
  const page = await (await openPdf(await statementPdf(withFarbe(farbe)))).getPage(1);
  const pixels = await pixelsOf(page);
  expect(countOf(pixels, farbe)).toBeGreaterThan(4_000);
  expect(countOf(pixels, accentOf(farbe).mark)).toBeGreaterThan(9_000);
});

test('the logo is shown in its box and named; one that is broken is left out', async () => {
  const withLogo = (logo: Uint8Array | null) =>
    statementPdf(sampleStatement({ absender: { ...sampleStatement().absender, logo } }));
  const page = await (await openPdf(await withLogo(sampleLogo()))).getPage(1);
  expect(await altsOf(page)).toEqual([
    'Logo Muster Software GmbH',
    'Balkendiagramm: Betrag je Tag im Oktober 2026. Am höchsten ist er am 23. Oktober 2026 mit 89,76\u00a0€; Tage mit einem Betrag: 23 von 31.',
  ]);
  expect(countOf(await pixelsOf(page), '#c81e3c')).toBeGreaterThan(1_000);
  const without = await withLogo(null);
  const broken = sampleLogo().slice(0, 200);
  expect(Buffer.compare(await withLogo(broken), without)).toBe(0);
});
