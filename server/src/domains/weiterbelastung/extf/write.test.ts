import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { centsFrom, centsText } from '#kernel/money.ts';
import { isWhole } from '#test/depth.ts';
import { checkBatch } from '#test/formats/extf/check.ts';
import { readRecords } from '#test/formats/extf/read.ts';
import { grossOf } from '../gross.ts';
import type { Line } from '../line.ts';
import { voucherOf } from '../voucher.ts';
import { COLUMNS } from './columns.ts';
import type { BookingSettings } from './settings.ts';
import { transliterate } from './windows-1252.ts';
import { fileNameOf, UnwritableBatch, writeBatch } from './write.ts';

const SETTINGS: BookingSettings = {
  beraternummer: '29098',
  mandantennummer: '55003',
  wirtschaftsjahr_beginn: 1,
  sachkontenlaenge: 4,
  kontenrahmen: '03',
  sammelkonto: '10000',
  erloeskonto: '8400',
  bu_schluessel: null,
  steuersatz_prozent: '19',
  festschreibung: false,
  diktatkuerzel: null,
  bezeichnung: null,
};
const STAMP = new Date('2026-11-03T08:30:00.005Z');
const MONTH = '2026-10';

const line = (more: Partial<Line> = {}): Line => ({
  art: 'verbrauch',
  monat: MONTH,
  referenz: 'kunde-4711',
  zahler: more.referenz ?? 'kunde-4711',
  name: 'Müller & Söhne',
  kostenstelle: null,
  debitorenkonto: null,
  aufschlag_prozent: '20',
  aufrufe: 7,
  unbepreist: 0,
  teilbepreist: 0,
  kosten_eur: '100',
  verbranntes_geld_eur: '0',
  abrechenbar_eur: '100',
  betrag_eur: '120.00',
  ...more,
});

const write = (lines: Line[], settings: Partial<BookingSettings> = {}, month = MONTH) =>
  writeBatch({ ...SETTINGS, ...settings }, month, lines, STAMP).datei;

/** Columns of the bookings by place, the header as it was written. */
function read(bytes: Uint8Array) {
  const { records } = readRecords(bytes);
  const [header, , ...bookings] = records.map(({ fields }) => fields.map(({ text }) => text));
  return {
    header: header as string[],
    bookings,
    at: (place: number) => bookings.map((row) => row[place - 1]),
  };
}

const refused = (run: () => unknown): readonly { feld: string; satz: { de: string } }[] => {
  try {
    run();
  } catch (error) {
    if (error instanceof UnwritableBatch) return error.faults;
    throw error;
  }
  return [];
};

test('the file is what bookkeeping takes, to the byte', () => {
  const bytes = write([line({ kostenstelle: 'K 1', debitorenkonto: '10001' })], { diktatkuerzel: 'WD' });
  const text = new TextDecoder('windows-1252').decode(bytes);
  const [header, heads, booking, end] = text.split('\r\n');
  expect(header).toBe(
    '"EXTF";700;21;"Buchungsstapel";13;20261103093000005;;"ZW";"";"";29098;55003;20260101;4;20261001;20261031;"Weiterberechnung 10/2026";"WD";1;0;0;"EUR";;"";;;"03";;;"";"10/2026"',
  );
  expect(heads).toBe(COLUMNS.map(({ head }) => head).join(';'));
  expect(booking).toBe(
    '142,80;"S";"EUR";;;"";10001;8400;"";3110;"202610-kunde-4711";"";;"KI-Nutzung 10/2026 Müller & Söhne";;"";;;;"";"Endkunde";"kunde-4711";"";"";"";"";"";"";"";"";"";"";"";"";"";"";"K 1";"";;"";;"";;;;;;"";"";"";"";"";"";"";"";"";"";"";"";"";"";"";"";"";"";"";"";"";"";"";"";"";"";"";"";"";"";"";"";"";"";"";"";"";"";"";"";;;;"";;;;"";"";;"";;;;"";"";;"";;"";;"";"";;"";;0;;;;"";;"";"Weiterbelastung 10/2026";;"";;',
  );
  expect(end).toBe('');
  expect(bytes).toContain(0xfc);
  expect(bytes.subarray(0, 6)).toEqual(new TextEncoder().encode('"EXTF"'));
  expect(fileNameOf(MONTH)).toBe('EXTF_Buchungsstapel_202610.csv');
});

test('the table has the columns of format version 13', () => {
  expect(COLUMNS).toHaveLength(125);
  expect([20, 21, 36, 37, 48, 87, 88, 114, 121, 125].map((place) => COLUMNS[place - 1]?.head)).toEqual([
    'Beleglink',
    'Beleginfo - Art 1',
    'Beleginfo - Inhalt 8',
    'KOST1 - Kostenstelle',
    'Zusatzinformation - Art 1',
    'Zusatzinformation- Inhalt 20',
    'Stück',
    'Festschreibung',
    'Abrechnungsreferenz',
    'Abw. Skontokonto',
  ]);
});

