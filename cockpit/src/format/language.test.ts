import { expect, it } from 'vitest';
import { preferredLanguage } from './language.ts';

it.each([
  [[], 'de'],
  [['fr-FR', 'it'], 'de'],
  [['de-AT', 'en'], 'de'],
  [['en-GB', 'de'], 'en'],
  [['fr', 'EN-us', 'de'], 'en'],
])('%j reads %s', (languages, expected) => expect(preferredLanguage(languages)).toBe(expected));
