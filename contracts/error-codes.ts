/**
 * Every stable code an error can carry, with when it occurs. The list is closed: another code does not compile. Its
 * sentence stands beside the code where it is thrown, in German and English; the cockpit has one of its own for each.
 */
export const ERROR_CODES = {
  // Any operation
  anfrage_ungueltig: 'The request cannot be understood as HTTP.',
  adresse_ungueltig: 'The address has broken percent-encoding.',
  zu_langsam: 'The request did not arrive within 30 seconds.',
  kopf_zu_gross: 'Address and headers together are larger than 16 KiB.',
  name_unbekannt:
    '`Host` is neither that of `BASE_URL` nor a name of the own machine, an IP address or one of `WEITERE_HOSTS`.',
  pfad_unbekannt: 'There is no such path.',
  methode_unbekannt: 'The path does not have this method; `Allow` names those it has.',
  nicht_gefunden: 'The object does not exist or belongs to another Mandant.',
  zu_gross:
    'The body is larger than the operation takes, before or after decompression, or holds too many values or names.',
  inhaltstyp_ungueltig: '`Content-Type` is no media type.',
  kodierung_unbekannt: '`Content-Encoding` is none of gzip, deflate, br.',
  kodierung_falsch: 'The body cannot be decompressed as `Content-Encoding` says.',
  ueberlastet: 'The service is busy; the same request may succeed after `Retry-After` seconds.',
  rechenzeit_verbraucht:
    'The requests of this key, session or Mandant have cost far more CPU time than they are worth; `Retry-After` says for how many seconds to wait.',
  kontingent_schluessel:
    'The key has used up its quota of a minute; `Retry-After` says for how many seconds to wait.',
  kontingent_mandant:
    'All keys of the Mandant together have used up its quota of a minute; `Retry-After` says for how many seconds to wait.',
  zaehlung_wartet:
    'Too many events wait to be counted: armed rules could not act in time; `Retry-After` says for how many seconds to wait.',
  anteil_verbraucht:
    'The Mandant has as many queries under way as its share of the service allows; `Retry-After` says for how many seconds to wait.',
  abfrage_zu_lang: 'The question takes longer than the service gives it; a smaller one may not.',
  datenbank_weg: 'The database does not answer; the same request may succeed after `Retry-After` seconds.',
  interner_fehler: 'Something went wrong that should not have; the log of the service has the reason.',
  // Credentials
  schluessel_ungueltig: 'The API key is missing, unknown or blocked.',
  bereich_fehlt: 'The API key lacks the scope.',
  nicht_angemeldet: 'There is no session, or it has ended.',
  verboten: 'The role of the user does not have the right.',
  zweiter_faktor_noetig: 'Operators need a second factor for this.',
  fremde_herkunft: 'A change that a page of another origin asked for.',
  // Login, passwords, second factor
  anmeldung_falsch: 'Unknown address, wrong password or disabled user: one answer for all.',
  code_noetig: 'The password is right; the code of the second factor is needed, too.',
  code_falsch: 'The code of the second factor is wrong or was used before.',
  zu_viele_versuche: 'Too many attempts; `Retry-After` says for how many seconds to wait.',
  anmeldung_zu_alt: 'For this the login must be younger than ten minutes; signing in again is enough.',
  lizenz_ausgeschoepft: 'The licence of the installation covers as many Mandanten as there are.',
  email_vergeben: 'There is a user with this address.',
  email_schon_bestaetigt: 'The address of the user is confirmed already.',
  passwort_falsch: 'The password is wrong.',
  passwort_fehlt: 'The user has no password; a reset link sets one.',
  zweiter_faktor_aktiv: 'The second factor is switched on already.',
  zweiter_faktor_nicht_begonnen: 'The set-up of the second factor has not been begun.',
  zweiter_faktor_fehlt: 'The second factor is not switched on.',
  link_ungueltig: 'The link never was, is used up or too old.',
  // Users, keys, settings
  einladung_ungueltig: 'The invitation never was, is used, withdrawn or too old.',
  letzter_inhaber: 'The last active inhaber has to stay.',
  kein_logo: 'No address of a logo is entered.',
  logo_nicht_ladbar: 'There is no PNG or JPEG of at most 512 KiB at the address of the logo.',
  post_unbestaetigt: 'Mail to others leaves once an inhaber of the Mandant has confirmed the own address.',
  post_ausgeschoepft:
    'As many mails to others as are meant to have left, or gone to the address; `Retry-After` says for how many seconds to wait.',
  empfang_entschieden: 'Somebody at the address has answered already.',
  kanal_nicht_eingerichtet: 'The alarm channel is not set up.',
  hoechstzahl_erreicht: 'There are as many of these as a Mandant may have; the sentence says how many.',
  kein_mailserver: 'No mail server is set up in this installation.',
  zu_viele_regeln: 'There are as many rules as a Mandant may have.',
  ansicht_name_vergeben: 'One of the own views has this name already.',
  antrag_entschieden: 'Somebody has granted or declined the request already.',
  ansichten_zu_viele: 'The user keeps as many views as possible.',
  // Licences
  sperrliste_voll: 'The revocation list cannot hold more licences.',
  schluessel_aktiv: 'The key is the one that signs; only another one can be withdrawn.',
  // Company account
  kein_firmenkonto: 'No company account belongs to the domain of the address.',
  anbieter_nicht_erreichbar: 'The identity provider does not answer, or is set up wrongly.',
  domain_vergeben: 'The domain is proven to be another Mandant’s.',
  dns_nicht_erreichbar: 'Name resolution does not answer.',
  // Packages
  buchung_nicht_eingerichtet: 'This installation cannot sell the package.',
  buchung_in_arbeit: 'Another request is booking a package right now.',
  schon_gebucht: 'A package is booked already; the customer portal changes it.',
  paketgrenze_erreicht: 'The package has no room for another user.',
  funktion_nicht_im_tarif: 'The package does not have this function.',
  paket_vom_betreiber: 'The operator decides about the package.',
  kein_kunde: 'No package has ever been booked.',
  zahlungsanbieter_weg: 'The payment provider does not answer.',
  zahlungsanbieter_lehnt_ab: 'The payment provider refused the request.',
  unterschrift_falsch: 'The signature of the payment provider is missing, wrong, or not of about now.',
  // Imports
  import_laeuft: 'Another import is being counted or taken back.',
  import_nicht_bereit: 'What is to be done with the import does not fit the point where it is.',
  // Prices
  neubepreisung_laeuft: 'Calls are being priced anew already.',
  neubepreisung_nicht_bereit: 'What is to be applied or ended is not at that point, or over.',
  preise_geaendert: 'The price book or the list has changed since it was worked out what would change.',
  preisbuch_veraltet: 'Somebody has changed the price book since it was read.',
  // Passing costs on
  endkunde_vorhanden: 'There is an end customer with this reference already.',
  endkunde_verkettet:
    'The target of the merger is merged itself or deleted, or others are merged into this end customer.',
  endkunde_offen:
    'The end customer has calls in months that are not closed, which the sentence names; `bestaetigt` deletes it none the less.',
  referenzen_zu_viele: 'As many references are merged into the end customer as possible.',
  buchhaltung_unvollstaendig:
    'Settings of accounting are missing that a booking batch needs; the sentence names them.',
  rechnung_vorhanden: 'There is an invoice of the provider with this number and amount already.',
  buchung_unmoeglich: 'A line cannot be booked as it is; the sentence names it.',
  monat_laeuft: 'The month is not over yet.',
  monat_offen: 'The month is not closed yet; its figures may change.',
  monat_geschlossen: 'The month is closed already.',
  monat_nicht_an_der_reihe: 'Months are closed in their order; the sentence names the next one.',
  rechnungen_zu_viele: 'There are as many invoices of the provider for the month as possible.',
  kein_kurs: 'No reference rate is known for the month of an invoice in USD, and none was given.',
  noch_nicht_gezaehlt: 'Calls that were received still wait to be counted.',
  // Runs
  suche_zu_lange: 'The search for runs takes longer than it may; a longer text or a shorter period may do.',
  // Protection
  zu_viele_rueckblicke: 'As many backtests of rules are under way as a Mandant may have at a time.',
  reservierungen_zu_viele:
    'As many reservations of the Mandant are open as possible; `Retry-After` says when to ask again.',
  vorfall_geschlossen: 'The incident is closed already.',
  // Events, export, cancellation
  schluessel_in_arbeit: 'A request with the same `Idempotency-Key` is under way.',
  export_laeuft: 'Another export is under way; `Retry-After` says when to ask again.',
  export_kein_platz: 'The disk of the service has no room for the archive now.',
  schon_gekuendigt: 'The account is cancelled already.',
  nicht_gekuendigt: 'The account is not cancelled.',
  frist_abgelaufen: 'The removal of the account can no longer be stopped.',
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;

/** The body of an error: a sentence in the language asked for, and its code. */
export interface ErrorBody {
  detail: string;
  code: ErrorCode;
}