test('what is credited is booked in credit, never with a minus', () => {
  const lines = [line(), line({ art: 'korrektur', monat: '2026-08', betrag_eur: '-0.01' })];
  const { at } = read(write(lines, { steuersatz_prozent: null }));
  expect([at(1), at(2), at(14)]).toEqual([
    ['120,00', '0,01'],
    ['S', 'H'],
    ['KI-Nutzung 10/2026 Müller & Söhne', 'Korrektur 08/2026 Müller & Söhne'],
  ]);
});

test('lines of 0 and of an unknown amount are not booked, and are named', () => {
  const lines = [line({ betrag_eur: '0.00' }), line({ betrag_eur: null, referenz: 'x' }), line()];
  const { datei, ausgelassen } = writeBatch(SETTINGS, MONTH, lines, STAMP);
  expect(ausgelassen).toEqual(lines.slice(0, 2));
  expect(read(datei).bookings).toHaveLength(1);
});

test.each([
  ['120.00', '19', '142.8'],
  ['0.01', '19', '0.01'],
  ['0.02', '25', '0.03'],
  ['-0.02', '25', '-0.03'],
  ['100.00', '0', '100'],
  ['100.00', null, '100'],
  ['33.33', '7.5', '35.83'],
])('%s net at %s percent is booked as %s', (net, percent, gross) => {
  expect(centsText(grossOf(net, percent))).toBe(gross);
});

test.each([
  [1, '2026-01', '20260101', '3101'],
  [1, '2026-12', '20260101', '3112'],
  [7, '2026-06', '20250701', '3006'],
  [7, '2026-07', '20260701', '3107'],
  [12, '2026-12', '20261201', '3112'],
  [12, '2027-11', '20261201', '3011'],
  [2, '2028-02', '20280201', '2902'],
  [10, '2027-01', '20261001', '3101'],
])('a fiscal year from month %i, in %s: begins on %s', (wirtschaftsjahr_beginn, month, begin, day) => {
  const bytes = write([line({ monat: month })], { wirtschaftsjahr_beginn }, month);
  const { header, at } = read(bytes);
  expect([header[12], at(10)[0]]).toEqual([begin, day]);
  expect(checkBatch(bytes)).toEqual([]);
});

test('two files of the same lines differ in the stamp only', () => {
  const lines = [line(), line({ referenz: 'b' })];
  const other = writeBatch(SETTINGS, MONTH, lines, new Date('2027-01-01T00:00:00Z')).datei;
  const withoutStamp = (bytes: Uint8Array) =>
    new TextDecoder('windows-1252').decode(bytes).replace(/;\d{17};/, ';');
  expect(write(lines)).toEqual(write(lines));
  expect(withoutStamp(other)).toBe(withoutStamp(write(lines)));
});

describe('the voucher', () => {
  const of = (referenz: string, more: Partial<Line> = {}) => voucherOf(MONTH, line({ referenz, ...more }));

  test('is month and reference, and says which month it corrects', () => {
    expect(of('kunde-4711')).toBe('202610-kunde-4711');
    expect(of('kunde-4711', { art: 'korrektur', monat: '2026-08' })).toBe('202610K202608-kunde-4711');
  });

  test.each(['Müller GmbH', 'a.b', 'a;b', 'a%b', 'ツ', '', 'x'.repeat(40), 'a_b'])(
    'is of allowed characters, at most 36 of them: %j',
    (referenz) => expect(of(referenz)).toMatch(/^202610-[A-Za-z0-9$/-]*%[0-9a-f]{8}$/),
  );

  test('shows what it was made of', () => {
    expect(of('Müller Größe')).toMatch(/^202610-Mueller-Groesse%/);
    expect(of('x'.repeat(90))).toHaveLength(36);
  });

  test('differs wherever references do', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
        fc.pre(a !== b);
        expect(of(a)).not.toBe(of(b));
      }),
    );
  });
});

