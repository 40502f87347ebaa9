/**
 * Whose table is whose: one slice owns each, and reads and writes it as it likes; what others may do stands here. The test
 * reads the statements in the source (SQL texts and Kysely's builders), so that a new one has to be allowed first.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { HOLE, sourceFiles, sqlTextsOf } from '#test/sql-texts.ts';

interface Ownership {
  owner: string;
  /** Who else writes it (and may read it), and why. */
  writes?: Record<string, string>;
  /** Who else reads it. */
  reads?: readonly string[];
}

const LEAVING = 'a cancellation closes every door at once';
const KEPT_NO_LONGER = 'removes what is kept no longer';
const COUNTING = 'counting writes everything an event changes in one transaction';

const TABLES: Record<string, Ownership> = {
  mandanten: {
    owner: 'mandant',
    writes: {
      buchung: 'the package follows the subscription',
      kuendigung: 'cancelled, reminded, removed',
      regeln: 'notes that the rules it begins with were put in, and that its limits were answered for',
    },
    reads: [
      'protokoll',
      'anbindung',
      'postausgang',
      'betreiber',
      'benutzer',
      'zugang',
      'alarme',
      'laeufe',
      'verbrauch',
      'zaehlung',
      'befunde',
      'budgets',
      'detektoren',
      'zwilling',
      'berichte',
      'abgleich',
      'main',
      'aufbewahrung',
    ],
  },
  aufbewahrung: {
    owner: 'aufbewahrung',
    reads: [
      'schluessel',
      'zaehlung',
      'laeufe',
      'verbrauch',
      'neubepreisung',
      'importe',
      'buchung',
      'betreiber',
      'abgleich',
      'detektoren',
    ],
  },
  otlp_spuren: { owner: 'otlp' },
  otlp_faellig: { owner: 'otlp' },
  otlp_aufrufe: { owner: 'otlp' },
  ansichten: { owner: 'ansichten' },
  bericht_abos: { owner: 'berichte' },
  bericht_versendungen: { owner: 'berichte' },
  importe: { owner: 'importe', writes: { zaehlung: COUNTING }, reads: ['aufbewahrung'] },
  import_teile: { owner: 'importe' },
  import_aufrufe: { owner: 'importe', writes: { zaehlung: COUNTING } },
  neubepreisungen: { owner: 'neubepreisung', reads: ['aufbewahrung'] },
  neubepreisung_zeilen: { owner: 'neubepreisung' },
  preisbuecher: { owner: 'preise', reads: ['zaehlung', 'abgleich'] },
  alarmkanaele: { owner: 'mandant' },
  alarme: { owner: 'alarme' },
  alarm_zustellungen: { owner: 'alarme' },
  alarm_einstellungen: { owner: 'alarme', reads: ['postausgang'] },
  regeln: { owner: 'regeln', reads: ['detektoren', 'zwilling', 'aufbewahrung'] },
  befunde: { owner: 'befunde', reads: ['detektoren', 'zwilling'] },
  vorfaelle: { owner: 'befunde' },
  eingriffe: {
    owner: 'eingriffe',
    writes: { detektoren: 'counts the calls that came nevertheless' },
    reads: ['befunde', 'zwilling'],
  },
  pruefungen: { owner: 'jobs' },
  zeitplan: { owner: 'jobs' },
  uhrstand: { owner: 'jobs' },
  wiederholungen_offen: { owner: 'detektoren' },
  rueckblicke: { owner: 'detektoren' },
  schluessel: {
    owner: 'schluessel',
    writes: { kuendigung: LEAVING },
    reads: ['betreiber', 'budgets', 'antraege'],
  },
  benutzer: {
    owner: 'zugang',
    writes: { benutzer: 'changes and removes users' },
    reads: ['protokoll', 'postausgang', 'betreiber', 'sso', 'kuendigung'],
  },
  betreiber: { owner: 'zugang' },
  sitzungen: { owner: 'zugang', writes: { kuendigung: LEAVING }, reads: ['benutzer'] },
  zweite_faktoren: { owner: 'zugang', reads: ['benutzer', 'export'] },
  wiederherstellungscodes: { owner: 'zugang' },
  passwort_ruecksetzungen: { owner: 'zugang' },
  email_bestaetigungen: { owner: 'zugang' },
  einladungen: { owner: 'benutzer' },
  sso_anbieter: { owner: 'sso', reads: ['export'] },
  sso_domains: { owner: 'sso' },
  sso_identitaeten: { owner: 'sso' },
  sso_vorgaenge: { owner: 'sso' },
  buchungen: { owner: 'buchung', reads: ['export'] },
  zahlungsereignisse: { owner: 'buchung' },
  pruefprotokoll: { owner: 'protokoll' },
  betreiberprotokoll: { owner: 'protokoll' },
  postausgang: { owner: 'postausgang', reads: ['betreiber'] },
  postbudgets: { owner: 'postausgang' },
  postempfaenger: { owner: 'postausgang' },
  auftraege: { owner: 'jobs', reads: ['betreiber'] },
  drosselung: { owner: 'platform', writes: { zugang: 'takes away counters that are over' } },
  loeschbelege: { owner: 'kuendigung', reads: ['main'] },
  lizenz_sperren: { owner: 'lizenzen' },
  kontingentstaende: { owner: 'kontingente' },
  sperrliste_stand: { owner: 'lizenzen' },
  lizenz_schluessel: { owner: 'lizenzen' },
  lizenzen: { owner: 'lizenzen' },
  lizenz_einsaetze: { owner: 'installation' },
  sperrliste_bekannt: { owner: 'installation' },
  wechselkurse: { owner: 'preise', reads: ['abgleich', 'verbrauch'] },
  preislisten: { owner: 'preise' },
  zustand_beobachter: { owner: 'system' },
  sicherungsstand: { owner: 'system' },
  zustand_spannen: { owner: 'system' },
  eingang: {
    owner: 'ereignisse',
    writes: { zaehlung: 'takes out what it counts', importe: 'hands on what was confirmed' },
    reads: ['betreiber', 'verbrauch', 'detektoren', 'export', 'weiterbelastung', 'abgleich', 'aufbewahrung'],
  },
  idempotenz: { owner: 'ereignisse' },
  ereignisse: {
    owner: 'ereignisse',
    writes: { zaehlung: COUNTING, aufbewahrung: KEPT_NO_LONGER },
    reads: ['laeufe', 'verbrauch', 'detektoren', 'zwilling'],
  },
  agenten: {
    owner: 'katalog',
    writes: { zaehlung: COUNTING },
    reads: ['anbindung', 'befunde', 'budgets', 'eingriffe', 'laeufe', 'weiterbelastung'],
  },
  budgets: { owner: 'budgets' },
  projekte: { owner: 'katalog', writes: { zaehlung: COUNTING }, reads: ['budgets'] },
  endkunden: {
    owner: 'weiterbelastung',
    writes: { zaehlung: COUNTING },
    reads: ['anbindung', 'budgets', 'katalog', 'laeufe'],
  },
  anbieter_rechnungen: { owner: 'abgleich' },
  gemeldete_kosten: { owner: 'abgleich' },
  gemeldete_kosten_tage: { owner: 'abgleich' },
  preisbuch_kosten: { owner: 'abgleich' },
  buchhaltung_einstellungen: { owner: 'weiterbelastung' },
  abrechnungsmonate: { owner: 'weiterbelastung', reads: ['zaehlung', 'importe'] },
  abrechnung_versendungen: { owner: 'weiterbelastung' },
  abrechnung_dokumente: { owner: 'weiterbelastung' },
  abrechnungszeilen: { owner: 'weiterbelastung' },
  laeufe: { owner: 'laeufe', writes: { zaehlung: COUNTING }, reads: ['eingriffe', 'detektoren', 'zwilling'] },
  merkmale: { owner: 'verbrauch', writes: { zaehlung: COUNTING }, reads: ['export', 'laeufe', 'detektoren'] },
  verbrauch_laufend_minute: { owner: 'verbrauch', writes: { zaehlung: COUNTING } },
  verbrauch_laufend_stunde: {
    owner: 'verbrauch',
    writes: { zaehlung: COUNTING, aufbewahrung: KEPT_NO_LONGER },
  },
  verbrauch_gefuehrt: { owner: 'zaehlung', reads: ['verbrauch'] },
  verbrauch_kurs: { owner: 'verbrauch', writes: { zaehlung: COUNTING } },
  verbrauch_schluessel: { owner: 'verbrauch', writes: { zaehlung: COUNTING } },
  verbrauch_quellen: { owner: 'verbrauch', writes: { zaehlung: COUNTING } },
  verbrauch_tagesstand: {
    owner: 'verbrauch',
    writes: { zaehlung: COUNTING },
    reads: ['zwilling', 'weiterbelastung', 'abgleich', 'betreiber'],
  },
  verbrauch_stuecke: { owner: 'verbrauch', writes: { zaehlung: COUNTING }, reads: ['platform'] },
  zwilling_ersparnisse: { owner: 'zwilling' },
  zwilling_tage: { owner: 'zwilling' },
  antraege: { owner: 'antraege' },
  reservierungen: { owner: 'reservierungen', writes: { zaehlung: COUNTING } },
  zaehlstaende: {
    owner: 'zaehlung',
    writes: { aufbewahrung: 'notes from when on hours are kept' },
    reads: ['betreiber', 'budgets', 'ereignisse', 'verbrauch', 'detektoren', 'platform'],
  },
  zaehlmarken: { owner: 'zaehlung' },
  ereignis_kennungen: { owner: 'zaehlung', writes: { aufbewahrung: KEPT_NO_LONGER }, reads: ['importe'] },
  eingang_unzaehlbar: { owner: 'zaehlung', reads: ['betreiber', 'export', 'abgleich', 'aufbewahrung'] },
};

