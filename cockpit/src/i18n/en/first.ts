/** English texts of the frame, the overview and what is beside it. A key that is missing or too many is a type error. */

import type { first as german } from '../de/first.ts';
import type { Texts } from '../de.ts';
import { ansicht } from './ansicht.ts';
import { ansichten } from './ansichten.ts';
import { begriffe } from './begriffe.ts';
import { einstellungen } from './einstellungen.ts';
import { katalog } from './katalog.ts';
import { shell } from './shell.ts';
import { verbrauch, zeitraum } from './verbrauch.ts';
import { bestaetigung, rolle, zugang } from './zugang.ts';

export const first: Texts<typeof german> = {
  ...shell,
  ansicht,
  ansichten,
  begriffe,
  bestaetigung,
  einstellungen,
  katalog,
  rolle,
  verbrauch,
  zeitraum,
  zugang,
};