describe('characters', () => {
  test.each([
    ['Müller “Süd” – 5 €', 'Müller “Süd” – 5 €'],
    ['Mu\u0308ller', 'Müller'],
    ['Știrbei Łódź ﬁx', 'Stirbei Lódz fix'],
    ['a\u2010b\u2212c\u202fd', 'a-b-c d'],
    ['a\u200db\ufe0f', 'ab'],
    ['a\r\nb\tc', 'a b c'],
    ['Đặng m\u0304', 'Dang m'],
  ])('%j is written %j', (text, written) => {
    expect(transliterate(text)).toEqual({ text: written, missing: null });
  });

  test.each(['ツ', '😀', 'Ж'])(
    '%s cannot be written, and the line, the field and the character are named',
    (sign) => {
      const [fault, ...more] = refused(() => write([line(), line({ referenz: 'r-1', name: `a ${sign}` })]));
      expect(more).toEqual([]);
      expect(fault).toMatchObject({ referenz: 'r-1', feld: 'name', code: 'zeichen', zeichen: sign });
      expect(fault?.satz.de).toContain(sign);
      expect(refused(() => write([line({ referenz: sign, name: null })]))[0]?.feld).toBe('referenz');
    },
  );

  test('a reference that cannot be written stands in the voucher only', () => {
    const bytes = write([line({ referenz: 'kunde-ツ', name: 'Kunde' })]);
    const { at } = read(bytes);
    expect(checkBatch(bytes)).toEqual([]);
    expect([at(21), at(22)]).toEqual([[''], ['']]);
    expect(at(11)[0]).toMatch(/^202610-kunde--%/);
  });

  test('the text is cut to 60 characters, quotes and semicolons stay', () => {
    const name = `a";"b ${'ü'.repeat(80)}`;
    const [text] = read(write([line({ name })])).at(14);
    expect(text).toBe(`KI-Nutzung 10/2026 ${name}`.slice(0, 60));
  });
});

test.each([
  [{ kostenstelle: 'Köln' }, 'kostenstelle', 'ö'],
  [{ kostenstelle: 'x'.repeat(37) }, 'kostenstelle', null],
  [{ debitorenkonto: '123456' }, 'debitorenkonto', null],
  [{ debitorenkonto: '0000' }, 'debitorenkonto', null],
  [{ debitorenkonto: '1a' }, 'debitorenkonto', null],
  [{ betrag_eur: '9999999999.00' }, 'betrag_eur', null],
])('a line that cannot be booked is named: %j', (more, feld, zeichen) => {
  expect(refused(() => write([line(more)]))).toEqual([
    expect.objectContaining({ referenz: 'kunde-4711', feld, zeichen }),
  ]);
});

test('thousands of bookings are in order, more than 99,999 are refused', () => {
  const lines = Array.from({ length: 99_999 }, (_, at) => line({ referenz: String(at) }));
  expect(() => write([...lines, line()])).toThrow(UnwritableBatch);
  expect(checkBatch(write(lines.slice(0, isWhole ? 5_000 : 500)))).toEqual([]);
});

test('settings with a fault write nothing', () => {
  expect(refused(() => write([line()], { beraternummer: '1' }))).toMatchObject([{ feld: 'beraternummer' }]);
});

const cents = fc.bigInt({ min: -999_999_999n, max: 999_999_999n }).map((amount) => {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(3, '0');
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
});
const LATIN = fc.string({
  unit: fc.constantFrom(...'aÄöß;"\\\'€–,=+-@ș łé\n\tz0_%$/.'.split('')),
  maxLength: 90,
});
const LINES = fc.array(
  fc
    .record({
      art: fc.constantFrom('verbrauch' as const, 'korrektur' as const),
      monat: fc.constantFrom('2026-10', '2026-02', '2025-12'),
      referenz: LATIN,
      name: fc.option(LATIN),
      kostenstelle: fc.option(fc.stringMatching(/^[A-Za-z0-9_ ]{0,36}$/)),
      debitorenkonto: fc.option(fc.stringMatching(/^[1-9]\d{4}$/)),
      betrag_eur: fc.option(cents),
    })
    .map(line),
  { maxLength: 30 },
);

test('whatever is written has no finding, and reads back as the same amounts', () => {
  fc.assert(
    fc.property(
      LINES,
      fc.constantFrom('19', '7', null),
      fc.boolean(),
      (lines, steuersatz_prozent, festschreibung) => {
        const bytes = write(lines, { steuersatz_prozent, festschreibung });
        const booked = lines.filter(({ betrag_eur }) => betrag_eur !== null && !/^-?0\.00$/.test(betrag_eur));
        const { bookings } = read(bytes);
        expect(checkBatch(bytes).map(({ code }) => code)).toEqual(
          booked.length === 0 ? ['keine_buchung'] : [],
        );
        expect(bookings).toHaveLength(booked.length);
        const sum = bookings.reduce((all, [umsatz = '', side]) => {
          const amount = centsFrom(umsatz.replace(',', '.'));
          return side === 'S' ? all + amount : all - amount;
        }, 0n);
        expect(sum).toBe(
          booked.reduce((all, { betrag_eur }) => all + grossOf(betrag_eur as string, steuersatz_prozent), 0n),
        );
      },
    ),
  );
});
