/** German, the source of every text. */
import { alarme } from './de/alarme.ts';
import { anbindung, erststart } from './de/anbindung.ts';
import { ansicht } from './de/ansicht.ts';
import { ansichten } from './de/ansichten.ts';
import { begriffe } from './de/begriffe.ts';
import { benutzer, rollentext } from './de/benutzer.ts';
import { buchung } from './de/buchung.ts';
import { einstellungen, profil } from './de/einstellungen.ts';
import { exportTexts } from './de/export.ts';
import { code } from './de/fehler.ts';
import { katalog } from './de/katalog.ts';
import { kuendigung } from './de/kuendigung.ts';
import { laeufe } from './de/laeufe.ts';
import { avv, branding } from './de/mandant.ts';
import { protokoll } from './de/protokoll.ts';
import { schluessel } from './de/schluessel.ts';
import { shell } from './de/shell.ts';
import { sicherheit } from './de/sicherheit.ts';
import { sso } from './de/sso.ts';
import { verbrauch, zeitraum } from './de/verbrauch.ts';
import { bestaetigung, rolle, zugang } from './de/zugang.ts';

export const de = {
  ...shell,
  alarme,
  anbindung,
  ansicht,
  ansichten,
  avv,
  begriffe,
  benutzer,
  branding,
  buchung,
  code,
  einstellungen,
  erststart,
  export: exportTexts,
  katalog,
  kuendigung,
  laeufe,
  profil,
  protokoll,
  rolle,
  rollentext,
  schluessel,
  sicherheit,
  sso,
  verbrauch,
  zeitraum,
  bestaetigung,
  zugang,
} as const;

type Texts<T> = { [K in keyof T]: T[K] extends string ? string : Texts<T[K]> };

/** What a translation must fill: the same keys, any text. */
export type Translation = Texts<typeof de>;
