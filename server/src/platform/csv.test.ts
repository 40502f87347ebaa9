import { expect, test } from 'vitest';
import { type CsvColumn, type CsvKind, csvOf } from './csv.ts';

type Row = Record<string, string | number | boolean | null>;

const column = (head: string, kind: CsvKind): CsvColumn<Row> => ({
  head,
  kind,
  cell: (row) => row[head] ?? null,
});
const AGENT = column('agent', 'text');
const MODELL = column('modell', 'text');
const KOSTEN = column('kosten_eur', 'amount');
const AUFRUFE = column('aufrufe', 'value');
const GESCHAETZT = column('geschaetzt', 'value');

const csv = async (columns: CsvColumn<Row>[], ...pages: Row[][]) =>
  (await Array.fromAsync(csvOf(columns, pages))).join('');

/** The one cell of a text. */
const textCell = async (agent: string) =>
  (await csv([AGENT], [{ agent }])).slice('\uFEFFagent\r\n'.length, -2);

test('is what German spreadsheets read: byte-order mark, semicolons, CRLF, decimal comma', async () => {
  const rows = [
    [{ agent: 'a', kosten_eur: '1234.5000000001', aufrufe: 7, geschaetzt: true }],
    [{ agent: 'b', kosten_eur: null, aufrufe: '9007199254740993', geschaetzt: false }],
  ];
  expect(await csv([AGENT, KOSTEN, AUFRUFE, GESCHAETZT], ...rows)).toBe(
    '\uFEFFagent;kosten_eur;aufrufe;geschaetzt\r\na;1234,5000000001;7;ja\r\nb;;9007199254740993;nein\r\n',
  );
});

test('has a head without rows, too', async () => {
  expect(await csv([AGENT])).toBe('\uFEFFagent\r\n');
});

test.each(['=1+1', '+49 30', '-12,50', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1', '＋1', '－1', '＠A1'])(
  'text is no formula: %j',
  async (text) => expect((await textCell(text)).replace(/^"|"$/g, '')).toBe(`'${text}`),
);

test.each(['', 'a=1', "'=1", ' 1', 'Müller & Söhne', '12'])('text stays as it is: %j', async (text) => {
  expect(await textCell(text)).toBe(text);
});

test('amounts and counts stay numbers, a minus in front included', async () => {
  expect(await csv([KOSTEN, AUFRUFE], [{ kosten_eur: '-12.50', aufrufe: -3 }])).toBe(
    '\uFEFFkosten_eur;aufrufe\r\n-12,50;-3\r\n',
  );
});

test('separators, quotes and line ends stay inside their cell', async () => {
  expect(await csv([AGENT, MODELL], [{ agent: 'a;b"c', modell: 'x\ny' }])).toBe(
    '\uFEFFagent;modell\r\n"a;b""c";"x\ny"\r\n',
  );
  expect(await csv([AGENT], [{ agent: 'a;=1' }])).toBe('\uFEFFagent\r\n"a;=1"\r\n');
});
