import { Secret } from 'otpauth';
import { describe, expect, it } from 'vitest';
import {
  isTotpCode,
  newRecoveryCodes,
  newSeed,
  normaliseCode,
  otpauthUri,
  recoveryHash,
  stepOf,
} from './second-factor.ts';

/** The seed of the examples in RFC 6238, appendix B; their last six digits. */
const SEED = Secret.fromLatin1('12345678901234567890').base32;
const at = (seconds: number) => new Date(seconds * 1000);

describe('TOTP', () => {
  it.each([
    [59, '287082', 1],
    [1_111_111_109, '081804', 37_037_036],
    [1_111_111_111, '050471', 37_037_037],
    [1_234_567_890, '005924', 41_152_263],
    [2_000_000_000, '279037', 66_666_666],
  ])('knows the code of RFC 6238 at second %i', (seconds, code, step) => {
    expect(stepOf(SEED, code, at(seconds))).toBe(step);
  });

  it('takes the step before and after, and names the step of the code, not of the clock', () => {
    expect(stepOf(SEED, '287082', at(29))).toBe(1);
    expect(stepOf(SEED, '287082', at(89))).toBe(1);
    expect(stepOf(SEED, '287082', at(90))).toBeNull();
    expect(stepOf(SEED, '287083', at(59))).toBeNull();
  });

  it.each(['٢٨٧٠٨٢', 'ÄÖÜÄÖÜ', '28708', '2870822', ''])('takes %j for a wrong code', (code) => {
    expect(stepOf(SEED, code, at(59))).toBeNull();
  });

  it('makes a new seed of 160 bits each time', () => {
    expect(newSeed()).toMatch(/^[A-Z2-7]{32}$/);
    expect(newSeed()).not.toBe(newSeed());
  });

  it('tells apps whose it is', () => {
    const uri = new URL(otpauthUri(SEED, 'anna@example.org'));
    expect(uri.protocol).toBe('otpauth:');
    expect(decodeURIComponent(uri.pathname)).toContain('Zählwerk:anna@example.org');
    expect(Object.fromEntries(uri.searchParams)).toEqual({
      issuer: 'Zählwerk',
      secret: SEED,
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    });
  });
});

describe('recovery codes', () => {
  it('are ten different ones of eight characters nobody mistakes', () => {
    const codes = newRecoveryCodes();
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) {
      expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{8}$/);
      expect(isTotpCode(code)).toBe(false);
    }
  });

  it('are the same however they are typed', () => {
    const hash = recoveryHash(SEED, 'AB01CD12');
    for (const typed of ['ab01-cd12', ' AB01 CD12 ', 'ab01–cd12', 'aboi-cdl2', 'ABO1CDI2'])
      expect(recoveryHash(SEED, normaliseCode(typed))).toEqual(hash);
    expect(recoveryHash(SEED, 'AB01CD13')).not.toEqual(hash);
  });

  it('cannot be tried out without the seed', () => {
    expect(recoveryHash(newSeed(), 'AB01CD12')).not.toEqual(recoveryHash(newSeed(), 'AB01CD12'));
  });
});
