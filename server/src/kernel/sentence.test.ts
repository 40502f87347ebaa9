import { expect, it } from 'vitest';
import { languageOf } from './sentence.ts';

it.each([
  [undefined, 'de'],
  ['', 'de'],
  ['*', 'de'],
  ['fr, it;q=0.5', 'de'],
  ['de-DE,de;q=0.9,en;q=0.8', 'de'],
  ['en', 'en'],
  ['EN-us', 'en'],
  ['en-GB,en;q=0.9,de;q=0.8', 'en'],
  ['fr,en;q=0.5', 'en'],
  ['de;q=0.4, en;q=0.6', 'en'],
  ['de, en', 'de'],
  ['en;q=0', 'de'],
  ['en;q=viel', 'en'],
  [';;,,=', 'de'],
])('%s asks for %s', (header, language) => expect(languageOf(header)).toBe(language));
