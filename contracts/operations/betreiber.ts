/** What operators of the installation see and do. */
import {
  boolean,
  CPU_OF_A_REPORT,
  component,
  count,
  date,
  datetime,
  dayOrInstant,
  decimal,
  field,
  integer,
  listOf,
  nullable,
  oneOf,
  operation,
  optional,
  pageQuery,
  record,
  rowsOf,
  Type,
  text,
  uuid,
  weiter,
} from '../kit/index.ts';
import { Paketgrenzen } from './buchung.ts';
import { Akteur, Objekt } from './protokoll.ts';
import { MAX_QUOTA } from './schluessel.ts';

const Betroffener = component('BetroffenerMandant', 'The Mandant that an act touched.', {
  mandant_id: field(uuid(), 'Names the Mandant.'),
  firma: field(nullable(text()), 'Its name today; null once its data are removed.', 'Muster GmbH'),
});

const Eintrag = component('Betreibereintrag', 'One act of an operator, signed in or at the command line.', {
  eintrag_id: field(uuid(), 'Names the entry.'),
  zeitpunkt: field(datetime(), 'When.'),
  akteur: field(
    Akteur,
    'Who: `benutzer` is an operator who was signed in, `betreiber` the command line, `system` the configuration.',
  ),
  aktion: field(text(), 'What was done, as a stable dotted name.', 'mandant.geaendert'),
  mandant: field(nullable(Betroffener), 'Whom it touched; null for the installation itself.'),
  objekt: field(Objekt, 'To what.'),
  vorher: field(nullable(record()), 'Changed fields as they were; secrets and notes never.'),
  nachher: field(nullable(record()), 'Changed fields as they are since; secrets and notes never.'),
  adresse: field(nullable(text()), 'Network address the request came from; null when there was none.'),
});

export const BetreiberprotokollSeite = component('Betreiberprotokoll', 'A page of the operator log.', {
  eintraege: field(rowsOf(Eintrag), 'The entries, newest first.'),
  weiter,
});

export const betreiberprotokoll = operation({
  id: 'betreiber.protokoll',
  method: 'GET',
  path: '/v1/betreiber/protokoll',
  summary: 'Was Betreiber getan haben, Neuestes zuerst.',
  description:
    'The operator log, newest first, page by page: every act of an operator, signed in or at the command line. Entries are never changed or removed.',
  access: { kind: 'operator' },
  query: Type.Object({
    ...pageQuery(200),
    mandant_id: Type.Optional(field(uuid(), 'Entries that touch this Mandant only.')),
  }),
  response: BetreiberprotokollSeite,
});

const ABRECHNUNGSSTATUS = ['keine', 'aktiv', 'probe', 'zahlung_offen', 'gekündigt'] as const;
const PAKETE = ['frei', 'starter', 'team', 'enterprise'] as const;

const sums = {
  ereignisse: field(count(), 'Events that were counted.', 812_000),
  kosten_eur: field(
    nullable(decimal()),
    'What they cost in EUR, as far as their price is known; null when none has a known price.',
    '1204.7731',
  ),
};
const Ereignissumme = component('Ereignissumme', 'Events and what they cost.', sums);

const Mandantenzahl = component('Mandantenzahl', 'How many Mandanten there are of a kind.', {
  status: field(oneOf('aktiv', 'gekündigt'), 'Whether they work or have cancelled.'),
  paket: field(text(), 'Short name of their package.', 'team'),
  anzahl: field(count(), 'How many.', 12),
});

const Monatssumme = component('Monatssumme', 'Events of all Mandanten in a month.', {
  monat: field(text(), 'The month, `YYYY-MM`, each Mandant by its own days.', '2026-05'),
  ...sums,
});

const Auftragsstand = component('Auftragsstand', 'How a kind of job stands.', {
  job: field(text(), 'Name of the job.', 'postausgang.versenden'),
  wartend: field(count(), 'Those that wait or run.'),
  fehlgeschlagen: field(count(), 'Of these, those whose last attempt failed.'),
  aufgegeben: field(count(), 'Those that were given up.'),
  aelteste_sekunden: field(count(), 'Seconds the oldest one that is due has waited.'),
});

const Eingangsstand = component('Eingangsstand', 'What was accepted and is not counted yet.', {
  stapel: field(count(), 'Batches.'),
  ereignisse: field(count(), 'Events in them.'),
  aelteste_sekunden: field(nullable(count()), 'Seconds the oldest has waited; null when there is none.'),
});

