/** English. A key that is missing or too many is a type error. */
import type { Translation } from './de.ts';
import { abgleich, berichte } from './en/abgleich.ts';
import { alarme } from './en/alarme.ts';
import { anbindung, erststart } from './en/anbindung.ts';
import { ansicht } from './en/ansicht.ts';
import { ansichten } from './en/ansichten.ts';
import { antraege } from './en/antraege.ts';
import { befunde } from './en/befunde.ts';
import { begriffe } from './en/begriffe.ts';
import { benutzer, rollentext } from './en/benutzer.ts';
import { betreiber } from './en/betreiber.ts';
import { buchhaltung } from './en/buchhaltung.ts';
import { buchung } from './en/buchung.ts';
import { budgets } from './en/budgets.ts';
import { codingAgents } from './en/coding-agents.ts';
import { csv } from './en/csv.ts';
import { eingriffe } from './en/eingriffe.ts';
import { einstellungen } from './en/einstellungen.ts';
import { exportTexts } from './en/export.ts';
import { code } from './en/fehler.ts';
import { katalog } from './en/katalog.ts';
import { kontingente } from './en/kontingente.ts';
import { kuendigung } from './en/kuendigung.ts';
import { laeufe } from './en/laeufe.ts';
import { lizenzen } from './en/lizenzen.ts';
import { avv, branding, kurse } from './en/mandant.ts';
import { neubepreisung } from './en/neubepreisung.ts';
import { post } from './en/post.ts';
import { preise } from './en/preise.ts';
import { profil } from './en/profil.ts';
import { protokoll } from './en/protokoll.ts';
import { quellen } from './en/quellen.ts';
import { regeln } from './en/regeln.ts';
import { schluessel } from './en/schluessel.ts';
import { shell } from './en/shell.ts';
import { sicherheit } from './en/sicherheit.ts';
import { sso } from './en/sso.ts';
import { verbrauch, zeitraum } from './en/verbrauch.ts';
import { weiterbelastung } from './en/weiterbelastung.ts';
import { bestaetigung, rolle, zugang } from './en/zugang.ts';
import { zustand } from './en/zustand.ts';
import { zwilling } from './en/zwilling.ts';

export const en: Translation = {
  ...shell,
  abgleich,
  alarme,
  anbindung,
  ansicht,
  ansichten,
  avv,
  antraege,
  befunde,
  begriffe,
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
  einstellungen,
  erststart,
  export: exportTexts,
  katalog,
  kontingente,
  kuendigung,
  kurse,
  lizenzen,
  laeufe,
  neubepreisung,
  profil,
  post,
  preise,
  protokoll,
  quellen,
  regeln,
  rolle,
  rollentext,
  schluessel,
  sicherheit,
  sso,
  verbrauch,
  zeitraum,
  bestaetigung,
  weiterbelastung,
  zugang,
  zustand,
  zwilling,
};
