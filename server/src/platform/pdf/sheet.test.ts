/** Documents of the kit as archives, readers for the blind and browsers find them. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fuzzRuns } from '#test/fuzz.ts';
import { openPdf, pagesOf } from '#test/read-pdf.ts';
import { accentOf } from './colours.ts';
import { Sheet } from './sheet.ts';
import { table } from './table.ts';

const ABOUT = {
  title: 'Bericht „A & B“ <1>',
  author: 'Muster & Söhne',
  madeAt: new Date('2026-11-04T00:00:00Z'),
};

function sheetWith(fill: (sheet: Sheet) => void, footer: string | null = null): Promise<Uint8Array> {
  const sheet = new Sheet(ABOUT, 'de', accentOf(null), { footer, running: 'Bericht' });
  fill(sheet);
  return sheet.finish();
}

const ordinary = () =>
  sheetWith((sheet) => {
    sheet.heading(1, 'Bericht', 0);
    sheet.heading(2, 'Größe', 50);
    sheet.paragraph('Łódź, Αθήνα, Москва: „1.234,50\u00a0€“ – und 🤖 客');
    table(
      sheet,
      [{ title: 'Was' }, { title: 'Betrag', width: 90, align: 'right' }],
      [{ cells: ['Eins', '1,00\u00a0€'] }],
    );
  });

const latin = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');

test('says title, language and that it is tagged, and claims PDF/A-3a and PDF/UA-1', async () => {
  const bytes = await ordinary();
  const document = await openPdf(bytes);
  const { info, metadata } = await document.getMetadata();
  expect(info).toMatchObject({
    Title: ABOUT.title,
    Author: ABOUT.author,
    Language: 'de-DE',
    CreationDate: 'D:20261104000000Z',
  });
  expect(await document.getMarkInfo()).toEqual(
    new Map(Object.entries({ Marked: true, UserProperties: false, Suspects: false })),
  );
  expect(metadata.get('dc:title')).toBe(ABOUT.title);
  expect(metadata.get('pdfaid:part')).toBe('3');
  expect(metadata.get('pdfaid:conformance')).toBe('A');
  expect(metadata.get('pdfuaid:part')).toBe('1');
  expect(await document.getViewerPreferences()).toEqual(new Map([['DisplayDocTitle', true]]));
  expect(latin(bytes)).toMatch(/\/OutputIntents \[/);
});

test('brings its fonts, each of them embedded and with its characters', async () => {
  const text = latin(await ordinary());
  const fonts = [...text.matchAll(/\/BaseFont \/(\S+)/g)].map(([, name]) => name as string);
  expect(new Set(fonts.map((name) => name.replace(/^[A-Z]{6}\+/, '')))).toEqual(
    new Set(['NotoSans-Regular', 'NotoSans-SemiBold']),
  );
  expect(fonts.every((name) => /^[A-Z]{6}\+/.test(name))).toBe(true);
  expect(text).not.toMatch(/\/Subtype \/(Type1|Type3|TrueType)\b/);
  expect(text.match(/\/FontFile2 /g)).toHaveLength(2);
  expect(text.match(/\/ToUnicode /g)).toHaveLength(2);
});

test('can be read back as it was written, whatever the font lacks being seen', async () => {
  const [pieces = []] = await pagesOf(await ordinary());
  const text = pieces.map((piece) => piece.text).join('|');
  expect(text).toContain('Łódź, Αθήνα, Москва: „1.234,50 €“ – und \ufffd \ufffd');
});

test('heads of columns and of rows say which they are', async () => {
  const text = latin(await ordinary());
  expect(text.match(/\/S \/TH\s/g)).toHaveLength(3);
  expect(text.match(/\/Scope \/Column\s/g)).toHaveLength(2);
  expect(text.match(/\/Scope \/Row\s/g)).toHaveLength(1);
});

test('the foot keeps its lines and takes its room from the pages', async () => {
  const footer = 'Zeile 1\nZeile 2\nZeile 3';
  const long = (sheet: Sheet) => {
    for (let line = 0; line < 120; line += 1) sheet.paragraph(`Absatz ${line}`);
  };
  const pages = await pagesOf(await sheetWith(long, footer));
  expect(pages.length).toBeGreaterThan(2);
  for (const pieces of pages) {
    const foot = pieces.filter(({ text }) => text.startsWith('Zeile'));
    expect(foot.map(({ text }) => text)).toEqual(['Zeile 1', 'Zeile 2', 'Zeile 3']);
    const content = pieces.filter(({ text }) => text.startsWith('Absatz'));
    expect(Math.min(...content.map(({ y }) => y))).toBeGreaterThan((foot[0]?.y ?? 0) + 10);
  }
});

test('a paragraph longer than a page goes on on the next one, as one paragraph', async () => {
  const bytes = await sheetWith((sheet) => sheet.paragraph('Ein langer Satz ohne Ende. '.repeat(600)));
  const pages = await pagesOf(bytes);
  expect(pages.length).toBeGreaterThan(2);
  expect(latin(bytes).match(/\/S \/P\s/g)).toHaveLength(1);
});

test('no page ends with a heading, the head of a table or a row without its sum', async () => {
  const columns = [{ title: 'Kopf' }, { title: 'Betrag', width: 60, align: 'right' as const }];
  const rows = [{ cells: ['Lang '.repeat(60), '1'] }, { cells: ['Summe', '1'], kind: 'sum' as const }];
  const gaps = Array.from({ length: 30 }, (_, index) => index * 7);
  const bytes = await sheetWith((sheet) => {
    for (const gap of gaps) {
      sheet.nextPage();
      sheet.y = sheet.bottom - gap;
      sheet.heading(2, 'Abschnitt', 100);
      table(sheet, columns, rows);
    }
  });
  const pages = (await pagesOf(bytes)).map((pieces) => pieces.filter(({ tags }) => tags !== ''));
  const filled = pages.filter((pieces) => pieces.length > 0);
  expect(filled).toHaveLength(gaps.length);
  for (const pieces of filled) {
    expect(pieces.slice(0, 3).map(({ text }) => text)).toEqual(['Abschnitt', 'Kopf', 'Betrag']);
    expect(pieces.slice(-2).map(({ text }) => text)).toEqual(['Summe', '1']);
  }
});

test('any text in any place gives a document', async () => {
  const text = fc.string({ unit: 'binary', maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(text, text, text, async (one, two, three) => {
      const bytes = await sheetWith((sheet) => {
        sheet.heading(1, one, 0);
        sheet.paragraph(two);
        table(
          sheet,
          [{ title: one }, { title: two, width: 60 }],
          [{ cells: [three, one] }, { cells: [two, three], kind: 'sum' }],
        );
      }, three);
      expect((await openPdf(bytes)).numPages).toBe(1);
    }),
    { numRuns: fuzzRuns(30) },
  );
});
