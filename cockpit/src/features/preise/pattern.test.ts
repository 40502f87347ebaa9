import { describe, expect, it } from 'vitest';
import { fits, fitting } from './pattern.ts';

describe('fits', () => {
  it.each([
    ['gpt-4o', 'GPT-4o'],
    ['gpt-4o*', 'gpt-4o'],
    ['gpt-*-mini', 'gpt-4o-mini'],
    ['*', 'irgendwas'],
    ['*4*o*', 'gpt-4o'],
    [' gpt-4o ', 'gpt-4o'],
  ])('%j fits %j', (pattern, name) => expect(fits(pattern, name)).toBe(true));

  it.each([
    ['gpt-4o', 'gpt-4o-mini'],
    ['gpt.4o', 'gpt-4o'],
    ['ab*ba', 'aba'],
    ['', 'gpt-4o'],
    ['*mini*mini', 'gpt-4o-mini'],
  ])('%j does not fit %j', (pattern, name) => expect(fits(pattern, name)).toBe(false));
});

it('an entry fits the models of its provider, or of any', () => {
  const models = [
    { modell: 'gpt-4o', anbieter: 'openai' },
    { modell: 'gpt-4o', anbieter: 'azure' },
    { modell: 'gpt-4o', anbieter: null },
  ];
  expect(fitting({ modell: 'gpt*', anbieter: 'Azure' }, models)).toEqual([models[1]]);
  expect(fitting({ modell: 'gpt*', anbieter: '' }, models)).toEqual(models);
});
