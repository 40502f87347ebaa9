import { describe, expect, it } from 'vitest';
import { ERROR_CODES, SSO_FEHLER } from '#contracts';
import { en } from '../../test/en.ts';
import { de } from './de.ts';

describe.each([
  ['German', de],
  ['English', en],
])('%s', (_language, { code }) => {
  it('has a sentence for every code of the service, and for no other', () => {
    expect(Object.keys(code).sort()).toEqual([...Object.keys(ERROR_CODES), ...SSO_FEHLER].sort());
    for (const sentence of Object.values(code)) expect(sentence).toMatch(/^\p{Lu}.*\.$/u);
  });
});
