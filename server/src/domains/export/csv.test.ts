import { expect, test } from 'vitest';
import { csvOf, type Row } from './csv.ts';

async function* pagesOf(...pages: Row[][]): AsyncGenerator<Row[]> {
  yield* pages;
}
const csv = async (names: Parameters<typeof csvOf>[0], ...pages: Row[][]) =>
  (await Array.fromAsync(csvOf(names, pagesOf(...pages)))).join('');

test('is what German spreadsheets read: byte-order mark, semicolons, CRLF, decimal comma', async () => {
  const rows = [
    [{ agent: 'a', kosten_eur: '1234.5000000001', aufrufe: 7, geschaetzt: true }],
    [{ agent: 'b', kosten_eur: null, aufrufe: '9007199254740993', geschaetzt: false }],
  ];
  expect(await csv(['agent', 'kosten_eur', 'aufrufe', 'geschaetzt'], ...rows)).toBe(
    '\uFEFFagent;kosten_eur;aufrufe;geschaetzt\r\na;1234,5000000001;7;ja\r\nb;;9007199254740993;nein\r\n',
  );
});

test('has a head without rows, too', async () => {
  expect(await csv(['agent'])).toBe('\uFEFFagent\r\n');
});

test.each(['=1+1', '+49', '-1', '@SUM(A1)', '\tx', '\rx'])('text is no formula: %j', async (text) => {
  const cell = (await csv(['agent'], [{ agent: text }])).slice('\uFEFFagent\r\n'.length, -2);
  expect(cell.replace(/^"|"$/g, '')).toBe(`'${text}`);
});

test('amounts and counts stay numbers, a minus in front included', async () => {
  expect(await csv(['kosten_eur', 'schritt_nr'], [{ kosten_eur: '-12.50', schritt_nr: -3 }])).toBe(
    '\uFEFFkosten_eur;schritt_nr\r\n-12,50;-3\r\n',
  );
});

test('separators, quotes and line ends stay inside their cell', async () => {
  expect(await csv(['agent', 'modell'], [{ agent: 'a;b"c', modell: 'x\ny' }])).toBe(
    '\uFEFFagent;modell\r\n"a;b""c";"x\ny"\r\n',
  );
  expect(await csv(['agent'], [{ agent: 'a;=1' }])).toBe('\uFEFFagent\r\n"a;=1"\r\n');
});
