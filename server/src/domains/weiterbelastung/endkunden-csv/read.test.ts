import fc from 'fast-check';
import { expect, test } from 'vitest';
import { InvalidInput } from '#kernel/errors.ts';
import { MOST_LINES, readEndkundenCsv } from './read.ts';

const read = (csv: string) => readEndkundenCsv(Buffer.from(csv));

/** Where the faults of a file are. */
function faultsOf(csv: string | Uint8Array): unknown[] {
  try {
    readEndkundenCsv(typeof csv === 'string' ? Buffer.from(csv) : csv);
  } catch (error) {
    if (error instanceof InvalidInput) return error.faults.map(({ path }) => path);
    throw error;
  }
  return [];
}

test('reads what a German spreadsheet writes', () => {
  const csv =
    '\uFEFFReferenz;Name;Aufschlag %;Kostenstelle;Debitorenkonto;E-Mail\r\nk-1;Müller GmbH;12,50;K 1;10001;a@münchen.de\r\nk-2;;;;;\r\n;;;;;\r\n';
  expect(read(csv)).toEqual([
    {
      referenz: 'k-1',
      name: 'Müller GmbH',
      aufschlag_prozent: '12.5',
      kostenstelle: 'K 1',
      debitorenkonto: '10001',
      email: 'a@xn--mnchen-3ya.de',
    },
    {
      referenz: 'k-2',
      name: null,
      aufschlag_prozent: null,
      kostenstelle: null,
      debitorenkonto: null,
      email: null,
    },
  ]);
});

test('columns that are not there are not touched; commas and points do as well', () => {
  expect(read('REF,aufschlag_prozent\n"a,b",-10.25\nc,"7,5"\n')).toEqual([
    { referenz: 'a,b', aufschlag_prozent: '-10.25' },
    { referenz: 'c', aufschlag_prozent: '7.5' },
  ]);
});

test('reads Windows-1252, too', () => {
  expect(readEndkundenCsv(Buffer.from('Referenz;Name\r\nk;Grün & Söhne\r\n', 'latin1'))).toEqual([
    { referenz: 'k', name: 'Grün & Söhne' },
  ]);
});

test('what was made harmless for spreadsheets is what it was', () => {
  expect(read("referenz;name\n'=1;'+49\n")).toEqual([{ referenz: '=1', name: '+49' }]);
});

test.each([
  ['10', '10'],
  ['+10 %', '10'],
  ['0,0', '0'],
  ['-100', '-100'],
  ['10000', '10000'],
  ['1.2000', '1.2'],
])('a markup of %s', (text, percent) => {
  expect(read(`ref;aufschlag\nk;${text}\n`)[0]?.aufschlag_prozent).toBe(percent);
});

test.each([
  ['nothing', '', [['csv', 1]]],
  ['a quote that is not closed', 'ref;name\na;"b\n', [['csv', 2]]],
  ['no reference', 'name\na\n', [['csv', 1]]],
  ['an unknown column', 'ref;farbe\na;b\n', [['csv', 1]]],
  ['a column of every object', 'ref;constructor\na;b\n', [['csv', 1]]],
  ['a column twice', 'ref;Name;endkunde\na;b;c\n', [['csv', 1]]],
  ['a line too short', 'ref;name\na\n', [['csv', 2]]],
  ['a line too long', 'ref;name\na;b\nc;d;e\n', [['csv', 3]]],
  ['an empty reference', 'ref;name\n;b\n', [['csv', 2, 'referenz']]],
  ['a long reference', `ref\n${'x'.repeat(121)}\n`, [['csv', 2, 'referenz']]],
  ['a reference twice', 'ref\na\nb\na\n', [['csv', 4, 'referenz']]],
  ['control characters', 'ref;name\na;b\x07c\n', [['csv', 2, 'name']]],
  ['a long cost centre', `ref;kst\na;${'1'.repeat(37)}\n`, [['csv', 2, 'kostenstelle']]],
  ['a markup in words', 'ref;aufschlag\na;viel\n', [['csv', 2, 'aufschlag_prozent']]],
  ['thousands or decimals', 'ref;aufschlag\na;1.200\n', [['csv', 2, 'aufschlag_prozent']]],
  ['a markup below all', 'ref;aufschlag\na;-100,1\n', [['csv', 2, 'aufschlag_prozent']]],
  ['an account of letters', 'ref;debitor\na;1000x\n', [['csv', 2, 'debitorenkonto']]],
  ['an account of zeros', 'ref;debitor\na;000\n', [['csv', 2, 'debitorenkonto']]],
  ['no address', 'ref;mail\na;b\n', [['csv', 2, 'email']]],
  [
    'several at once',
    'ref;mail;aufschlag\na;b;x\n',
    [
      ['csv', 2, 'email'],
      ['csv', 2, 'aufschlag_prozent'],
    ],
  ],
])('is refused whole: %s', (_, csv, paths) => {
  expect(faultsOf(csv)).toEqual(paths);
});

test('lines and faults have a bound', () => {
  const many = (count: number) =>
    `ref;mail\n${Array.from({ length: count }, (_, at) => `${at};x\n`).join('')}`;
  expect(faultsOf(many(MOST_LINES + 1))).toEqual([['csv']]);
  expect(faultsOf(many(MOST_LINES))).toHaveLength(100);
});

test('any bytes are read or refused', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      faultsOf(bytes);
      faultsOf(Buffer.concat([Buffer.from('ref;name\n'), bytes]));
    }),
  );
});
