import { describe, expect, test } from 'vitest';
import { COLUMNS } from '#domains/weiterbelastung/extf/columns.ts';
import { checkBatch } from './check.ts';

const HEADER =
  '"EXTF";700;21;"Buchungsstapel";13;20261103093000000;;"RE";"";"";1001;1;20260101;4;20261001;20261031;"Weiterberechnung 10/2026";"";1;0;0;"EUR";;"";;;"03";;;"";"10/2026"'.split(
    ';',
  );
const HEADS = COLUMNS.map(({ head }) => head);

const VALUES: Record<number, string> = {
  1: '1190,00',
  2: '"S"',
  3: '"EUR"',
  7: '10001',
  8: '8400',
  10: '1510',
  11: '"RE-2026-0001"',
  14: '"Müller ""Süd"" GmbH; 09/2026"',
  37: '"1000"',
  114: '0',
};
const BOOKING = COLUMNS.map(({ isText }, at) => VALUES[at + 1] ?? (isText ? '""' : ''));

interface File {
  header?: string[];
  heads?: string[];
  booking?: string[];
  more?: string[];
}

const textOf = ({ header = HEADER, heads = HEADS, booking = BOOKING, more = [] }: File = {}): string =>
  [header.join(';'), heads.join(';'), booking.join(';'), ...more].map((each) => `${each}\r\n`).join('');

const check = (text: string) =>
  checkBatch(Buffer.from(text, 'latin1')).map(
    ({ code, schwere, zeile, spalte }) => `${schwere} ${code} ${zeile}:${spalte ?? '-'}`,
  );

const put = (fields: string[], place: number, value: string): string[] => fields.with(place - 1, value);
const header = (place: number, value: string) => textOf({ header: put(HEADER, place, value) });
const booking = (...values: [place: number, value: string][]) =>
  textOf({ booking: values.reduce((fields, [place, value]) => put(fields, place, value), BOOKING) });

test('a file in order has no finding', () => {
  expect(check(textOf())).toEqual([]);
  expect(check(textOf({ more: [BOOKING.join(';'), put(BOOKING, 2, '"H"').join(';')] }))).toEqual([]);
});

