/** No answer is longer than the contract says: a list comes in pages, or never has more entries than stated. */
import { describe, expect, test } from 'vitest';
import { everyOperation, MAX_ROWS, type Node, type Operation, type TSchema } from './index.ts';

const declared: readonly Operation[] = Object.values(everyOperation);

interface List {
  /** Fields on the way to it, `[]` for a list. */
  path: string;
  max: number | undefined;
}

function listsIn(schema: TSchema, path: string): List[] {
  const { type, properties = {}, items, anyOf = [], maxItems } = schema as Node;
  const own = type === 'array' ? [{ path, max: maxItems }] : [];
  const fields = Object.entries(properties).map(([name, field]) => [`${path}.${name}`, field] as const);
  const inner = [...fields, ...(items ? [[`${path}[]`, items] as const] : [])];
  return [
    ...own,
    ...inner.flatMap(([at, inside]) => listsIn(inside, at)),
    ...anyOf.flatMap((branch) => listsIn(branch, path)),
  ];
}

const has = (schema: TSchema | undefined, ...fields: string[]) =>
  fields.every((name) => Object.hasOwn((schema as Node | undefined)?.properties ?? {}, name));
const isPaged = ({ query, response }: Operation) => has(query, 'limit', 'nach') && has(response, 'weiter');

