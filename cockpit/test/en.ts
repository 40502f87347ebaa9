/** English: all of it. The cockpit loads it in parts, as it does German. */
import { first } from '../src/i18n/en/first.ts';
import { later } from '../src/i18n/en/later.ts';
import { office } from '../src/i18n/en/office.ts';

export const en = { ...first, ...later, ...office, begriffe: { ...first.begriffe, ...later.begriffe } };