const Speicherstand = component('Speicherstand', 'Room on the disk of the database.', {
  frei_bytes: field(count(), 'What the service may still use.'),
  gesamt_bytes: field(count(), 'Size of the disk.'),
});

/** Jobs are a part of the code. */
const MAX_JOBS = 200;

export const uebersicht = operation({
  id: 'betreiber.uebersicht',
  method: 'GET',
  path: '/v1/betreiber/uebersicht',
  summary: 'Wie es um die Installation steht: Mandanten, Ereignisse, Rückstände, Aufträge.',
  description:
    'How the installation stands, over all Mandanten: counts and sums, never what a Mandant has in it. Days and months are the Mandanten’s own.',
  access: { kind: 'operator' },
  response: component('Betreiberuebersicht', 'How the installation stands.', {
    zeitpunkt: field(datetime(), 'When this was looked at.'),
    version: field(text(), 'Version of the service.', '0.1.0'),
    mandanten: field(listOf(Mandantenzahl, 100), 'The Mandanten by status and package.'),
    heute: field(Ereignissumme, 'Today.'),
    sieben_tage: field(Ereignissumme, 'The last seven days, today included.'),
    dreissig_tage: field(Ereignissumme, 'The last thirty days, today included.'),
    monate: field(listOf(Monatssumme, 13), 'The last thirteen months that have events, the latest first.'),
    eingang: field(Eingangsstand, 'What waits to be counted.'),
    unzaehlbare_stapel: field(count(), 'Batches that cannot be counted.'),
    auftraege: field(listOf(Auftragsstand, MAX_JOBS), 'Jobs of which something waits or was given up.'),
    mails_wartend: field(count(), 'Mails that wait to be sent.'),
    speicher: field(nullable(Speicherstand), 'Null where the database lies elsewhere.'),
    datenbank_bytes: field(count(), 'Size of the database.'),
    ereignisse_ab: field(
      nullable(datetime()),
      'From when on single calls are there; null while none were removed for their age.',
    ),
    preisliste_tage: field(
      nullable(count()),
      'Age of the price list in force, in days; null before the first one.',
    ),
    kurs_tag: field(
      nullable(date()),
      'The day of the newest reference rate of the European Central Bank; null while there is none.',
    ),
  }),
});

const quota = () => integer({ min: 1, max: MAX_QUOTA });
const REQUESTS =
  'Requests that all its keys together may make in a minute, those that send and those that read each for themselves';
const EVENTS = 'Events that all its keys together may send in a minute';

export const BetreiberMandant = component(
  'BetreiberMandant',
  'A Mandant as operators see it: counts and sums.',
  {
    mandant_id: field(uuid(), 'Names the Mandant.'),
    firma: field(text(), 'Name of the company.', 'Muster GmbH'),
    status: field(oneOf('aktiv', 'gekündigt'), 'Whether it works or has cancelled.'),
    demo: field(boolean(), 'Whether its events are made up.'),
    zeitzone: field(text(), 'Its time zone.', 'Europe/Berlin'),
    erstellt_am: field(datetime(), 'When it registered.'),
    gekuendigt_am: field(nullable(datetime()), 'When it cancelled.'),
    loeschung_ab: field(
      nullable(datetime()),
      'From when its data are removed; until then the cancellation can be taken back.',
    ),
    paket: field(text(), 'Short name of its package.', 'team'),
    paket_in_kraft: field(
      text(),
      'Short name of the package that holds now: another one when it was given until a day that is over.',
      'team',
    ),
    paket_name: field(text(), 'Name of the package that holds now.', 'Team'),
    paket_bis: field(nullable(datetime()), 'Until when; null when it does not end.'),
    quelle: field(oneOf('frei', 'buchung', 'lizenz', 'betreiber'), 'Where the package comes from.'),
    abrechnungsstatus: field(oneOf(...ABRECHNUNGSSTATUS), 'How paying for it stands.'),
    betreiber_notiz: field(nullable(text()), 'What operators have noted; the Mandant does not see it.'),
    benutzer: field(count(), 'Active users.', 4),
    schluessel: field(count(), 'Keys that are not blocked.', 2),
    letzter_aufruf_am: field(nullable(datetime()), 'When its latest call was; null before the first one.'),
    monat: field(Ereignissumme, 'Its local month so far.'),
    grenzen: field(Paketgrenzen, 'What the package is meant for.'),
    verbindlich: field(boolean(), 'Whether these limits bind the Mandant.'),
    ueber_grenze: field(boolean(), 'Whether it uses more than one of them.'),
    anfragen_je_minute: field(nullable(quota()), `${REQUESTS}; null is what the configuration says.`, 6_000),
    ereignisse_je_minute: field(
      nullable(quota()),
      `${EVENTS}; null is what the configuration says.`,
      600_000,
    ),
  },
);