/** Lists that are no rows of a page, with what their length depends on. */
const STATED: Record<string, string> = {
  'alarme.einstellungen_lesen.ruhestunden.tage': 'the days of a week',
  'alarme.einstellungen_setzen.ruhestunden.tage': 'the days of a week',
  'alarme.liste.alarme[].zustellungen': 'one entry for each channel there is',
  'anbindung.erststart.schritte': 'the steps are fixed',
  'anbindung.pruefen.schluessel.bereiche': 'there are two scopes',
  'anbindung.quellen.quellen': 'the latest ones',
  'anbindung.seite.schluessel[].bereiche': 'there are two scopes',
  'anbindung.seite.letzte_aufrufe': 'the latest ones',
  'ansichten.liste.ansichten': 'more are refused when they are kept',
  'benutzer.einladung_annehmen.rechte': 'one entry for each right there is',
  'befunde.einer.eingriffe': 'the latest ones',
  'berichte.woche.agenten': 'those that cost most; the others are in `agenten_rest`',
  'berichte.woche.aenderungen': 'the dimensions are fixed',
  'berichte.woche.aenderungen[].gestiegen': 'those that changed most',
  'berichte.woche.aenderungen[].gesunken': 'those that changed most',
  'berichte.woche.aenderungen[].neu': 'the dearest ones; `neu_anzahl` says of how many',
  'berichte.woche.ausgelassen': 'one entry for each part there is',
  'berichte.woche.befunde.liste': 'those that matter most; `anzahl` says of how many',
  'berichte.woche.budgets.liste': 'those of which most is spent; `anzahl` says of how many',
  'berichte.woche.tage': 'the days of a week',
  'berichte.woche.unbepreiste_modelle': 'those with most calls; their sum is in `summe`',
  'berichte.woche.zwilling.ursachen': 'the causes are fixed',
  'buchung.lizenz.funktionen': 'the functions are fixed',
  'buchung.lizenz.pakete': 'one entry for each package there is',
  'buchung.lizenz.pakete[].funktionen': 'the functions are fixed',
  'budgets.liste.budgets[].schwellen': 'percentages of a budget',
  'budgets.liste.budgets[].tempo': 'the windows are fixed',
  'detektoren.rueckblick.ergebnis.laeufe': 'the dearest ones',
  'detektoren.rueckblick.ergebnis.tage': 'this many days may be asked for',
  'detektoren.rueckblick_entfernen.ergebnis.laeufe': 'the dearest ones',
  'detektoren.rueckblick_entfernen.ergebnis.tage': 'this many days may be asked for',
  'detektoren.rueckblick_entwurf.ergebnis.laeufe': 'the dearest ones',
  'detektoren.rueckblick_entwurf.ergebnis.tage': 'this many days may be asked for',
  'detektoren.rueckblick_regel.ergebnis.laeufe': 'the dearest ones',
  'detektoren.rueckblick_regel.ergebnis.tage': 'this many days may be asked for',
  'eingriffe.aktiv.eingriffe': 'what is in force; of more the latest',
  'eingriffe.aktiv.harte_grenzen': 'of more it names one that takes in all calls',
  'ereignisse.annehmen.eingriffe': 'what is in force; of more the latest',
  'importe.abschliessen.ausgelassen': 'one entry for each reason there is',
  'importe.abschliessen.modelle': 'those with most calls',
  'importe.abschliessen.monate': 'local months; of more the latest',
  'importe.anlegen.ausgelassen': 'one entry for each reason there is',
  'importe.anlegen.modelle': 'those with most calls',
  'importe.anlegen.monate': 'local months; of more the latest',
  'importe.anwenden.ausgelassen': 'one entry for each reason there is',
  'importe.anwenden.modelle': 'those with most calls',
  'importe.anwenden.monate': 'local months; of more the latest',
  'importe.einer.ausgelassen': 'one entry for each reason there is',
  'importe.einer.modelle': 'those with most calls',
  'importe.einer.monate': 'local months; of more the latest',
  'importe.liste.importe[].ausgelassen': 'one entry for each reason there is',
  'importe.liste.importe[].modelle': 'those with most calls',
  'importe.liste.importe[].monate': 'local months; of more the latest',
  'importe.verwerfen.ausgelassen': 'one entry for each reason there is',
  'importe.verwerfen.modelle': 'those with most calls',
  'importe.verwerfen.monate': 'local months; of more the latest',
  'importe.zuruecknehmen.ausgelassen': 'one entry for each reason there is',
  'importe.zuruecknehmen.modelle': 'those with most calls',
  'importe.zuruecknehmen.monate': 'local months; of more the latest',
  'laeufe.cockpit_einer.baum.begonnen': 'the first ones; `laeufe` says how many there are',
  'laeufe.einer.baum.begonnen': 'the first ones; `laeufe` says how many there are',
  'lizenzen.sperrliste.sperren': 'signed as a whole, so it comes as a whole; the operator adds to it',
  'mandant.alarme_setzen.email': 'more are refused when they are set',
  'mandant.alarme_setzen.empfaenger': 'one for each address of `email`',
  'mandant.konto_lesen.alarme.email': 'more are refused when they are set',
  'mandant.konto_lesen.alarme.empfaenger': 'one for each address of `email`',
  'mandant.konto_lesen.mandant.endkunde_namen': 'more are refused when they are set',
  'mandant.konto_lesen.mandant.funktion_namen': 'more are refused when they are set',
  'mandant.konto_lesen.mandant.projekt_namen': 'more are refused when they are set',
  'mandant.zuordnung_setzen.endkunde_namen': 'more are refused when they are set',
  'mandant.zuordnung_setzen.funktion_namen': 'more are refused when they are set',
  'mandant.zuordnung_setzen.projekt_namen': 'more are refused when they are set',
  'verbrauch.api.zeilen[].werte': 'one for each grouping',
  'verbrauch.cockpit.zeilen[].werte': 'one for each grouping',
  'mandant.zuordnung_setzen.merkmale': 'more are refused when they are set',
  'mandant.konto_lesen.mandant.merkmale': 'more are refused when they are set',
  'mandant.konto_lesen.schluessel[].bereiche': 'there are two scopes',
  'preise.einlesen.freigaben': 'more are refused when the book is made',
  'preise.einlesen.freigaben[].ersetzt': 'more are refused when the book is made',
  'preise.einlesen.preise': 'more are refused when the book is made',
  'preise.einlesen.rabatte': 'more are refused when the book is made',
  'preise.fassung.freigaben': 'more are refused when the book is made',
  'preise.fassung.freigaben[].ersetzt': 'more are refused when the book is made',
  'preise.fassung.preise': 'more are refused when the book is made',
  'preise.fassung.rabatte': 'more are refused when the book is made',
  'preise.kurse.referenzkurse': 'the latest ones',
  'preise.lesen.freigaben': 'more are refused when the book is made',
  'preise.lesen.freigaben[].ersetzt': 'more are refused when the book is made',
  'preise.lesen.preise': 'more are refused when the book is made',
  'preise.lesen.rabatte': 'more are refused when the book is made',
  'preise.setzen.freigaben': 'more are refused when the book is made',
  'preise.setzen.freigaben[].ersetzt': 'more are refused when the book is made',
  'preise.setzen.preise': 'more are refused when the book is made',
  'preise.setzen.rabatte': 'more are refused when the book is made',
  'preise.nachschlagen.modelle': 'as many as were asked for',
  'betreiber.uebersicht.auftraege': 'jobs are a part of the code',
  'betreiber.uebersicht.mandanten': 'states and packages are fixed',
  'betreiber.uebersicht.monate': 'thirteen months',
  'protokoll.lesen.aktionen': 'one entry for each kind of change the service knows',
  'regeln.geldgrenzen.grenzen': 'the limits are fixed',
  'regeln.geldgrenzen_setzen.grenzen': 'the limits are fixed',
  'regeln.typen.stufen': 'the levels are fixed',
  'regeln.typen.typen': 'the types are fixed',
  'regeln.typen.typen[].bereiche': 'the scopes are fixed',
  'regeln.typen.typen[].parameter': 'the types are fixed',
  'regeln.typen.typen[].parameter[].werte': 'the types are fixed',
  'regeln.typen.typen[].schwelle.einheiten': 'the types are fixed',
  'reservierungen.anlegen.reservierungen': 'one for each call that is asked for',
  'schluessel.aendern.bereiche': 'there are two scopes',
  'schluessel.anlegen.bereiche': 'there are two scopes',
  'schluessel.sperren.bereiche': 'there are two scopes',
  'sso.entfernen.domains': 'more are refused when they are set',
  'sso.lesen.domains': 'more are refused when they are set',
  'sso.setzen.domains': 'more are refused when they are set',
  'system.status.komponenten': 'the parts of the service',
  'system.status_verlauf.komponenten': 'the parts of the service',
  'system.status_verlauf.komponenten[].tage': 'this many days are kept',
  'system.status_verlauf.stoerungen': 'the latest ones',
  'verbrauch.agent.endkunden': 'those that cost most; the others are in `endkunden_rest`',
  'verbrauch.agent.laeufe': 'the latest ones',
  'verbrauch.agent.modelle': 'those that cost most; the others are in `modelle_rest`',
  'verbrauch.agent.verlauf': 'a period is at most 366 days',
  'verbrauch.uebersicht.agenten': 'those that cost most; the others are in `agenten_rest`',
  'verbrauch.uebersicht.endkunden': 'those that cost most; the others are in `endkunden_rest`',
  'verbrauch.uebersicht.modelle': 'those that cost most; the others are in `modelle_rest`',
  'verbrauch.api.teile': 'a divided page has few groups, and a divided window is short',
  'verbrauch.auffaelliges.eintraege': 'a few of each kind',
  'verbrauch.cockpit.teile': 'a divided page has few groups, and a divided window is short',
  'verbrauch.uebersicht.verlauf': 'a period is at most 366 days',
  'verbrauch.uebersicht.verlauf_vorher': 'a period is at most 366 days',
  'weiterbelastung.abrechnung.agenten': 'those that cost most; the others are in `agenten_rest`',
  'weiterbelastung.abrechnung.korrekturen': 'one entry for each month that was closed',
  'weiterbelastung.abrechnung.modelle': 'those that cost most; the others are in `modelle_rest`',
  'weiterbelastung.abrechnung.tage': 'the days of a month',
  'weiterbelastung.buchhaltung_lesen.hinweise': 'the settings are fixed',
  'weiterbelastung.buchhaltung_setzen.hinweise': 'the settings are fixed',
  'weiterbelastung.buchhaltung_lesen.fehlt': 'the settings are fixed',
  'weiterbelastung.buchhaltung_setzen.fehlt': 'the settings are fixed',
  'weiterbelastung.endkunde_aendern.zusammengefuehrt': 'more are refused when they are merged',
  'weiterbelastung.endkunde_anlegen.zusammengefuehrt': 'more are refused when they are merged',
  'weiterbelastung.endkunde_entfernen.zusammengefuehrt': 'more are refused when they are merged',
  'weiterbelastung.endkunde_zusammenfuehren.zusammengefuehrt': 'more are refused when they are merged',
  'weiterbelastung.abrechnung.korrekturen[].gruende': 'the reasons are fixed',
  'weiterbelastung.abrechnung.umsatzsteuer.saetze': 'as many rates as were ever set',
  'weiterbelastung.monat_abschliessen.pruefung.hindernisse': 'how many there are in all stands beside',
  'weiterbelastung.endkunden.zeilen[].zusammengefuehrt': 'more are refused when they are merged',
  'abgleich.nutzung_vergleichen.zeilen': 'as many models as the file and the month have',
  'abgleich.liste.summen': 'one for each month, twelve at most',
  'abgleich.liste.zeilen[].rechnungen': 'more are refused when they are put in',
  'abgleich.liste.zeilen[].ursachen': 'the causes are fixed',
  'zwilling.lesen.agenten': 'those that would have saved most; the others are in `agenten_rest`',
  'zwilling.lesen.ursachen': 'the causes are fixed',
  'zwilling.lesen.ursachen[].befunde': 'those that matter most; `befunde_anzahl` says of how many',
  'zwilling.lesen.ursachen[].typen': 'one entry for each type of finding there is',
  'zugang.anmelden.rechte': 'one entry for each right there is',
  'zugang.ich.rechte': 'one entry for each right there is',
  'zugang.profil_aendern.rechte': 'one entry for each right there is',
  'zugang.registrieren.rechte': 'one entry for each right there is',
  'zugang.zweiter_faktor_bestaetigen.wiederherstellungscodes': 'a fixed number is made',
  'berichte.woche.kursquellen': 'one entry for each source there is',
  'berichte.woche.kursquellen[].ersatzkurse': 'the latest ones',
  'budgets.prognose.kursquellen': 'one entry for each source there is',
  'budgets.prognose.kursquellen[].ersatzkurse': 'the latest ones',
  'budgets.liste.kursquellen': 'one entry for each source there is',
  'budgets.liste.kursquellen[].ersatzkurse': 'the latest ones',
  'verbrauch.agenten.kursquellen': 'one entry for each source there is',
  'verbrauch.agenten.kursquellen[].ersatzkurse': 'the latest ones',
  'weiterbelastung.endkunden.kursquellen': 'one entry for each source there is',
  'weiterbelastung.endkunden.kursquellen[].ersatzkurse': 'the latest ones',
  'verbrauch.agent.kursquellen': 'one entry for each source there is',
  'verbrauch.agent.kursquellen[].ersatzkurse': 'the latest ones',
  'verbrauch.api.kursquellen': 'one entry for each source there is',
  'verbrauch.api.kursquellen[].ersatzkurse': 'the latest ones',
  'verbrauch.cockpit.kursquellen': 'one entry for each source there is',
  'verbrauch.cockpit.kursquellen[].ersatzkurse': 'the latest ones',
  'verbrauch.uebersicht.kursquellen': 'one entry for each source there is',
  'verbrauch.uebersicht.kursquellen[].ersatzkurse': 'the latest ones',
  'verbrauch.uebersicht_tag.kursquellen': 'one entry for each source there is',
  'verbrauch.uebersicht_tag.kursquellen[].ersatzkurse': 'the latest ones',
};

describe('every list of an answer', () => {
  const lists = declared.flatMap((operation) =>
    listsIn(operation.response, operation.id).map((list) => ({ operation, ...list })),
  );

  test('says how many entries it has at most', () => {
    expect(lists.length).toBeGreaterThan(30);
    for (const { path, max } of lists) expect(max, path).toEqual(expect.any(Number));
  });

  test('comes in pages, or stands here with what its length depends on', () => {
    const others = lists.filter(({ operation, max }) => !(isPaged(operation) && max === MAX_ROWS));
    expect([...new Set(others.map(({ path }) => path))].sort()).toEqual(Object.keys(STATED).sort());
    for (const { path, max = Infinity } of others) expect(max, path).toBeLessThanOrEqual(10_000);
  });
});

test('whatever takes a limit comes in pages, and the other way round', () => {
  const paged = declared.filter(isPaged).map(({ id }) => id);
  expect(paged.length).toBeGreaterThan(11);
  for (const { id, query, response } of declared) {
    const some = has(query, 'limit') || has(query, 'nach') || has(response, 'weiter');
    expect(paged.includes(id), id).toBe(some);
  }
});
