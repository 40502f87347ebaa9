/** English texts that come with the first page of billing, of settings, of operators, or before the login; held by type, too. */

import type { office as german } from '../de/office.ts';
import type { Texts } from '../de.ts';
import { abgleich, berichte } from './abgleich.ts';
import { alarme } from './alarme.ts';
import { benutzer, rollentext } from './benutzer.ts';
import { betreiber } from './betreiber.ts';
import { buchhaltung } from './buchhaltung.ts';
import { buchung } from './buchung.ts';
import { exportTexts } from './export.ts';
import { kuendigung } from './kuendigung.ts';
import { lizenzen } from './lizenzen.ts';
import { avv, branding, kurse } from './mandant.ts';
import { post } from './post.ts';
import { profil } from './profil.ts';
import { protokoll } from './protokoll.ts';
import { sicherheit } from './sicherheit.ts';
import { sso } from './sso.ts';
import { weiterbelastung } from './weiterbelastung.ts';
import { zustand } from './zustand.ts';

export const office: Texts<typeof german> = {
  abgleich,
  alarme,
  avv,
  benutzer,
  berichte,
  betreiber,
  branding,
  buchhaltung,
  buchung,
  export: exportTexts,
  kuendigung,
  kurse,
  lizenzen,
  post,
  profil,
  protokoll,
  rollentext,
  sicherheit,
  sso,
  weiterbelastung,
  zustand,
};
