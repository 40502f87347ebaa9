/** German texts that come with the first page that is not the overview. */
import { alarme } from './alarme.ts';
import { anbindung, erststart } from './anbindung.ts';
import { benutzer, rollentext } from './benutzer.ts';
import { buchung } from './buchung.ts';
import { exportTexts } from './export.ts';
import { kuendigung } from './kuendigung.ts';
import { avv, branding } from './mandant.ts';
import { protokoll } from './protokoll.ts';
import { schluessel } from './schluessel.ts';
import { sicherheit } from './sicherheit.ts';
import { sso } from './sso.ts';

export const later = {
  alarme,
  anbindung,
  avv,
  benutzer,
  branding,
  buchung,
  erststart,
  export: exportTexts,
  kuendigung,
  protokoll,
  rollentext,
  schluessel,
  sicherheit,
  sso,
} as const;
