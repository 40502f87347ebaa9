import type { ErrorCode, SsoFehler } from '#contracts';

/** Why a login by single sign-on led back to the login page. */
const sso = {
  sso_abgelaufen:
    'Die Anmeldung hat zu lange gedauert oder wurde noch einmal begonnen. Bitte beginnen Sie neu.',
  sso_browser: 'Die Anmeldung wurde in einem anderen Browser begonnen. Bitte beginnen Sie hier neu.',
  sso_abgebrochen: 'Der Anbieter hat die Anmeldung abgelehnt, oder sie wurde abgebrochen.',
  sso_nicht_erreichbar: 'Der SSO-Anbieter ist gerade nicht zu erreichen.',
  sso_antwort_ungueltig: 'Die Antwort des Anbieters ist ungültig. Bitte wenden Sie sich an Ihre Verwaltung.',
  sso_email_unbestaetigt:
    'Der Anbieter bestätigt Ihre E-Mail-Adresse nicht. Bitte wenden Sie sich an Ihre Verwaltung.',
  sso_domain_fremd: 'Die Domain Ihrer Adresse ist für Single Sign-on nicht freigegeben.',
  konto_woanders: 'Ihre Adresse gehört hier schon zu einer anderen Firma.',
  konto_deaktiviert: 'Ihr Zugang ist abgeschaltet. Bitte wenden Sie sich an Ihre Verwaltung.',
  konto_verknuepft:
    'Zu Ihrer Adresse gehört hier ein anderes Konto des Anbieters. Bitte wenden Sie sich an Ihre Verwaltung.',
  konto_passwort: 'Dieses Konto meldet sich nur mit Passwort an.',
} as const satisfies Record<SsoFehler, string>;

