import { describe, expect, it } from 'vitest';
import { scopesOf } from './rules.ts';

describe('scopes of a new key', () => {
  it.each([
    [undefined, ['Senden', 'Lesen']],
    [null, ['Senden', 'Lesen']],
    [['Lesen'], ['Lesen']],
    [['Senden', 'Senden'], ['Senden']],
    [
      ['Lesen', 'Senden'],
      ['Senden', 'Lesen'],
    ],
  ] as const)('%j', (wished, scopes) => {
    expect(scopesOf(wished)).toEqual(scopes);
  });
});
