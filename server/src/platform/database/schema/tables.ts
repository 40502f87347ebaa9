// biome-ignore-all format: made by `npm run tables` from the migrated schema; do not edit
import type { Generated, GeneratedAlways } from 'kysely';

/**
 * The tables as the migrations leave them. Exact decimals are text, instants ISO 8601 in UTC, days `YYYY-MM-DD`; counts beyond
 * 2^53 are text (`toCount` reads both).
 */
export interface Tables {
  abrechnung_dokumente: {
    mandant_id: string;
    monat: string;
    referenz: string;
    pdf: Buffer;
    sha256: string;
    ausgegeben_am: string;
  };
  abrechnung_versendungen: {
    mandant_id: string;
    versendung_id: string;
    monat: string;
    referenz: string;
    email: string;
    status: string;
    angefordert_am: string;
    angefordert_von: string | null;
    erledigt_am: string | null;
    fehlgrund: string | null;
    post_id: string | null;
    uebergeben_am: string | null;
    sha256: string | null;
  };
  abrechnungsmonate: {
    mandant_id: string;
    monat: string;
    zeitzone: string;
    verbranntes_berechnen: boolean;
    aufschlag_ausweisen: boolean;
    steuersatz_prozent: string | null;
    geschlossen_am: string;
    geschlossen_von: string | null;
    stand: string;
    zuordnung: unknown;
    anteile_bekannt: Generated<boolean>;
    buchhaltung: unknown;
    absender: unknown;
    logo: Buffer | null;
  };
  abrechnungszeilen: {
    mandant_id: string;
    monat: string;
    bezug: string;
    referenz: string;
    name: string | null;
    kostenstelle: string | null;
    debitorenkonto: string | null;
    aufschlag_prozent: string;
    aufrufe: number | string;
    unbepreist: number | string;
    teilbepreist: number | string;
    kosten_eur: string | null;
    verbranntes_geld_eur: string;
    abrechenbar_eur: string | null;
    betrag_eur: string | null;
    posten: unknown;
    zahler: string | null;
    anteile: unknown;
    berichtigung: unknown;
  };
  agenten: {
    mandant_id: string;
    agent_id: Generated<string>;
    schluessel: string;
    name: string;
    projekt: string;
    projekt_fest: Generated<boolean>;
    budget_eur: string | null;
    eingriffsstufe: string | null;
    ruhezeit: string | null;
    erstellt_am: Generated<string>;
    letzter_aufruf_am: string | null;
    budget_bei_erreichen: string | null;
  };
  alarm_einstellungen: {
    mandant_id: string;
    sprache: Generated<'de' | 'en'>;
    ruhe_von: string | null;
    ruhe_bis: string | null;
    ruhe_tage: Generated<number[]>;
    sammeln: Generated<'sofort' | 'stuendlich' | 'taeglich'>;
    sammeln_um: Generated<string>;
    geheimnisse: Buffer | null;
    naechste_sammlung: string | null;
    zuletzt_gemeldet_am: string | null;
  };
  alarm_zustellungen: {
    mandant_id: string;
    zustellung_id: string;
    alarm_id: string;
    kanal: 'email' | 'chatA_webhook' | 'chatB_webhook' | 'push_url' | 'webhook_url';
    status: 'wartet' | 'zugestellt' | 'aufgegeben' | 'entfallen';
    versuche: Generated<number>;
    antwort_status: number | null;
    fehler_de: string | null;
    fehler_en: string | null;
    frist: string;
    erstellt_am: string;
    versucht_am: string | null;
  };
  alarme: {
    mandant_id: string;
    alarm_id: string;
    art: 'alarm' | 'entwarnung' | 'sammlung';
    ursache: string;
    stufe: string;
    titel_de: string;
    titel_en: string;
    text_de: string;
    text_en: string;
    pfad: string;
    zeitpunkt: Generated<string>;
    verteilt_am: string | null;
    gehalten_bis: string | null;
    sammlung_id: string | null;
    betrag_eur: string | null;
  };
  alarmkanaele: {
    mandant_id: string;
    email: string[];
    adressen: Buffer;
  };
  anbieter_rechnungen: {
    mandant_id: string;
    rechnung_id: string;
    monat: string;
    anbieter: string;
    betrag: string;
    waehrung: string;
    kurs: string;
    rechnungsnummer: string | null;
    notiz: string | null;
    erfasst_am: string;
    erfasst_von: string | null;
  };
  ansichten: {
    mandant_id: string;
    benutzer_id: string;
    ansicht_id: string;
    name: string;
    pfad: string;
    suche: string;
    erstellt_am: string;
    geaendert_am: string;
  };
  antraege: {
    mandant_id: string;
    antrag_id: string;
    schluessel_id: string;
    art: string;
    objekt_art: string;
    objekt: string;
    bezeichnung: string;
    bisher_eur: string | null;
    wunsch_eur: string | null;
    begruendung: string;
    status: string;
    angelegt_am: string;
    entschieden_am: string | null;
    entschieden_von: string | null;
    gewaehrt_eur: string | null;
    antwort: string | null;
  };
  aufbewahrung: {
    eine: Generated<boolean>;
    annahme_ab: string | null;
    annahme_seit: Generated<string>;
    ereignisse_ab: string | null;
    kennungen_ab: string | null;
  };
  auftraege: {
    mandant_id: string;
    auftrag_id: string;
    job: string;
    fassung: number;
    nutzlast: unknown;
    geplant: Generated<boolean>;
    erstellt_am: Generated<string>;
    faellig_am: Generated<string>;
    versuche: Generated<number>;
    fehler: string | null;
    aufgegeben_am: string | null;
    bearbeiter: number | null;
  };
  befunde: {
    mandant_id: string;
    befund_id: string;
    schluessel: string;
    typ: string;
    regel_id: string | null;
    objekt_art: string;
    objekt: string;
    agent: string | null;
    lauf_id: string | null;
    fenster_beginn: string;
    stufe: string;
    schatten: boolean;
    status: Generated<string>;
    werte: unknown;
    kosten_eur: string | null;
    verbrannt_eur: string | null;
    potential_eur: string | null;
    vorfall_id: string;
    alarm_am: string | null;
    erkannt_am: string;
    geaendert_am: string;
    gesagt_eur: string | null;
    gesagt_anzahl: string | null;
    gesagt_mal: number | null;
    gesagt_im_vorfall: number | string | null;
  };
  benutzer: {
    mandant_id: string;
    benutzer_id: string;
    email: string;
    name: string | null;
    passwort_hash: string | null;
    rolle: 'inhaber' | 'verwalter' | 'bearbeiter' | 'buchhaltung' | 'betrachter';
    aktiv: Generated<boolean>;
    erstellt_am: Generated<string>;
    email_bestaetigt_am: string | null;
    email_verloren_am: string | null;
    sprache: 'de' | 'en' | null;
    zeitzone: string | null;
  };
  bericht_abos: {
    mandant_id: string;
    benutzer_id: string;
    eingeschaltet_am: string;
  };
  bericht_versendungen: {
    mandant_id: string;
    benutzer_id: string;
    woche: string;
    versendet_am: string;
  };
  betreiber: {
    mandant_id: string;
    benutzer_id: string;
  };
  betreiberprotokoll: {
    eintrag_id: string;
    zeitpunkt: string;
    akteur_art: 'benutzer' | 'system' | 'betreiber';
    akteur_mandant: string | null;
    akteur_id: string | null;
    akteur_name: string | null;
    aktion: string;
    mandant: string | null;
    objekt_art: string;
    objekt_id: string | null;
    objekt_name: string | null;
    vorher: unknown;
    nachher: unknown;
    adresse: string | null;
  };
  buchhaltung_einstellungen: {
    mandant_id: string;
    beraternummer: number | null;
    mandantennummer: number | null;
    wirtschaftsjahr_beginn: Generated<number>;
    sachkontenlaenge: Generated<number>;
    kontenrahmen: string | null;
    sammelkonto: string | null;
    erloeskonto: string | null;
    bu_schluessel: string | null;
    steuersatz_prozent: string | null;
    festschreibung: Generated<boolean>;
    diktatkuerzel: string | null;
    bezeichnung: string | null;
    verbranntes_berechnen: Generated<boolean>;
    aufschlag_ausweisen: Generated<boolean>;
  };
  buchungen: {
    mandant_id: string;
    kunde: string;
    abonnement: string | null;
    bezahlseite: string | null;
    bezahlseite_paket: string | null;
    lesung: Generated<number | string>;
    stand: Generated<number | string>;
  };
  budgets: {
    mandant_id: string;
    objekt_art: string;
    objekt: string;
    budget_eur: string;
    bei_erreichen: string;
  };
  drosselung: {
    key: string;
    points: Generated<number>;
    expire: number | string | null;
  };
  eingang: {
    mandant_id: string;
    eingang_id: string;
    empfangen_am: string;
    schluessel_id: string;
    projekt: string | null;
    anzahl: number;
    umfang: number;
    daten: Buffer;
    aendert: Generated<boolean>;
    import_id: string | null;
  };
  eingang_unzaehlbar: {
    mandant_id: string;
    eingang_id: string;
    empfangen_am: string;
    schluessel_id: string;
    projekt: string | null;
    anzahl: number;
    umfang: number;
    daten: Buffer;
    grund: string;
    erkannt_am: Generated<string>;
    import_id: string | null;
  };
  eingriffe: {
    mandant_id: string;
    eingriff_id: string;
    stufe: string;
    objekt_art: string;
    objekt: string;
    agent: string | null;
    schatten: boolean;
    regel_id: string | null;
    befund_id: string | null;
    grund_de: string;
    grund_en: string;
    veranlasst_von: string | null;
    beginn: string;
    bis: string | null;
    aufgehoben_am: string | null;
    aufgehoben_von: string | null;
    missachtet: Generated<number | string>;
    abgerufen_am: string | null;
    abgerufen_von: string | null;
    aufgehoben_grund: string | null;
    gnade_bis: string | null;
    gnade_aufrufe: number | string | null;
    gnade_kosten_eur: string | null;
  };
  einladungen: {
    mandant_id: string;
    einladung_id: string;
    hash: Buffer;
    email: string;
    rolle: 'inhaber' | 'verwalter' | 'bearbeiter' | 'buchhaltung' | 'betrachter';
    eingeladen_von: string | null;
    erstellt_am: string;
    gueltig_bis: string;
  };
  email_bestaetigungen: {
    mandant_id: string;
    benutzer_id: string;
    hash: Buffer;
    erstellt_am: string;
    gueltig_bis: string;
  };
  endkunden: {
    mandant_id: string;
    endkunde_id: Generated<string>;
    referenz: string;
    name: string | null;
    erstellt_am: Generated<string>;
    kostenstelle: string | null;
    debitorenkonto: string | null;
    email: string | null;
    aufschlag_prozent: Generated<string>;
    gehoert_zu: string | null;
    entfernt_am: string | null;
  };
  ereignis_kennungen: {
    mandant_id: string;
    ereignis_id: string;
    gezaehlt_am: Generated<string>;
  };
  ereignisse: {
    mandant_id: string;
    ereignis_id: string;
    zeitpunkt: string;
    empfangen_am: string;
    anbieter: string | null;
    modell: string | null;
    agent: string;
    projekt: string;
    lauf_id: string | null;
    schritt_nr: number | string | null;
    eltern_span: string | null;
    eingabe_token: number | string | null;
    ausgabe_token: number | string | null;
    cache_lese_token: number | string | null;
    cache_schreib_token: number | string | null;
    denk_token: number | string | null;
    eingabe_ohne_cache: number | string | null;
    ausgabe_gesamt: number | string | null;
    werkzeugaufrufe: number | string | null;
    latenz_ms: number | string | null;
    erste_zeichen_ms: number | string | null;
    status: string;
    fehlercode: string | null;
    geschaetzt: boolean;
    prompt_fingerabdruck: Buffer | null;
    werkzeug_fingerabdruck: Buffer | null;
    endkunde_ref: string | null;
    funktion_ref: string | null;
    benutzer_ref: string | null;
    quelle: string;
    zusatz: unknown;
    kosten_usd: string | null;
    kurs_usd_eur: string;
    kosten_eur: GeneratedAlways<string | null>;
    preis_quelle: string | null;
    wiederholung: Generated<boolean>;
    teilbepreist: Generated<boolean>;
    ersatzkurs: Generated<boolean>;
    schluessel_id: string | null;
  };
  gemeldete_kosten: {
    mandant_id: string;
    tag: string;
    anbieter: string;
    aufrufe: number | string;
    verglichen: number | string;
    gemeldet_eur: string;
    liste_eur: string;
  };
  gemeldete_kosten_tage: {
    mandant_id: string;
    tag: string;
    geaendert: number | string;
    preisbuch: number | string | null;
  };
  idempotenz: {
    mandant_id: string;
    operation: string;
    schluessel: Buffer;
    anfrage_hash: Buffer;
    antwort: string;
    erstellt_am: Generated<string>;
  };
  import_aufrufe: {
    mandant_id: string;
    ereignis_id: string;
    import_id: string;
    zeitpunkt: string;
  };
  import_teile: {
    mandant_id: string;
    import_id: string;
    nr: number;
    anzahl: number;
    umfang: number;
    daten: Buffer;
    bekannt: number;
    von: string;
    bis: string;
    modelle: unknown;
    monate: unknown;
    bekannt_telemetrie: Generated<number>;
  };
  importe: {
    mandant_id: string;
    import_id: string;
    status: string;
    datei: string;
    groesse: number | string;
    schluessel_id: string;
    projekt: string | null;
    zeitzone: string;
    sha256: string | null;
    dienst: string | null;
    zeilen: number | string | null;
    ausgelassen: unknown;
    kosten_usd: string | null;
    aufrufe: Generated<number | string>;
    bekannt: Generated<number | string>;
    von: string | null;
    bis: string | null;
    modelle: unknown;
    monate: unknown;
    uebergeben: Generated<number | string>;
    gezaehlt: Generated<number | string>;
    angenommen: Generated<number | string>;
    zurueckgenommen: Generated<number | string>;
    geblieben: number | string | null;
    angelegt_am: string;
    angelegt_von: string | null;
    angewendet_am: string | null;
    angewendet_von: string | null;
    beendet_am: string | null;
    zurueckgenommen_am: string | null;
    zurueckgenommen_von: string | null;
    bekannt_telemetrie: Generated<number | string>;
    schon_da_telemetrie: Generated<number | string>;
  };
  kontingentstaende: {
    konto: string;
    art: 'senden' | 'lesen' | 'ereignisse';
    bis: string;
  };
  laeufe: {
    mandant_id: string;
    lauf_id: string;
    agent: string;
    projekt: string;
    endkunde_ref: string | null;
    status: string;
    beginn: string;
    ende: string;
    letzter_schritt: number | string | null;
    aufrufe: number | string;
    fehler: number | string;
    unbepreist: number | string;
    eingabe_token: string;
    ausgabe_token: string;
    cache_lese_token: string;
    kosten_usd: string | null;
    kosten_eur: string | null;
    verbranntes_geld_eur: string;
    cache_schreib_token: string | null;
    denk_token: string | null;
    fertig_ms: number | string | null;
    teilbepreist: Generated<number | string>;
    ersatz_eur: Generated<string>;
    eingabe_ohne_cache: Generated<string>;
    ausgabe_gesamt: Generated<string>;
    aufgeteilt: Generated<number | string>;
    eltern_lauf: string | null;
    fassung: Generated<number>;
    ende_minute: GeneratedAlways<string | null>;
  };
  lizenz_einsaetze: {
    fingerabdruck: string;
    seit: string;
    zuletzt_am: string;
  };
  lizenz_schluessel: {
    nummer: number;
    verschluesselt: Buffer | null;
    kid: string | null;
    aktiv: boolean;
    erstellt_am: Generated<string>;
    zurueckgezogen_am: string | null;
  };
  lizenz_sperren: {
    lizenz_id: string;
    fingerabdruck: string;
    grund: string;
    gesperrt_am: Generated<string>;
  };
  lizenzen: {
    lizenz_id: string;
    fingerabdruck: string;
    kunde: string;
    paket: string;
    gueltig_bis: string | null;
    mandanten: number;
    kid: string;
    ausgestellt_am: string;
    ausgestellt_von: string | null;
  };
  loeschbelege: {
    beleg_id: string;
    mandant: string;
    gekuendigt_am: string;
    begonnen_am: string;
    beendet_am: string | null;
    zeilen: unknown;
  };
  mandanten: {
    mandant_id: string;
    firma: string;
    paket: string;
    paket_bis: string | null;
    status: Generated<'aktiv' | 'gekündigt'>;
    zeitzone: string;
    avv_akzeptiert_am: string | null;
    demo: Generated<boolean>;
    erstellt_am: Generated<string>;
    gekuendigt_am: string | null;
    loeschung: 'erinnert' | 'begonnen' | null;
    avv_akzeptiert_von: string | null;
    avv_fassung: string | null;
    abrechnungsstatus: Generated<'keine' | 'aktiv' | 'probe' | 'zahlung_offen' | 'gekündigt'>;
    paket_quelle: Generated<'frei' | 'buchung' | 'lizenz' | 'betreiber'>;
    betreiber_notiz: string | null;
    branding_name: string | null;
    branding_farbe: string | null;
    branding_logo_url: string | null;
    branding_fusszeile: string | null;
    regeln_angelegt_am: string | null;
    ersatzkurs_ersetzen: Generated<boolean>;
    anfragen_je_minute: number | null;
    ereignisse_je_minute: number | null;
    grenze_gemeldet: string | null;
    geldgrenzen_bestaetigt_am: string | null;
    abo_weiterbelasten: Generated<boolean>;
    endkunde_namen: Generated<string[]>;
    funktion_namen: Generated<string[]>;
    projekt_namen: Generated<string[]>;
    regeln_nachgereicht: Generated<string[]>;
    eigene_merkmale: Generated<unknown>;
  };
  merkmale: {
    mandant_id: string;
    merkmal_id: number;
    dimension: number;
    text: string;
  };
  neubepreisung_zeilen: {
    mandant_id: string;
    neubepreisung_id: string;
    monat: string;
    agent: string;
    geaendert: number | string;
    alt_usd: string;
    neu_usd: string;
    differenz_eur: string;
    unbepreist: number | string;
  };
  neubepreisungen: {
    mandant_id: string;
    neubepreisung_id: string;
    status: string;
    grund: string | null;
    von: string;
    bis: string;
    zeitzone: string;
    fassung: number;
    liste: string | null;
    ereignisse: Generated<number | string>;
    gelesen: Generated<number | string>;
    stand_zeitpunkt: string | null;
    stand_id: string | null;
    angelegt_am: string;
    angelegt_von: string | null;
    angewendet_am: string | null;
    angewendet_von: string | null;
    beendet_am: string | null;
  };
  otlp_aufrufe: {
    mandant_id: string;
    ereignis_id: string;
    spur: string;
    sichtungen: string[];
    zeitpunkt: string;
    fassung: number;
    abdruck: Buffer | null;
    geaendert_am: string;
  };
  otlp_faellig: {
    mandant_id: string;
    spur: string;
    ab: string;
  };
  otlp_spuren: {
    mandant_id: string;
    spur: string;
    lieferung_id: string;
    empfangen_am: string;
    schluessel_id: string;
    projekt: string | null;
    instanz: string;
    von: string | null;
    bis: string | null;
    sichtungen: Buffer;
    art: string | null;
  };
  passwort_ruecksetzungen: {
    mandant_id: string;
    hash: Buffer;
    benutzer_id: string;
    erstellt_am: string;
    gueltig_bis: string;
  };
  postausgang: {
    mandant_id: string;
    post_id: string;
    inhalt: Buffer;
    erstellt_am: string;
    verfaellt_am: string;
    gehalten: Generated<boolean>;
  };
  postbudgets: {
    konto: Buffer;
    bis: string;
  };
  postempfaenger: {
    mandant_id: string;
    art: 'alarm' | 'abrechnung';
    adresse: string;
    angefragt_am: string | null;
    bestaetigt_am: string | null;
    abgemeldet_am: string | null;
  };
  preisbuch_kosten: {
    mandant_id: string;
    tag: string;
    anbieter: string;
    aufrufe: number | string;
    kosten_eur: string;
    verglichen: number | string;
    preisbuch_eur: string;
    listenpreis_eur: string;
  };
  preisbuecher: {
    mandant_id: string;
    fassung: number;
    inhalt: unknown;
    erstellt_am: string;
    erstellt_von: string | null;
  };
  preislisten: {
    nummer: number;
    name: string;
    sha256: string;
    stand: string;
    herkunft: 'paket' | 'netz' | 'datei';
    aufgenommen_am: string;
    bestaetigt_am: string;
    modelle: number;
    daten: Buffer;
    angeheftet: Generated<boolean>;
    abgelehnt: string | null;
    gemeldet_am: string | null;
  };
  projekte: {
    mandant_id: string;
    projekt_id: Generated<string>;
    schluessel: string;
    name: string;
    erstellt_am: Generated<string>;
    budget_eur: string | null;
    budget_bei_erreichen: string | null;
  };
  pruefprotokoll: {
    mandant_id: string;
    eintrag_id: string;
    zeitpunkt: string;
    akteur_art: 'benutzer' | 'system' | 'betreiber';
    akteur_id: string | null;
    akteur_name: string | null;
    aktion: string;
    objekt_art: string;
    objekt_id: string | null;
    objekt_name: string | null;
    vorher: unknown;
    nachher: unknown;
    adresse: string | null;
  };
  pruefungen: {
    name: string;
    begonnen_am: string;
    beendet_am: string | null;
    zaehler: Generated<unknown>;
  };
  regeln: {
    mandant_id: string;
    regel_id: Generated<string>;
    name: string;
    typ: string;
    geltungsbereich: string;
    bezug_id: string | null;
    bezug: string | null;
    schwelle: string | null;
    einheit: string | null;
    stufe: string;
    zeitfenster: string | null;
    schattenbetrieb: boolean;
    aktiv: boolean;
    parameter: unknown;
    erstellt_am: Generated<string>;
    geaendert_am: Generated<string>;
  };
  reservierungen: {
    mandant_id: string;
    reservierung_id: string;
    fuer: string[];
    betrag_eur: string;
    angelegt_am: string;
    verfaellt_am: string;
  };
  rueckblicke: {
    mandant_id: string;
    rueckblick_id: string;
    regel: unknown;
    zeitzone: string;
    von: string;
    bis: string;
    status: string;
    tage_fertig: Generated<number>;
    ergebnis: unknown;
    angelegt_am: string;
    laeuft_ab_am: string;
  };
  schluessel: {
    mandant_id: string;
    schluessel_id: string;
    name: string;
    hash: Buffer;
    anfang: string;
    letzte_vier: string;
    bereiche: string[];
    projekt: string | null;
    erstellt_am: Generated<string>;
    gesperrt_am: string | null;
    zuletzt_benutzt_am: string | null;
    anfragen_je_minute: number | null;
    ereignisse_je_minute: number | null;
  };
  sicherungsstand: {
    nummer: Generated<number>;
    gelungen_am: string | null;
    umfang: number | string | null;
    fehler_am: string | null;
  };
  sitzungen: {
    mandant_id: string;
    hash: Buffer;
    benutzer_id: string;
    erstellt_am: Generated<string>;
    zuletzt_am: Generated<string>;
    sitzung_id: Generated<string>;
    adresse: string | null;
    geraet: string | null;
  };
  sperrliste_bekannt: {
    einzig: Generated<boolean>;
    nummer: number | string | null;
    ausgestellt_am: string | null;
    gueltig_bis: string | null;
    kid: string | null;
    sperren: Generated<unknown>;
    adresse: string | null;
    etag: string | null;
    frisch_bis: string | null;
    erreicht_am: string | null;
    versucht_am: string | null;
    hindernis: string | null;
  };
  sperrliste_stand: {
    einzig: Generated<boolean>;
    nummer: number | string;
    geaendert_am: string | null;
  };
  sso_anbieter: {
    mandant_id: string;
    aktiv: boolean;
    issuer: string;
    client_id: string;
    client_secret: Buffer | null;
    rolle_neu: 'verwalter' | 'bearbeiter' | 'buchhaltung' | 'betrachter';
    name: string;
    von_inhaber: boolean;
  };
  sso_domains: {
    mandant_id: string;
    domain: string;
    nachweis: string;
    bewiesen_am: string | null;
  };
  sso_identitaeten: {
    mandant_id: string;
    issuer: string;
    subject: string;
    benutzer_id: string;
    erstellt_am: string;
  };
  sso_vorgaenge: {
    mandant_id: string;
    hash: Buffer;
    browser: Buffer;
    geheimnis: Buffer;
    gueltig_bis: string;
  };
  uhrstand: {
    nummer: Generated<number>;
    gesehen_am: string | null;
    vergangen_bis: string | null;
  };
  verbrauch_gefuehrt: {
    mandant_id: string;
    dimension: number;
    text: string;
    seit: number | string | null;
    gebraucht_am: string;
  };
  verbrauch_kurs: {
    mandant_id: string;
    stunde: string;
    kurs_usd_eur: string;
    aufrufe: number | string;
    kosten_usd: string;
    ersatz_aufrufe: Generated<number | string>;
    ersatz_tag: string | null;
  };
  verbrauch_laufend_minute: {
    mandant_id: string;
    dimension: number;
    minute: string;
    merkmal_id: number;
    aufrufe: number | string;
    fehler: number | string;
    unbepreist: number | string;
    geschaetzt: number | string;
    token: string;
    kosten_eur: string;
    latenz: string;
    erste_zeichen: string;
  };
  verbrauch_laufend_stunde: {
    mandant_id: string;
    dimension: number;
    stunde: string;
    merkmal_id: number;
    aufrufe: number | string;
    fehler: number | string;
    unbepreist: number | string;
    geschaetzt: number | string;
    token: string;
    kosten_eur: string;
    latenz: string;
    erste_zeichen: string;
  };
  verbrauch_quellen: {
    mandant_id: string;
    schluessel_id: string;
    tag: string;
    quelle: string;
    bibliothek: string;
    version: string;
    aufrufe: number | string;
    unbepreist: number | string;
    kosten_eur: string;
    ohne_lauf: number | string;
    ohne_agent: number | string;
    ohne_endkunde: number | string;
    ohne_fingerabdruck: number | string;
    ohne_cache: number | string;
    ohne_token: number | string;
    abo_aufrufe: number | string;
    abo_kosten_eur: string;
    letzter_aufruf_am: string;
  };
  verbrauch_schluessel: {
    mandant_id: string;
    schluessel_id: string;
    stunde: string;
    aufrufe: number | string;
    unbepreist: number | string;
    token: string;
    kosten_usd: string;
    kosten_eur: string;
    ohne_lauf: number | string;
    ohne_fingerabdruck: number | string;
    ohne_endkunde: number | string;
    adresse_als_anbieter: number | string;
    letzter_aufruf_am: string;
  };
  verbrauch_stuecke: {
    mandant_id: string;
    nummer: number | string;
    marke: Generated<string>;
    tag_von: string;
    tag_bis: string;
    anzahl: number;
    daten: Buffer;
    roh: Generated<boolean>;
    faellig_am: Generated<string | null>;
    dimensionen: number[] | null;
  };
  verbrauch_tagesstand: {
    mandant_id: string;
    tag: string;
    geaendert: number | string;
    geaendert_am: Generated<string>;
    gelistet: number | string | null;
    stuecke_stand: number | string | null;
    aufrufe: Generated<number | string>;
    unbepreist: Generated<number | string>;
    kosten_eur: Generated<string>;
    stuecke_dimensionen: number | null;
  };
  vorfaelle: {
    mandant_id: string;
    vorfall_id: string;
    objekt_art: string;
    objekt: string;
    status: Generated<string>;
    befunde: number | string;
    stufe: string;
    schatten: boolean;
    beginn: string;
    letzter_befund_am: string;
    massnahme: string | null;
    geschlossen_am: string | null;
    geschlossen_von: string | null;
  };
  wechselkurse: {
    tag: string;
    usd_eur: string;
    quelle: string;
    geholt_am: Generated<string>;
  };
  wiederherstellungscodes: {
    mandant_id: string;
    benutzer_id: string;
    hash: Buffer;
    benutzt_am: string | null;
  };
  wiederholungen_offen: {
    mandant_id: string;
    lauf_id: string;
    seit: Generated<string>;
  };
  zaehlmarken: {
    mandant_id: string;
    nummer: number | string;
    gezaehlt_am: Generated<string>;
    merkmale: number[];
    tage: unknown;
    agenten: string[];
    aufrufe_am: unknown;
    schluessel: string[] | null;
    laeufe: string[] | null;
    gedaechtnis: string | null;
    kosten: unknown;
  };
  zaehlstaende: {
    mandant_id: string;
    ereignisse_gesamt: Generated<number | string>;
    erster_aufruf_am: string | null;
    letzter_aufruf_am: string | null;
    daten_von: string | null;
    daten_bis: string | null;
    merkmale_anzahl: Generated<number>;
    merkmale_marke: string | null;
    marken: Generated<number | string>;
    quellen: Generated<string[]>;
    stuecke_bis: Generated<number | string>;
    stunden_ab: string | null;
    gefuehrt: Generated<number | string>;
  };
  zahlungsereignisse: {
    mandant_id: string;
    ereignis: string;
    art: string;
    empfangen_am: Generated<string>;
  };
  zeitplan: {
    job: string;
    zuletzt: string;
  };
  zustand_beobachter: {
    nummer: number;
    beobachter: string;
    gilt_bis: string;
  };
  zustand_spannen: {
    spanne_id: string;
    komponente: string;
    status: 'ok' | 'eingeschränkt' | 'gestört';
    von: string;
    bis: string;
  };
  zweite_faktoren: {
    mandant_id: string;
    benutzer_id: string;
    geheimnis: Buffer;
    erstellt_am: string;
    bestaetigt_am: string | null;
    letzter_schritt: number | string | null;
  };
  zwilling_ersparnisse: {
    mandant_id: string;
    tag: string;
    ursache: string;
    befund_id: string;
    agent: string;
    aufrufe: number | string;
    unbekannt: number | string;
    gespart_eur: string | null;
  };
  zwilling_tage: {
    mandant_id: string;
    tag: string;
    geaendert: number | string;
    gelesen_am: string;
  };
}

