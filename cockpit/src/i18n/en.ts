/** English. A key that is missing or too many is a type error. */
import type { Translation } from './de.ts';
import { anbindung, erststart } from './en/anbindung.ts';
import { katalog } from './en/katalog.ts';
import { laeufe } from './en/laeufe.ts';
import { shell } from './en/shell.ts';
import { verbrauch, zeitraum } from './en/verbrauch.ts';
import { rolle, zugang } from './en/zugang.ts';

export const en: Translation = {
  ...shell,
  anbindung,
  erststart,
  katalog,
  laeufe,
  rolle,
  verbrauch,
  zeitraum,
  zugang,
};