test.each<[string, string, string]>([
  ['the mark of the format', header(1, '"extf"'), 'fehler kopffeld 1:1'],
  ['its version', header(2, '510'), 'fehler kopffeld 1:2'],
  ['another kind of batch', header(3, '16'), 'fehler kopffeld 1:3'],
  ['another name of it', header(4, '"Debitoren"'), 'fehler kopffeld 1:4'],
  ['a version of long ago', header(5, '9'), 'fehler kopffeld 1:5'],
  ['half a stamp', header(6, '20261103'), 'warnung kopffeld 1:6'],
  ['a field that is to be empty', header(7, '1'), 'warnung kopffeld 1:7'],
  ['a long origin', header(8, '"ABC"'), 'warnung kopffeld 1:8'],
  ['no adviser', header(11, ''), 'fehler kopffeld 1:11'],
  ['an adviser too small', header(11, '1000'), 'fehler kopffeld 1:11'],
  ['client 0', header(12, '0'), 'fehler kopffeld 1:12'],
  ['a quoted number', header(12, '"1"'), 'warnung kopffeld_textkennzeichen 1:12'],
  ['no quotes', header(22, 'EUR'), 'warnung kopffeld_textkennzeichen 1:22'],
  ['no fiscal year', header(13, ''), 'fehler kopffeld 1:13'],
  ['a day there is not', header(13, '20260231'), 'fehler datum 1:13'],
  ['a fiscal year after the period', header(13, '20261101'), 'fehler wirtschaftsjahr 1:13'],
  ['a fiscal year long before it', header(13, '20251001'), 'fehler wirtschaftsjahr 1:13'],
  ['accounts of nine digits', header(14, '9'), 'fehler kopffeld 1:14'],
  ['an end before the beginning', header(16, '20260930'), 'fehler zeitraum 1:16'],
  ['two calendar years', header(16, '20270131'), 'fehler kalenderjahr 1:16'],
  ['locking by another word', header(21, '2'), 'fehler kopffeld 1:21'],
  ['a chart of three digits', header(27, '"103"'), 'warnung kopffeld 1:27'],
  ['a header too short', textOf({ header: HEADER.slice(0, 30) }), 'fehler kopf_feldanzahl 1:-'],
  ['another heading', textOf({ heads: put(HEADS, 122, 'BVV') }), 'warnung ueberschrift 2:122'],
  ['a heading too few', textOf({ heads: HEADS.slice(1) }), 'fehler ueberschriften 2:-'],
  ['a field too few', textOf({ booking: BOOKING.slice(1) }), 'fehler feldanzahl 3:-'],
  ['a field too many', textOf({ booking: [...BOOKING, ''] }), 'fehler feldanzahl 3:-'],
  ['an empty line', textOf({ more: ['', BOOKING.join(';')] }), 'fehler feldanzahl 4:-'],
  ['no booking', textOf().split('\r\n').slice(0, 2).join('\r\n').concat('\r\n'), 'warnung keine_buchung 3:-'],
  ['no amount', booking([1, '']), 'fehler pflichtfeld 3:1'],
  ['an amount of 0', booking([1, '0,00']), 'fehler feldinhalt 3:1'],
  ['a minus', booking([1, '-1190,00']), 'fehler feldinhalt 3:1'],
  ['a point', booking([1, '1190.00']), 'fehler feldinhalt 3:1'],
  ['points between thousands', booking([1, '1.190,00']), 'fehler feldinhalt 3:1'],
  ['a whole amount', booking([1, '64083']), 'warnung feldinhalt 3:1'],
  ['neither debit nor credit', booking([2, '"X"']), 'fehler feldinhalt 3:2'],
  ['no side', booking([2, '""']), 'fehler pflichtfeld 3:2'],
  ['a currency of two letters', booking([3, '"EU"']), 'warnung feldinhalt 3:3'],
  ['an account with letters', booking([7, '1000A']), 'fehler feldinhalt 3:7'],
  ['an account of zeros', booking([7, '00000']), 'fehler feldinhalt 3:7'],
  ['an account too long', booking([7, '100001']), 'fehler kontolaenge 3:7'],
  ['a quoted account', booking([7, '"10001"']), 'warnung textkennzeichen 3:7'],
  ['no account on the other side', booking([8, '']), 'fehler pflichtfeld 3:8'],
  ['a key on an automatic account', booking([9, '"3"']), 'warnung bu_schluessel_nicht_erlaubt 3:9'],
  ['a key with letters', booking([9, '"A"']), 'warnung feldinhalt 3:9'],
  ['no date', booking([10, '']), 'fehler pflichtfeld 3:10'],
  ['a whole date', booking([10, '15102026']), 'fehler feldinhalt 3:10'],
  ['a month 13', booking([10, '1513']), 'fehler belegdatum 3:10'],
  ['a date without its zero', booking([10, '510']), 'fehler feldinhalt 3:10'],
  ['a date of another month', booking([10, '1511']), 'warnung belegdatum_ausserhalb 3:10'],
  ['a blank in the voucher', booking([11, '"RE 1"']), 'warnung feldinhalt 3:11'],
  ['an umlaut in the voucher', booking([11, '"RÜ"']), 'warnung feldinhalt 3:11'],
  ['a long text', booking([14, `"${'x'.repeat(61)}"`]), 'warnung zu_lang 3:14'],
  ['a text without quotes', booking([14, 'Text']), 'warnung textkennzeichen 3:14'],
  ['an empty text without quotes', booking([16, '']), 'warnung textkennzeichen 3:16'],
  ['a lone LF in a text', booking([14, '"a\nb"']), 'fehler steuerzeichen 3:14'],
  ['a tab in a text', booking([14, '"a\tb"']), 'fehler steuerzeichen 3:14'],
  ['a byte that stands for nothing', booking([14, '"a\x81"']), 'fehler steuerzeichen 3:14'],
  ['a quote in a text', booking([14, '"a " b"']), 'fehler anfuehrungszeichen 3:-'],
  ['a quote that is not closed', booking([125, '"1']), 'fehler anfuehrungszeichen 3:-'],
  ['a quote within bare text', booking([14, 'a"b']), 'fehler anfuehrungszeichen 3:-'],
  ['half a pair', booking([21, '"Endkunde"']), 'warnung paar 3:22'],
  ['the other half', booking([49, '"x"']), 'warnung paar 3:48'],
  ['a date of supply alone', booking([115, '15102026']), 'warnung paar 3:116'],
  ['locking unsaid', booking([114, '']), 'warnung festschreibung_leer 3:114'],
  ['locking by another word', booking([114, 'J']), 'fehler feldinhalt 3:114'],
  ['no end of the last line', textOf().slice(0, -2), 'warnung zeilenende_fehlt 3:-'],
  ['lines that end with LF', textOf().replaceAll('\r\n', '\n'), 'warnung zeilenende 1:-'],
  ['one line that ends with LF', textOf().replace('\r\n', '\n'), 'warnung zeilenende 1:-'],
  ['one heading only', `${HEADER.join(';')}\r\n`, 'fehler kopf_fehlt 1:-'],
])('one fault is one finding: %s', (_, text, finding) => {
  expect(check(text)).toEqual([finding]);
});

test('UTF-8 is reported once, with a byte-order mark and without', () => {
  for (const bytes of [Buffer.from(textOf()), Buffer.from(`\uFEFF${textOf()}`)])
    expect(checkBatch(bytes).map(({ code }) => code)).toEqual(['zeichensatz']);
});

test('every finding has a sentence in both languages', () => {
  const findings = checkBatch(Buffer.from(header(1, '"X"') + booking([1, 'x'], [2, '"Y"']), 'latin1'));
  expect(findings.length).toBeGreaterThan(2);
  for (const { satz } of findings) expect([satz.de, satz.en].every((each) => /\.$/.test(each))).toBe(true);
});

test('a file of the version before has a column fewer', () => {
  const text = textOf({
    header: put(HEADER, 5, '12'),
    heads: HEADS.slice(0, 124),
    booking: BOOKING.slice(0, 124),
  });
  expect(check(text)).toEqual([]);
});

test('the header that DATEV shows as its example has no finding', () => {
  const example =
    '"EXTF";700;21;"Buchungsstapel";13;20240130140440439;;"RE";"";"";29098;55003;20240101;4;20240101;20240831;"Buchungsstapel";"WD";1;0;0;"EUR";;"";;;"03";;;"";""';
  expect(check(textOf({ header: example.split(';'), booking: put(BOOKING, 10, '3108') }))).toEqual([]);
});

describe('what DATEV’s own sample holds is no error', () => {
  test.each<[number, string]>([
    [1, '64083'],
    [4, '0,830000'],
    [9, '"6501"'],
    [17, '1'],
    [19, '""'],
    [39, '30'],
    [101, '0'],
    [108, '""'],
    [115, '15102026'],
  ])('column %i: %s', (place, value) => {
    expect(check(booking([place, value])).filter((finding) => finding.startsWith('fehler'))).toEqual([]);
  });
});

test.each(['', ';', '"', '\r\n\r\n', 'PK\x03\x04', '"'.repeat(1000), '\uFEFF', '\n'.repeat(50)])(
  'what is no such file is answered with findings: %j',
  (text) => expect(check(text).length).toBeGreaterThan(0),
);
