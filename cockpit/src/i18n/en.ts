/** English: all of it, for tests. The cockpit loads it in parts, as it does German. */
import type { Translation } from './de.ts';
import { first } from './en/first.ts';
import { later } from './en/later.ts';
import { office } from './en/office.ts';

export const en: Translation = {
  ...first,
  ...later,
  ...office,
  begriffe: { ...first.begriffe, ...later.begriffe },
};
