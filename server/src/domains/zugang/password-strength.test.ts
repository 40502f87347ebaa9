import { dictionary } from '@zxcvbn-ts/language-common';
import { describe, expect, it } from 'vitest';
import { isWhole } from '#test/depth.ts';
import { isGuessable } from './password-strength.ts';

const KNOWN = ['anna.schmitt@nordlicht-medien.de', 'Muster GmbH', null];
const guessable = (passwort: string) => isGuessable(passwort, KNOWN);

describe('a new password is easy to guess', () => {
  it.each([
    [
      'a common one',
      ['password123', 'qwertzuiop', '1q2w3e4r5t', 'iloveyou12', 'willkommen1', 'Sonnenschein1'],
    ],
    [
      'a common one that is dressed up',
      ['passwort12', 'P4ssw0rt12', 'Passwort1!', 'Passwort2026!', 'Sommer 2026!'],
    ],
    [
      'the time of the year, as guessers know passwords that have to change',
      [
        ...['Fruehling2026', 'Frühling2026', 'Fruhling2026!', 'Sommer2026!!', 'Herbst-2026', '2026Winter!'],
        ...['Dezember2025', 'Maerz2026!', 'Februar.2026', 'Weihnachten26', 'November11!', 'Summer2026!'],
      ],
    ],
    ['a sequence', ['1234567890', '0987654321', 'abcdefghij', '112233445566', 'abc123abc123']],
    ['a repetition', [' '.repeat(10), 'a'.repeat(10), 'a'.repeat(200), 'hallohallo', '1111111111']],
    ['a date', ['01.01.1990', '1990-01-01']],
    ['the product', ['zaehlwerk1', 'Zählwerk2026', 'Zaehlwerk 2026!']],
    ['the company', ['mustergmbh1', 'MusterGmbH!', 'Muster GmbH 2026']],
    [
      'the address',
      ['anna.schmitt', 'AnnaSchmitt1', KNOWN[0] as string, 'nordlicht2026', 'Nordlicht-Medien'],
    ],
  ])('%s', async (_what, passwords) => {
    const taken = [];
    for (const passwort of passwords) if (!(await guessable(passwort))) taken.push(passwort);
    expect(taken).toEqual([]);
  });

  it('the common ones that are long enough, and the others with a year', async () => {
    const common = dictionary['passwords-common'] as string[];
    const long = common.filter((passwort) => passwort.length >= 10);
    const dressedUp = common.slice(0, 3_000).map((passwort) => `${passwort}2024`);
    const all = [...long, ...dressedUp.filter((passwort) => passwort.length >= 10)];
    expect(all.length).toBeGreaterThan(3_000);
    const taken = [];
    const tried = all.filter((_, index) => isWhole || index % 20 === 0);
    for (const passwort of tried) if (!(await isGuessable(passwort, []))) taken.push(passwort);
    expect(taken).toEqual([]);
  });

  it('of others, what is a good one here', async () => {
    expect(await isGuessable('Nordlicht-Medien', [])).toBe(false);
  });
});

describe('a new password is hard to guess', () => {
  it.each([
    'richtig-lang-genug',
    'vier tolle Igel tanzen',
    'Kj8#mQ2x!p',
    'xkqwzvbnpl',
    '!%&/()=?{]',
    '7f3k-m2pq-x8vd-w4nz',
    `Muster-GmbH vier tolle Igel`,
  ])('%s', async (passwort) => {
    expect(await guessable(passwort)).toBe(false);
  });

  it('however systems compose its umlauts', async () => {
    for (const form of ['NFC', 'NFD']) expect(await guessable('Zählwerk2026'.normalize(form))).toBe(true);
  });
});
