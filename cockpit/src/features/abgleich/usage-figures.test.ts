import { expect, test } from 'vitest';
import { chargedBy, figuresOf, type Vergleich, type Vergleichszeile } from './usage-figures.ts';

const datei = {
  aufrufe: '12',
  eingabe_token: '9007199254740993',
  ausgabe_token: null,
  betrag: '2',
  waehrung: 'USD',
} as const;
const gezaehlt = { aufrufe: 10, unbepreist: 0, eingabe_token: '1', ausgabe_token: '5', kosten_usd: '1.5' };
const row: Vergleichszeile = { modell: 'gpt-4o', gezaehlt_als: null, datei, gezaehlt, differenz_usd: '0.5' };

test('amounts are those of the answer', () => {
  expect(figuresOf(row, 'kosten')).toEqual({ datei: '2', gezaehlt: '1.5', differenz: '0.5' });
});

test('counts are subtracted exactly, however large', () => {
  expect(figuresOf(row, 'aufrufe')).toEqual({ datei: '12', gezaehlt: '10', differenz: '2' });
  expect(figuresOf(row, 'eingabe_token').differenz).toBe('9007199254740992');
});

test('a count the file does not say is unknown, and so is the difference', () => {
  expect(figuresOf(row, 'ausgabe_token')).toEqual({ datei: null, gezaehlt: '5', differenz: null });
});

test('a side without the model has none of it', () => {
  expect(figuresOf({ ...row, datei: null }, 'aufrufe')).toEqual({
    datei: null,
    gezaehlt: '10',
    differenz: '-10',
  });
  expect(figuresOf({ ...row, gezaehlt: null }, 'aufrufe')).toEqual({
    datei: '12',
    gezaehlt: null,
    differenz: '12',
  });
});

test('a file of costs charges one amount where it is in one currency', () => {
  const fileOf = (...zeilen: Vergleichszeile[]): Vergleich => ({
    anbieter: 'openai',
    art: 'kosten',
    monat: '2026-10',
    andere_monate: 0,
    zeilen,
  });
  const of = (betrag: string | null, waehrung: 'USD' | 'EUR' | null) => ({
    ...row,
    datei: { ...datei, betrag, waehrung },
  });
  const uncharged = { ...row, datei: null };
  expect(chargedBy(fileOf(of('41.25', 'USD'), of('0.1', 'USD'), uncharged))).toEqual({
    betrag: '41.35',
    waehrung: 'USD',
  });
  expect(chargedBy(fileOf(of('1', 'USD'), of('1', 'EUR')))).toBeNull();
  expect(chargedBy(fileOf(of('1', 'USD'), of(null, 'USD')))).toBeNull();
  expect(chargedBy(fileOf(uncharged))).toBeNull();
  expect(chargedBy({ ...fileOf(of('1', 'USD')), art: 'nutzung' })).toBeNull();
});