/** What functions answer. Whether a value may be missing is not declared there. */
export interface Functions {
  zw_adresse_finden: {
    mandant_id: string;
    benutzer_id: string;
  };
  zw_anmeldung_finden: {
    mandant_id: string;
    benutzer_id: string;
    passwort_hash: string;
  };
  zw_auftraege_stand: {
    job: string;
    wartend: number | string;
    sekunden: number;
    aufgegeben: number | string;
  };
  zw_domain_finden: {
    mandant_id: string;
    name: string;
  };
  zw_einladung_finden: {
    mandant_id: string;
  };
  zw_kunde_finden: {
    mandant_id: string;
  };
  zw_lizenzschluessel: {
    nummer: number;
    verschluesselt: Buffer;
    aktiv: boolean;
  };
  zw_mail_stand: {
    scheiternd: number | string;
    sekunden: number;
  };
  zw_mandanten_anzahl: {
    anzahl: number | string;
  };
  zw_ruecksetzung_finden: {
    mandant_id: string;
  };
  zw_rueckstand: {
    sekunden: number;
    unzaehlbar: number | string;
  };
  zw_schluessel_mit_kontingent: {
    mandant_id: string;
    schluessel_id: string;
    bereiche: string[];
    projekt: string;
    gesperrt: boolean;
    anfragen_je_minute: number;
    ereignisse_je_minute: number;
    mandant_anfragen_je_minute: number;
    mandant_ereignisse_je_minute: number;
  };
  zw_sitzung_finden: {
    mandant_id: string;
    benutzer_id: string;
    sitzung_id: string;
    email: string;
    name: string;
    rolle: string;
    betreiber: boolean;
    zweiter_faktor: boolean;
    firma: string;
    paket: string;
    zeitzone: string;
    erstellt_am: string;
    zuletzt_am: string;
  };
  zw_sso_vorgang_finden: {
    mandant_id: string;
  };
}