/** Who makes statements for tables that the text does not name. */
const NAMED_LATER: Record<string, string> = {
  export: 'reads every list of its description',
  kuendigung: 'removes from every table that has a Mandant',
  zaehlung: 'adds to rollups of several grains alike',
  platform: 'names cursors and functions, not tables',
  verbrauch: 'reads sums of several grains alike',
  detektoren: 'reads sums of several grains alike',
};

type Use = { slice: string; table: string; kind: 'reads' | 'writes'; file: string };

const ROOT = join(import.meta.dirname, '../../..');
const TARGET = /\b(INSERT INTO|UPDATE|DELETE FROM|TRUNCATE|COPY|FROM|JOIN|USING)\s+(?:ONLY\s+)?([\w…]+)/g;
/** The next one of `FROM a, b AS c`. */
const NEXT = /(?:\s+(?:AS\s+)?\w+)?\s*,\s*(?:LATERAL\s+)?([\w…]+)/y;
const READING = ['FROM', 'JOIN', 'USING'];

/** Names after the words that come before tables, among them some that are none. */
function* targetsOf(text: string): Generator<Pick<Use, 'table' | 'kind'>> {
  for (const { 0: whole, 1: word = '', 2: first = '', index } of text.matchAll(TARGET)) {
    const kind = READING.includes(word) ? 'reads' : 'writes';
    yield { table: first, kind };
    NEXT.lastIndex = index + whole.length;
    for (let next = NEXT.exec(text); word === 'FROM' && next; next = NEXT.exec(text))
      yield { table: next[1] as string, kind };
  }
}

