/**
 * Who may call which operation, written down by hand and apart from the code that decides it: every operation of the
 * description stands here, and nothing else.
 */
import type { OperationId, Rolle, Scope, Static } from '#contracts';

export type Role = Static<typeof Rolle>;

/** Anybody; users in these roles; keys with one of these scopes. */
export type Grant = 'public' | { roles: readonly Role[] } | { keys: readonly Scope[] };

const EVERYBODY = { roles: ['inhaber', 'verwalter', 'bearbeiter', 'buchhaltung', 'betrachter'] } as const;
const EDITORS = { roles: ['inhaber', 'verwalter', 'bearbeiter'] } as const;
const ACCOUNTANTS = { roles: ['inhaber', 'verwalter', 'buchhaltung'] } as const;
const ADMINISTRATORS = { roles: ['inhaber', 'verwalter'] } as const;
const OWNERS = { roles: ['inhaber'] } as const;
const SENDING = { keys: ['Senden'] } as const;
const READING = { keys: ['Lesen'] } as const;
const ANY_KEY = { keys: ['Senden', 'Lesen'] } as const;

export const RIGHTS: Record<OperationId, Grant> = {
  'alarme.einstellungen_lesen': ADMINISTRATORS,
  'alarme.einstellungen_setzen': ADMINISTRATORS,
  'alarme.geheimnis_erneuern': ADMINISTRATORS,
  'alarme.liste': EVERYBODY,
  'alarme.probe': ADMINISTRATORS,
  'alarme.zustellung_wiederholen': ADMINISTRATORS,
  'anbindung.erststart': EVERYBODY,
  'anbindung.pruefen': ANY_KEY,
  'anbindung.seite': EVERYBODY,
  'befunde.einer': EVERYBODY,
  'befunde.liste': EVERYBODY,
  'befunde.status_setzen': EDITORS,
  'befunde.vorfaelle': EVERYBODY,
  'befunde.vorfall_schliessen': EDITORS,
  'benutzer.aendern': ADMINISTRATORS,
  'benutzer.einladen': ADMINISTRATORS,
  'benutzer.einladung': 'public',
  'benutzer.einladung_annehmen': 'public',
  'benutzer.einladung_zurueckziehen': ADMINISTRATORS,
  'benutzer.entfernen': ADMINISTRATORS,
  'benutzer.liste': ADMINISTRATORS,
  'buchung.buchen': OWNERS,
  'buchung.lizenz': EVERYBODY,
  'buchung.portal': OWNERS,
  'buchung.zahlung_empfangen': 'public',
  'budgets.agent_setzen': EDITORS,
  'budgets.liste': EVERYBODY,
  'budgets.projekt_setzen': EDITORS,
  'budgets.pruefen': EDITORS,
  'detektoren.pruefen': EDITORS,
  'eingriffe.aktiv': ANY_KEY,
  'eingriffe.anlegen': EDITORS,
  'eingriffe.aufheben': EDITORS,
  'eingriffe.liste': EVERYBODY,
  'ereignisse.annehmen': SENDING,
  'export.alles': ACCOUNTANTS,
  'katalog.agent_aendern': EDITORS,
  'katalog.agent_schutz': EDITORS,
  'katalog.agenten': READING,
  'katalog.projekte': EVERYBODY,
  'kuendigung.kuendigen': OWNERS,
  'laeufe.cockpit_einer': EVERYBODY,
  'laeufe.cockpit_liste': EVERYBODY,
  'laeufe.einer': READING,
  'laeufe.liste': READING,
  'lizenzen.sperrliste': 'public',
  'mandant.alarme_setzen': ADMINISTRATORS,
  'mandant.avv_akzeptieren': ADMINISTRATORS,
  'mandant.branding_logo': EVERYBODY,
  'mandant.branding_setzen': ADMINISTRATORS,
  'mandant.konto_lesen': EVERYBODY,
  'protokoll.lesen': ADMINISTRATORS,
  'regeln.aendern': EDITORS,
  'regeln.anlegen': EDITORS,
  'regeln.entfernen': EDITORS,
  'regeln.liste': EVERYBODY,
  'regeln.typen': EVERYBODY,
  'schluessel.anlegen': ADMINISTRATORS,
  'schluessel.sperren': ADMINISTRATORS,
  'sso.anbieter': 'public',
  'sso.callback': 'public',
  'sso.domain_pruefen': ADMINISTRATORS,
  'sso.entfernen': ADMINISTRATORS,
  'sso.lesen': ADMINISTRATORS,
  'sso.setzen': ADMINISTRATORS,
  'sso.start': 'public',
  'system.gesund': 'public',
  'system.status': 'public',
  'verbrauch.agent': EVERYBODY,
  'verbrauch.agenten': EVERYBODY,
  'verbrauch.api': READING,
  'verbrauch.auffaelliges': EVERYBODY,
  'verbrauch.cockpit': EVERYBODY,
  'verbrauch.uebersicht': EVERYBODY,
  'verbrauch.uebersicht_tag': READING,
  'zugang.abmelden': 'public',
  'zugang.andere_sitzungen_beenden': EVERYBODY,
  'zugang.anmelden': 'public',
  'zugang.email_bestaetigen': EVERYBODY,
  'zugang.email_bestaetigung_senden': EVERYBODY,
  'zugang.ich': EVERYBODY,
  'zugang.passwort_aendern': EVERYBODY,
  'zugang.passwort_neu': 'public',
  'zugang.passwort_vergessen': 'public',
  'zugang.profil_aendern': EVERYBODY,
  'zugang.registrieren': 'public',
  'zugang.sitzung_beenden': EVERYBODY,
  'zugang.sitzungen': EVERYBODY,
  'zugang.zweiter_faktor_bestaetigen': EVERYBODY,
  'zugang.zweiter_faktor_einrichten': EVERYBODY,
  'zugang.zweiter_faktor_entfernen': EVERYBODY,
};