/** A sentence for every code of the service's errors. */
export const code = {
  ...sso,
  anfrage_ungueltig: 'Die Anfrage ist ungültig.',
  adresse_ungueltig: 'Die Adresse ist ungültig.',
  zu_langsam: 'Die Anfrage kam zu langsam an. Bitte versuchen Sie es noch einmal.',
  kopf_zu_gross: 'Die Anfrage hat eine zu lange Adresse oder zu viele Kopfzeilen.',
  name_unbekannt: 'Unter dieser Adresse ist der Dienst nicht eingerichtet; der Betreiber muss sie eintragen.',
  pfad_unbekannt: 'Diese Adresse kennt der Dienst nicht. Vielleicht ist er neuer; laden Sie die Seite neu.',
  methode_unbekannt: 'Das geht hier nicht. Vielleicht ist der Dienst neuer; laden Sie die Seite neu.',
  nicht_gefunden: 'Das gibt es nicht oder nicht mehr.',
  zu_gross: 'Das ist zu groß.',
  inhaltstyp_ungueltig: 'Den Inhalt der Anfrage kennt der Dienst nicht.',
  kodierung_unbekannt: 'Die Anfrage ist auf unbekannte Weise gepackt.',
  kodierung_falsch: 'Die Anfrage lässt sich nicht entpacken.',
  ueberlastet: 'Der Dienst ist gerade ausgelastet. Bitte versuchen Sie es gleich noch einmal.',
  anteil_verbraucht:
    'Ihr Konto hat gerade so viele Abfragen laufen, wie ihm zustehen. Bitte versuchen Sie es gleich noch einmal.',
  abfrage_zu_lang: 'Diese Abfrage dauert zu lange. Ein kürzerer Zeitraum oder ein engerer Filter hilft.',
  datenbank_weg: 'Die Datenbank antwortet gerade nicht. Bitte versuchen Sie es gleich noch einmal.',
  suche_zu_lange: 'Die Suche dauert zu lange. Suchen Sie nach mehr Zeichen oder in einem kürzeren Zeitraum.',
  interner_fehler: 'Das hätte nicht passieren dürfen. Bitte versuchen Sie es noch einmal.',
  schluessel_ungueltig: 'Der API-Schlüssel fehlt oder gilt nicht.',
  bereich_fehlt: 'Dem API-Schlüssel fehlt der nötige Bereich.',
  verboten: 'Dazu fehlt Ihnen das Recht.',
  zweiter_faktor_noetig: 'Als Betreiber brauchen Sie dafür einen zweiten Faktor.',
  kontingent_schluessel: 'Der Schlüssel hat sein Kontingent je Minute ausgeschöpft. Bitte warten Sie etwas.',
  zaehlung_wartet: 'Es wartet schon zu viel auf die Zählung. Bitte warten Sie etwas.',
  kontingent_mandant:
    'Alle Schlüssel zusammen haben das Kontingent je Minute ausgeschöpft. Bitte warten Sie etwas.',
  rechenzeit_verbraucht:
    'Die letzten Anfragen waren ungewöhnlich aufwendig. Bitte warten Sie einige Minuten.',
  zu_viele_versuche: 'Zu viele Versuche. Bitte warten Sie einige Minuten.',
  einladung_ungueltig: 'Diese Einladung gilt nicht mehr. Bitten Sie um eine neue.',
  hoechstzahl_erreicht: 'Mehr davon sind nicht möglich.',
  zu_viele_regeln: 'Mehr Regeln sind nicht möglich. Entfernen Sie zuerst eine andere.',
  antrag_entschieden: 'Über diesen Antrag ist schon entschieden.',
  ansicht_name_vergeben: 'Eine Ihrer Ansichten hat schon diesen Namen.',
  ansichten_zu_viele: 'Mehr Ansichten lassen sich nicht speichern. Entfernen Sie zuerst eine.',
  kein_logo: 'Es ist kein Logo eingetragen.',
  unterschrift_falsch: 'Die Unterschrift des Zahlungsanbieters stimmt nicht.',
  zu_viele_rueckblicke: 'Es laufen schon zu viele Rückblicke. Warten Sie, bis einer fertig ist.',
  import_laeuft:
    'Ein anderer Import wird gerade gezählt oder zurückgenommen. Warten Sie, bis das fertig ist.',
  import_nicht_bereit: 'Dafür ist dieser Import nicht an dem Punkt: Laden Sie die Seite neu.',
  neubepreisung_laeuft: 'Es wird schon neu bepreist. Warten Sie, bis das fertig ist.',
  neubepreisung_nicht_bereit: 'Dafür ist diese Neubepreisung nicht an dem Punkt: Laden Sie die Seite neu.',
  preise_geaendert: 'Die Preise haben sich seit der Vorschau geändert. Rechnen Sie sie neu aus.',
  preisbuch_veraltet:
    'Das Preisbuch wurde inzwischen geändert. Laden Sie es neu, damit nichts verloren geht.',
  reservierungen_zu_viele:
    'Es sind so viele Reservierungen offen wie möglich. Bitte versuchen Sie es gleich noch einmal.',
  vorfall_geschlossen: 'Der Vorfall ist schon geschlossen.',
  schluessel_in_arbeit: 'Dieselbe Anfrage wird gerade verarbeitet.',
  export_kein_platz:
    'Auf dem Datenträger des Dienstes ist gerade nicht genug Platz für dieses Archiv. Bitte wenden Sie sich an den Betreiber.',
  export_laeuft: 'Ein Export läuft schon. Bitte warten Sie, bis er fertig ist.',
  nicht_gekuendigt: 'Das Konto ist nicht gekündigt.',
  frist_abgelaufen: 'Die Frist ist abgelaufen; die Daten werden gelöscht.',
  anmeldung_falsch: 'E-Mail-Adresse oder Passwort stimmt nicht.',
  nicht_angemeldet: 'Die Sitzung ist abgelaufen. Bitte melden Sie sich an.',
  anmeldung_zu_alt: 'Bitte melden Sie sich dafür noch einmal an.',
  lizenz_ausgeschoepft:
    'Die Lizenz dieser Installation umfasst keinen weiteren Mandanten. Wenden Sie sich an den Betreiber.',
  schluessel_aktiv: 'Mit diesem Schlüssel wird unterschrieben; wechseln Sie ihn zuerst.',
  sperrliste_voll: 'Mehr Lizenzen kann die Sperrliste nicht aufnehmen.',
  email_vergeben:
    'Zu dieser E-Mail-Adresse gibt es schon ein Konto. Gehört sie Ihnen, kommen Sie mit „Passwort vergessen“ hinein.',
  email_schon_bestaetigt: 'Ihre E-Mail-Adresse ist schon bestätigt.',
  code_noetig: 'Bitte geben Sie den Code aus Ihrer Authenticator-App ein.',
  code_falsch: 'Der Code stimmt nicht oder wurde schon benutzt.',
  passwort_falsch: 'Das Passwort stimmt nicht.',
  passwort_fehlt: 'Sie haben noch kein Passwort.',
  zweiter_faktor_aktiv: 'Der zweite Faktor ist schon eingeschaltet.',
  zweiter_faktor_nicht_begonnen: 'Bitte beginnen Sie die Einrichtung noch einmal.',
  zweiter_faktor_fehlt: 'Der zweite Faktor ist nicht eingeschaltet.',
  link_ungueltig: 'Dieser Link gilt nicht mehr.',
  kein_firmenkonto: 'Zu dieser E-Mail-Adresse gibt es kein Single Sign-on.',
  anbieter_nicht_erreichbar: 'Der SSO-Anbieter ist nicht zu erreichen oder falsch eingerichtet.',
  letzter_inhaber: 'Der letzte aktive Inhaber muss bleiben. Machen Sie zuerst jemand anderen dazu.',
  logo_nicht_ladbar:
    'Unter der eingetragenen Adresse ist kein Logo zu laden: ein PNG oder JPEG von höchstens 512 KiB.',
  post_unbestaetigt:
    'Mails an andere gehen erst hinaus, wenn ein Inhaber seine E-Mail-Adresse bestätigt hat. Der Link steht in der Mail zur Registrierung; oben auf der Seite lässt er sich noch einmal schicken.',
  post_ausgeschoepft:
    'So viele Mails an andere, wie vorgesehen sind, sind schon gegangen. Bitte versuchen Sie es später noch einmal.',
  empfang_entschieden: 'An dieser Adresse hat schon jemand zugestimmt.',
  kanal_nicht_eingerichtet: 'Dieser Kanal ist nicht eingerichtet.',
  kein_mailserver: 'Hier ist kein Mailserver eingerichtet. Es geht keine Mail hinaus.',
  domain_vergeben:
    'Diese Domain gehört schon zu einem anderen Konto. Bitte wenden Sie sich an den Betreiber.',
  dns_nicht_erreichbar:
    'Die Namensauflösung antwortet gerade nicht. Bitte versuchen Sie es gleich noch einmal.',
  buchung_in_arbeit:
    'Der Tarif wird gerade an anderer Stelle gebucht. Bitte versuchen Sie es gleich noch einmal.',
  buchung_nicht_eingerichtet: 'Tarife lassen sich hier nicht buchen. Bitte wenden Sie sich an den Betreiber.',
  schon_gebucht: 'Sie haben schon einen Tarif gebucht. Ändern lässt er sich im Kundenportal.',
  funktion_nicht_im_tarif: 'Das gehört nicht zu Ihrem Tarif. Was eingerichtet ist, bleibt.',
  paketgrenze_erreicht: 'In Ihrem Tarif ist kein Platz für weitere Benutzer. Wer schon da ist, bleibt.',
  paket_vom_betreiber: 'Ihren Tarif legt der Betreiber fest.',
  kein_kunde: 'Sie haben noch keinen Tarif gebucht. Buchen Sie zuerst einen.',
  zahlungsanbieter_weg:
    'Der Zahlungsanbieter antwortet gerade nicht. Bitte versuchen Sie es gleich noch einmal.',
  zahlungsanbieter_lehnt_ab:
    'Der Zahlungsanbieter hat die Anfrage abgelehnt. Bitte wenden Sie sich an den Betreiber.',
  endkunde_vorhanden: 'Einen Endkunden mit dieser Referenz gibt es schon.',
  endkunde_verkettet:
    'Das Ziel ist selbst zusammengeführt oder entfernt, oder mit diesem Endkunden sind schon andere zusammengeführt. Lösen Sie das zuerst.',
  endkunde_offen: 'Dieser Endkunde hat Aufrufe in Monaten, die nicht abgeschlossen sind.',
  referenzen_zu_viele:
    'Mit diesem Endkunden sind schon so viele Referenzen zusammengeführt, wie möglich sind.',
  buchhaltung_unvollstaendig: 'Für den Buchungsstapel fehlen Angaben in den Einstellungen der Buchhaltung.',
  rechnung_vorhanden:
    'Diese Rechnung ist schon erfasst: derselbe Anbieter, Monat, Betrag und dieselbe Nummer.',
  buchung_unmoeglich: 'Eine Zeile lässt sich so nicht buchen.',
  monat_laeuft: 'Der Monat ist noch nicht vorbei.',
  monat_offen: 'Der Monat ist noch nicht abgeschlossen.',
  monat_geschlossen: 'Der Monat ist schon abgeschlossen.',
  monat_nicht_an_der_reihe: 'Monate werden der Reihe nach abgeschlossen.',
  noch_nicht_gezaehlt:
    'Es warten noch Aufrufe darauf, gezählt zu werden. Versuchen Sie es in ein paar Minuten wieder.',
  rechnungen_zu_viele:
    'Zu diesem Anbieter sind für den Monat schon so viele Rechnungen erfasst, wie möglich sind.',
  kein_kurs:
    'Für diesen Monat ist kein Referenzkurs bekannt. Geben Sie an, zu welchem Kurs die Rechnung bezahlt wurde.',
  schon_gekuendigt: 'Das Konto ist schon gekündigt.',
  fremde_herkunft: 'Die Anfrage kam von einer fremden Seite und wurde abgewiesen.',
} as const satisfies Record<ErrorCode | SsoFehler, string>;