function usesIn(file: string): Use[] {
  const [room = '', domain = ''] = file.split('/');
  const slice = room === 'domains' ? domain : room;
  return sqlTextsOf(file).flatMap(({ text }) =>
    [...targetsOf(text)].map((target) => ({ slice, file, ...target })),
  );
}

const uses = sourceFiles.flatMap(usesIn);

const mayDo = ({ owner, writes = {}, reads = [] }: Ownership, { slice, kind }: Use): boolean =>
  slice === owner || slice in writes || (kind === 'reads' && reads.includes(slice));

test('every table of the migrations has an owner', () => {
  const folder = join(ROOT, 'server/migrations');
  const sql = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  // A migration may make a table anew, and another one take it away.
  const names = new Set<string | undefined>();
  for (const [, verb, name] of sql.join('\n').matchAll(/^(CREATE|DROP)(?: UNLOGGED)? TABLE (\w+)(?: \(|;)/gm))
    if (verb === 'CREATE') names.add(name);
    else names.delete(name);
  expect(Object.keys(TABLES).sort()).toEqual([...names].sort());
});

test('nobody reads or writes a table without being allowed to', () => {
  const forbidden = uses.filter((use) => {
    const ownership = TABLES[use.table];
    return ownership !== undefined && !mayDo(ownership, use);
  });
  expect(forbidden).toEqual([]);
});

test('tables are named in the statement', () => {
  const unnamed = uses.filter(({ table, slice }) => table.includes(HOLE) && !(slice in NAMED_LATER));
  expect(unnamed).toEqual([]);
});

test('nobody is allowed what nobody does', () => {
  const isUsed = (table: string, slice: string, kind: Use['kind']) =>
    slice in NAMED_LATER ||
    uses.some((use) => use.table === table && use.slice === slice && use.kind === kind);
  const unused = Object.entries(TABLES).flatMap(([table, { writes = {}, reads = [] }]) => [
    ...Object.keys(writes).flatMap((slice) =>
      isUsed(table, slice, 'writes') ? [] : [`${slice} writes ${table}`],
    ),
    ...reads.flatMap((slice) => (isUsed(table, slice, 'reads') ? [] : [`${slice} reads ${table}`])),
  ]);
  expect(unused).toEqual([]);
});

test.each([
  ['SELECT * FROM agenten a, projekte WHERE x IN (SELECT y FROM laeufe)', 'agenten projekte laeufe', 'reads'],
  ['INSERT INTO agenten (a) VALUES (1) ON CONFLICT DO UPDATE SET b = 1', 'agenten SET', 'writes'],
])('finds the tables of %s', (text, tables, kind) => {
  const found = [...targetsOf(text)];
  expect(found.map(({ table }) => table).join(' ')).toBe(tables);
  expect(found.every((target) => target.kind === kind)).toBe(true);
});
