/** German texts that come with the first page that is not the overview, and the sentences of errors: the service sends its own. */
import { abgleich, berichte } from './abgleich.ts';
import { alarme } from './alarme.ts';
import { anbindung, erststart } from './anbindung.ts';
import { antraege } from './antraege.ts';
import { befunde } from './befunde.ts';
import { benutzer, rollentext } from './benutzer.ts';
import { betreiber } from './betreiber.ts';
import { buchhaltung } from './buchhaltung.ts';
import { buchung } from './buchung.ts';
import { budgets } from './budgets.ts';
import { codingAgents } from './coding-agents.ts';
import { csv } from './csv.ts';
import { eingriffe } from './eingriffe.ts';
import { exportTexts } from './export.ts';
import { code } from './fehler.ts';
import { kontingente } from './kontingente.ts';
import { kuendigung } from './kuendigung.ts';
import { laeufe } from './laeufe.ts';
import { lizenzen } from './lizenzen.ts';
import { avv, branding, kurse } from './mandant.ts';
import { neubepreisung } from './neubepreisung.ts';
import { post } from './post.ts';
import { preise } from './preise.ts';
import { profil } from './profil.ts';
import { protokoll } from './protokoll.ts';
import { quellen } from './quellen.ts';
import { regeln } from './regeln.ts';
import { schluessel } from './schluessel.ts';
import { sicherheit } from './sicherheit.ts';
import { sso } from './sso.ts';
import { weiterbelastung } from './weiterbelastung.ts';
import { weitereBegriffe } from './weitere-begriffe.ts';
import { zustand } from './zustand.ts';
import { zwilling } from './zwilling.ts';

export const later = {
  abgleich,
  alarme,
  anbindung,
  antraege,
  avv,
  befunde,
  begriffe: weitereBegriffe,
  benutzer,
  berichte,
  betreiber,
  branding,
  buchhaltung,
  buchung,
  budgets,
  code,
  codingAgents,
  csv,
  eingriffe,
  erststart,
  export: exportTexts,
  kontingente,
  kuendigung,
  kurse,
  laeufe,
  lizenzen,
  neubepreisung,
  post,
  preise,
  profil,
  protokoll,
  quellen,
  regeln,
  rollentext,
  schluessel,
  sicherheit,
  sso,
  weiterbelastung,
  zustand,
  zwilling,
} as const;
