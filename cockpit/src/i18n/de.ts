/** German, the source of every text. */
import { anbindung, erststart } from './de/anbindung.ts';
import { katalog } from './de/katalog.ts';
import { laeufe } from './de/laeufe.ts';
import { shell } from './de/shell.ts';
import { verbrauch, zeitraum } from './de/verbrauch.ts';
import { rolle, zugang } from './de/zugang.ts';

export const de = {
  ...shell,
  anbindung,
  erststart,
  katalog,
  laeufe,
  rolle,
  verbrauch,
  zeitraum,
  zugang,
} as const;

type Texts<T> = { [K in keyof T]: T[K] extends string ? string : Texts<T[K]> };

/** What a translation must fill: the same keys, any text. */
export type Translation = Texts<typeof de>;
