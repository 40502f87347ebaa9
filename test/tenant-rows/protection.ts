/** Rows of what guards a Mandant: rules, what they have led to, and alarms. */
import { randomUUID } from 'node:crypto';
import type { RowContext } from './context.ts';

/** A rule, and a look back at what it would have done; a budget. */
export const ruleRows = ({ tenant, name, now, later }: RowContext) => ({
  budgets: { objekt_art: 'funktion', objekt: `funktion-${name}`, budget_eur: 1, bei_erreichen: 'warnen' },
  regeln: {
    regel_id: tenant.ruleId,
    name: `Regel ${name}`,
    typ: 'kosten_grenze',
    geltungsbereich: 'mandant',
    schwelle: 50,
    einheit: 'eur',
    stufe: 'warnen',
    zeitfenster: 'tag',
    schattenbetrieb: true,
    aktiv: true,
    parameter: {},
    erstellt_am: now,
    geaendert_am: now,
  },
  reservierungen: {
    reservierung_id: randomUUID(),
    fuer: ['mandant=', `agent=${name}`],
    betrag_eur: 1,
    angelegt_am: now,
    verfaellt_am: later,
  },
  rueckblicke: {
    rueckblick_id: tenant.lookBackId,
    regel: { regel_id: tenant.ruleId, typ: 'kosten_grenze', name: `Regel ${name}` },
    zeitzone: 'Europe/Berlin',
    von: now.slice(0, 10),
    bis: now.slice(0, 10),
    status: 'fehlgeschlagen',
    tage_fertig: 0,
    angelegt_am: now,
    laeuft_ab_am: later,
  },
});

/** What programs ask people for. */
export const requestRows = ({ tenant, name, now }: RowContext) => ({
  antraege: {
    antrag_id: tenant.requestId,
    schluessel_id: randomUUID(),
    art: 'regel',
    objekt_art: '',
    objekt: tenant.ruleId,
    bezeichnung: `Regel ${name}`,
    bisher_eur: 50,
    wunsch_eur: 60,
    begruendung: 'x',
    status: 'offen',
    angelegt_am: now,
  },
});

/** What was told by OpenTelemetry, and handed on. */
export const toldRows = ({ name, now, later }: RowContext) => ({
  otlp_spuren: {
    spur: `spur-${name}`,
    lieferung_id: randomUUID(),
    empfangen_am: now,
    schluessel_id: randomUUID(),
    instanz: name,
    sichtungen: Buffer.from('[]'),
  },
  otlp_faellig: { spur: `spur-${name}`, ab: later },
  otlp_aufrufe: {
    ereignis_id: randomUUID(),
    spur: `spur-${name}`,
    sichtungen: ['span a b'],
    zeitpunkt: now,
    fassung: 1,
    geaendert_am: now,
  },
});

/** What the rule has led to. */
export const findingRows = ({ tenant, name, now }: RowContext) => ({
  befunde: {
    objekt_art: 'agent',
    objekt: name,
    befund_id: tenant.findingId,
    schluessel: `befund ${name}`,
    typ: 'schleife_exakt',
    regel_id: tenant.ruleId,
    agent: name,
    fenster_beginn: now,
    stufe: 'sperren',
    schatten: false,
    status: 'offen',
    werte: { schritte: [1, 2, 3, 4, 5], anzahl: 5, modelle: [], bis: now, wiederholungen: 3 },
    vorfall_id: tenant.incidentId,
    erkannt_am: now,
    geaendert_am: now,
  },
  vorfaelle: {
    objekt_art: 'agent',
    objekt: name,
    vorfall_id: tenant.incidentId,
    status: 'offen',
    befunde: 1,
    stufe: 'sperren',
    schatten: false,
    beginn: now,
    letzter_befund_am: now,
  },
  eingriffe: {
    objekt_art: 'agent',
    objekt: name,
    eingriff_id: tenant.interventionId,
    stufe: 'sperren',
    agent: name,
    schatten: false,
    grund_de: `Grund ${name}.`,
    grund_en: `Reason ${name}.`,
    beginn: now,
    missachtet: 0,
  },
});

/** What the runaway calls cost, and what blocking them has saved. */
export const savingRows = ({ tenant, name, now }: RowContext) => ({
  wiederholungen_offen: { lauf_id: randomUUID() },
  zwilling_ersparnisse: {
    tag: now.slice(0, 10),
    ursache: 'wiederholungen',
    befund_id: tenant.findingId,
    agent: name,
    aufrufe: 1,
    unbekannt: 0,
    gespart_eur: 1,
  },
  zwilling_tage: { tag: now.slice(0, 10), geaendert: 1, gelesen_am: now },
});

/** Where alarms go, and one that has gone there. */
export const alarmRows = ({ tenant, name, now, later, sealed }: RowContext) => ({
  alarmkanaele: {
    email: [`alarm-${name}@example.org`],
    adressen: sealed({ webhook_url: `https://haken-${name}.example.org/geheim` }),
  },
  alarme: {
    alarm_id: tenant.alarmId,
    art: 'alarm',
    ursache: `ursache-${name}`,
    stufe: 'warnen',
    titel_de: `titel-${name}`,
    titel_en: `title-${name}`,
    text_de: 't',
    text_en: 't',
    pfad: '/',
    zeitpunkt: now,
    verteilt_am: now,
  },
  alarm_zustellungen: {
    zustellung_id: tenant.zustellungId,
    alarm_id: tenant.alarmId,
    kanal: 'webhook_url',
    status: 'zugestellt',
    versuche: 1,
    frist: later,
    erstellt_am: now,
  },
  alarm_einstellungen: {
    sprache: 'de',
    ruhe_tage: [1],
    sammeln: 'sofort',
    sammeln_um: '08:00',
    geheimnisse: sealed({ aktuell: `whsec_${name}`, seit: now, frueher: [] }),
  },
});
