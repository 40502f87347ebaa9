import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { centsFrom, type eurFrom, eurText } from '#kernel/money.ts';
import { writeLinesCsv } from './csv.ts';
import { grossOf } from './gross.ts';
import type { Line } from './line.ts';

const line = (more: Partial<Line> = {}): Line => ({
  art: 'verbrauch',
  monat: '2026-10',
  referenz: 'kunde-1',
  zahler: more.referenz ?? 'kunde-1',
  name: 'Müller',
  kostenstelle: 'K1',
  debitorenkonto: '10001',
  aufschlag_prozent: '12.5',
  aufrufe: 7,
  unbepreist: 1,
  teilbepreist: 0,
  kosten_eur: '100.0000000000000000000000000000000001',
  verbranntes_geld_eur: '1.5',
  abrechenbar_eur: '98.5000000000000000000000000000000001',
  betrag_eur: '110.81',
  ...more,
});

const write = async (lines: Line[], percent: string | null = null) =>
  (await Array.fromAsync(writeLinesCsv('2026-10', lines, () => percent))).join('');

const read = (csv: string) =>
  parse(csv, { bom: true, delimiter: ';', columns: true }) as Record<string, string>[];

test('a table for German spreadsheets, with its sums', async () => {
  const unknown = { kosten_eur: null, verbranntes_geld_eur: '0', abrechenbar_eur: null, betrag_eur: null };
  const correction = { art: 'korrektur', monat: '2026-08', betrag_eur: '-0.81', unbepreist: 0 } as const;
  expect(await write([line(), line({ ...unknown, name: null }), line(correction)])).toBe(
    [
      '\uFEFFEndkunde;Referenz;Kostenstelle;Debitorenkonto;Monat;Art;Aufrufe;davon ohne Preis;Kosten EUR;davon verbrannt EUR;abrechenbar EUR;Aufschlag %;Betrag EUR;Belegnummer',
      'Müller;kunde-1;K1;10001;2026-10;Verbrauch;7;1;100,0000000000000000000000000000000001;1,5;98,5000000000000000000000000000000001;12,5;110,81;202610-kunde-1',
      'kunde-1;kunde-1;K1;10001;2026-10;Verbrauch;7;1;;0;;12,5;;202610-kunde-1',
      'Müller;kunde-1;K1;10001;2026-08;Korrektur;7;0;100,0000000000000000000000000000000001;1,5;98,5000000000000000000000000000000001;12,5;-0,81;202610K202608-kunde-1',
      'Summe;;;;;;21;2;200,0000000000000000000000000000000002;3;197,0000000000000000000000000000000002;;110,00;',
      '',
    ].join('\r\n'),
  );
});

test('tax and gross stand there where a rate is set, and add up', async () => {
  const [first, second, sum] = read(await write([line(), line({ betrag_eur: '-0.03' })], '19'));
  const taxOf = (row?: Record<string, string>) => [
    row?.['Umsatzsteuer %'],
    row?.['Umsatzsteuer EUR'],
    row?.['Brutto EUR'],
  ];
  expect(taxOf(first)).toEqual(['19', '21,05', '131,86']);
  expect(taxOf(second)).toEqual(['19', '-0,01', '-0,04']);
  expect(taxOf(sum)).toEqual(['', '21,04', '131,82']);
});

test('sums of nothing are empty, a month without lines has its heads', async () => {
  const [sum] = read(await write([]));
  expect([sum?.Endkunde, sum?.Aufrufe, sum?.['Betrag EUR'], sum?.['Kosten EUR']]).toEqual([
    'Summe',
    '0',
    '',
    '',
  ]);
});

test.each(['=1+1', '+49', '-x', '@a', '\tx', '\r=1'])('text is no formula: %j', async (name) => {
  const [row] = read(await write([line({ name, referenz: name, betrag_eur: '-1.00' })]));
  expect([row?.Endkunde, row?.Referenz, row?.['Betrag EUR']]).toEqual([`'${name}`, `'${name}`, '-1,00']);
});

const cents = fc.bigInt({ min: -99_999_999n, max: 99_999_999n }).map((amount) => {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(3, '0');
  return `${amount < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
});
const costs = fc
  .bigInt({ min: 0n, max: 10n ** 40n })
  .map((amount) => eurText(amount as ReturnType<typeof eurFrom>));
const LINES = fc.array(
  fc
    .record({
      referenz: fc.string({ unit: 'binary', maxLength: 20 }),
      name: fc.option(fc.string({ maxLength: 20 })),
      kosten_eur: fc.option(costs),
      betrag_eur: fc.option(cents),
    })
    .map(line),
  { maxLength: 20 },
);

test('reads back as the same amounts, and is the same every time', async () => {
  await fc.assert(
    fc.asyncProperty(LINES, fc.constantFrom('19', null), async (lines, percent) => {
      const csv = await write(lines, percent);
      expect(await write(lines, percent)).toBe(csv);
      const rows = read(csv);
      const plain = (text = '') => (text === '' ? null : text.replace(',', '.'));
      const body = rows.slice(0, -1);
      expect(body.map((row) => plain(row['Kosten EUR']))).toEqual(lines.map(({ kosten_eur }) => kosten_eur));
      expect(body.map((row) => plain(row['Betrag EUR']))).toEqual(lines.map(({ betrag_eur }) => betrag_eur));
      const known = lines.map(({ betrag_eur }) => betrag_eur).filter((each) => each !== null);
      const sum = (of: (amount: string) => bigint) => known.reduce((all, each) => all + of(each), 0n);
      const last = rows.at(-1);
      if (known.length > 0) expect(centsFrom(plain(last?.['Betrag EUR']) ?? '')).toBe(sum(centsFrom));
      if (known.length > 0 && percent)
        expect(centsFrom(plain(last?.['Brutto EUR']) ?? '')).toBe(sum((each) => grossOf(each, percent)));
    }),
  );
});
