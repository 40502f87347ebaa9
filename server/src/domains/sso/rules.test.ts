import { describe, expect, it } from 'vitest';
import { type Claims, domainOf, isEmailVerified, isProof, nameOf, normaliseDomain } from './rules.ts';

const claims = (changes: Partial<Claims>): Claims => ({ iss: 'https://login.example', sub: 's', ...changes });

describe('a domain', () => {
  it.each([
    ['Firma.Example', 'firma.example'],
    ['@firma.example', 'firma.example'],
    ['firma.example.', 'firma.example'],
    ['straße.de', 'xn--strae-oqa.de'],
    ['例え.jp', 'xn--r8jz45g.jp'],
    [`${'a'.repeat(63)}.de`, `${'a'.repeat(63)}.de`],
  ])('%s is stored as %s', (text, domain) => expect(normaliseDomain(text)).toBe(domain));

  it.each([
    '',
    'localhost',
    'de.',
    '10.0.0.1',
    '[::1]',
    '::1',
    'firma.1',
    'a..b.de',
    '-a.de',
    'a-.de',
    'a b.de',
    'a/b.de',
    'a.de:80',
    'a@b.de',
    `${'a'.repeat(64)}.de`,
    `${'a.'.repeat(121)}de`,
  ])('%j is none', (text) => expect(normaliseDomain(text)).toBeNull());

  it('of an address is what follows the last @', () => {
    expect(domainOf('erika@firma.example')).toBe('firma.example');
    expect(domainOf('a@b@firma.example')).toBe('firma.example');
    expect(domainOf('erika@münchen.example')).toBe('xn--mnchen-3ya.example');
    expect(domainOf('@firma.example')).toBeNull();
    expect(domainOf('firma.example')).toBeNull();
  });
});

describe('an address is vouched for', () => {
  it.each([
    [{ email_verified: true }, true],
    [{ email_verified: 'true' }, false],
    [{ email_verified: 1 }, false],
    [{}, false],
    [{ xms_edov: true }, false],
    [{ iss: 'https://login.microsoftonline.com/t/v2.0', xms_edov: true }, true],
    [{ iss: 'https://login.microsoftonline.com/t/v2.0', xms_edov: '1' }, true],
    [{ iss: 'https://login.microsoftonline.com/t/v2.0', xms_edov: false }, false],
    [{ iss: 'https://login.microsoftonline.com/t/v2.0' }, false],
    [{ iss: 'https://login.microsoftonline.com.example/t', xms_edov: true }, false],
  ])('%j: %s', (changes, expected) => expect(isEmailVerified(claims(changes))).toBe(expected));
});

describe('the name of a new user', () => {
  it.each([
    ['Erika Muster', 'Erika Muster'],
    ['  Erika\r\nMuster ', 'Erika Muster'],
    ['😀'.repeat(121), '😀'.repeat(120)],
    ['', null],
    [' \t ', null],
    ['\ud800', null],
    [7, null],
    [undefined, null],
  ])('%j is %j', (name, expected) => expect(nameOf(claims({ name }))).toBe(expected));
});

it('a proof may come in pieces, but must be whole', () => {
  expect(isProof([['zaehlwerk-', 'domain=abc']], 'abc')).toBe(true);
  expect(isProof([['zaehlwerk-domain=ab']], 'abc')).toBe(false);
  expect(isProof([['zaehlwerk-domain='], ['abc']], 'abc')).toBe(false);
  expect(isProof([['x zaehlwerk-domain=abc']], 'abc')).toBe(false);
});