export const mandantenListe = operation({
  id: 'betreiber.mandanten',
  method: 'GET',
  path: '/v1/betreiber/mandanten',
  summary: 'Alle Mandanten mit Paket, Nutzung und Notiz, Neueste zuerst.',
  description:
    'The Mandanten, the newest first, page by page, with package, use and note; counts and sums only.',
  access: { kind: 'operator' },
  query: Type.Object({
    ...pageQuery(100),
    suche: Type.Optional(
      field(text({ max: 200 }), 'A part of the company’s name or of a user’s address.', 'muster'),
    ),
    paket: Type.Optional(field(oneOf(...PAKETE), 'Those with this package only.')),
    status: Type.Optional(field(oneOf('aktiv', 'gekündigt'), 'Those with this status only.')),
    mandant_id: Type.Optional(field(uuid(), 'This one only.')),
  }),
  response: component('BetreiberMandantenseite', 'A page of the Mandanten.', {
    mandanten: field(rowsOf(BetreiberMandant), 'The Mandanten, the newest first.'),
    weiter,
  }),
});

const ofMandant = Type.Object({ mandant_id: field(uuid(), 'Names the Mandant.') });

/** What operators may change of a Mandant, over HTTP and on the command line. */
export const mandantAenderung = component('MandantAendern', 'What operators decide about a Mandant.', {
  paket: Type.Optional(
    field(nullable(oneOf(...PAKETE)), 'The package; null takes away what was given.', 'team'),
  ),
  paket_bis: Type.Optional(
    field(
      nullable(dayOrInstant()),
      'Until when, for a package that the operator gives: a day to its end in the zone of the Mandant, or an instant. A package that is given anew has no end unless it is said.',
      '2027-03-31',
    ),
  ),
  abrechnungsstatus: Type.Optional(
    field(nullable(oneOf(...ABRECHNUNGSSTATUS)), 'How paying stands; null is `keine`.', 'aktiv'),
  ),
  betreiber_notiz: field(
    optional(text({ max: 500 })),
    'What operators note; the Mandant does not see it. Null clears it.',
  ),
  anfragen_je_minute: Type.Optional(
    field(nullable(quota()), `${REQUESTS}; null is what the configuration says.`, 6_000),
  ),
  ereignisse_je_minute: Type.Optional(
    field(nullable(quota()), `${EVENTS}; null is what the configuration says.`, 600_000),
  ),
});

export const mandantAendern = operation({
  id: 'betreiber.mandant_aendern',
  method: 'PUT',
  path: '/v1/betreiber/mandanten/{mandant_id}',
  summary: 'Ändert Paket, Laufzeit, Abrechnungsstatus, Kontingent und Notiz eines Mandanten.',
  description:
    'Changes package, its end, billing status, quota and note of a Mandant: null clears a field, one that is left out stays. A package that is given outranks a booking until it is cleared. The operator log and the audit log of the Mandant say what was changed; the text of the note stands in neither.',
  access: { kind: 'operator' },
  params: ofMandant,
  body: mandantAenderung,
  response: BetreiberMandant,
});

/** A file of exchange rates in Base64: one of four mebibytes. */
export const MAX_KURSE_TEXT = 5_600_000;

export const kurseEinlesen = operation({
  id: 'betreiber.kurse_einlesen',
  method: 'POST',
  path: '/v1/betreiber/kurse',
  summary: 'Nimmt Referenzkurse der Europäischen Zentralbank aus einer Datei auf.',
  description:
    'Takes reference rates of the US dollar from a file as the European Central Bank offers it (CSV of a day, of 90 or of all, the series of its data portal, each also as ZIP): for installations that cannot fetch them. Days that are known keep their rate, since costs rest on it. The operator log says how many were taken.',
  access: { kind: 'operator' },
  cpu: CPU_OF_A_REPORT,
  body: component('Kursdatei', 'A file with reference rates.', {
    datei: field(text({ min: 1, max: MAX_KURSE_TEXT }), 'The file, CSV or ZIP, in Base64.', 'RGF0ZSxVU0QK'),
  }),
  response: component('KurseAufgenommen', 'What became of the rates.', {
    neu: field(count(), 'Days that were not known before.', 1),
    bis: field(date(), 'The latest day that is known now.'),
    abweichend: field(count(), 'Days that are known with another rate, which stays.', 0),
    abweichend_zuletzt: field(nullable(date()), 'The latest of these.'),
  }),
});
