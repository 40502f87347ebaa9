/** Calls of the past, brought along from files: what is in them, counting them, taking them back. */
import {
  component,
  count,
  datetime,
  decimal,
  decimalInput,
  field,
  formed,
  integer,
  listOf,
  nullable,
  oneOf,
  operation,
  optional,
  pageQuery,
  rowsOf,
  Type,
  text,
  uuid,
  weiter,
} from '../kit/index.ts';
import { StapelEingang } from './ereignisse.ts';

/** Bytes of a part, and how many calls one may have. */
export const MAX_IMPORT_TEIL_BYTES = 1024 * 1024;
export const MAX_IMPORT_TEIL = 500;
/** Parts of an import: half a million calls. */
export const MAX_IMPORT_TEILE = 1_000;
/** Bytes of a file. */
export const MAX_IMPORT_DATEI = 1024 * 1024 * 1024;
/** Models that are named one by one, and months. */
const MAX_MODELLE = 100;
const MAX_MONATE = 240;

/** Services whose files can be read. */
export const IMPORT_DIENSTE = ['LiteLLM', 'Langfuse', 'OpenRouter', 'Helicone', 'Claude Code'] as const;

const dienst = () => oneOf(...(IMPORT_DIENSTE as unknown as string[]));

const Ausgelassen = component('ImportAusgelassen', 'Rows that are no call, or none that can be counted.', {
  grund: field(
    oneOf(
      'eigener_cache',
      'kein_modell',
      'kein_aufruf',
      'andere_zeile',
      'keine_zeit',
      'keine_kennung',
      'wiederholt',
      'unlesbar',
      'abgelehnt',
    ),
    '`eigener_cache`: answered by the own cache of the service, no provider was called; `kein_modell`: no model is named; `kein_aufruf`: no call of a model; `andere_zeile`: another kind of row; `keine_zeit`: no time that can be read; `keine_kennung`: nothing names it, each import would count it anew; `wiederholt`: tells of a call of the file again; `unlesbar`: cannot be read; `abgelehnt`: the service takes no such call (too old, in the future, a value out of bounds).',
  ),
  anzahl: field(count(), 'How many.', 12),
});
const MAX_GRUENDE = 9;

const SHA256 = '^[0-9a-f]{64}$';

export const Import = component('Import', 'An import of calls, and how far it has come.', {
  import_id: field(uuid(), 'Names it.'),
  status: field(
    oneOf('liest', 'bereit', 'laeuft', 'fertig', 'ruecknahme', 'zurueckgenommen', 'fehlgeschlagen'),
    '`liest`: the file is being read; `bereit`: it is read, nothing is counted; `laeuft`: its calls are being counted; `fertig`: all are; `ruecknahme`: they are being taken back; `zurueckgenommen`: they are; `fehlgeschlagen`: a fault of the service ended it, what was counted by then stays and can be taken back.',
  ),
  datei: field(text(), 'Name of the file.', 'spend-logs.csv'),
  groesse: field(count(), 'Its size in bytes.', 1_200_000),
  sha256: field(nullable(text()), 'SHA-256 of its bytes, hexadecimal; null until it is read.'),
  dienst: field(nullable(dienst()), 'Which service it is of; null until it is read.', 'LiteLLM'),
  schluessel_id: field(uuid(), 'API key by which its calls come.'),
  zeilen: field(nullable(count()), 'Rows of the file; null until it is read.', 5200),
  ausgelassen: field(listOf(Ausgelassen, MAX_GRUENDE), 'Rows that are no calls, by reason.'),
  kosten_usd: field(
    nullable(decimal()),
    'What the file says its calls cost, in USD; null where it says nothing. Calls are priced here, whatever it says.',
    '41.2',
  ),
  aufrufe: field(count(), 'Calls of the file.', 5000),
  bekannt: field(count(), 'How many of them were counted already when the file was read.', 120),
  bekannt_telemetrie: field(
    count(),
    'How many of `bekannt` the telemetry of Claude Code had told of, under an id of its own: the same request, or the same session, model and counts at the same time.',
    0,
  ),
  von: field(nullable(datetime()), 'The first of them; null where there is none.'),
  bis: field(nullable(datetime()), 'The last of them; null where there is none.'),
  modelle: field(
    listOf(
      component('ImportModell', 'Calls of a model.', {
        modell: field(nullable(text()), 'The model; null where the call names none.', 'gpt-4o-mini'),
        aufrufe: field(count(), 'Calls.', 900),
      }),
      MAX_MODELLE,
    ),
    'Models, those with most calls first.',
  ),
  monate: field(
    listOf(
      component('ImportMonat', 'Calls of a local month.', {
        monat: field(text(), 'The month.', '2026-03'),
        aufrufe: field(count(), 'Calls.', 900),
        geschlossen: field(
          Type.Boolean(),
          'Whether the month is closed: what is counted in it is charged as a correction, and not taken back.',
        ),
      }),
      MAX_MONATE,
    ),
    'Local months, the latest first.',
  ),
  gezaehlt: field(count(), 'How many calls counting has looked at.', 4000),
  angenommen: field(count(), 'How many of these are new and counted by this import.', 3900),
  schon_da: field(count(), 'How many of these were counted already, from whatever source.', 100),
  schon_da_telemetrie: field(
    count(),
    'How many of `schon_da` the telemetry of Claude Code had told of, under an id of its own.',
    0,
  ),
  abgewiesen: field(
    count(),
    'How many could not be counted and were set aside for the operator; 0 until it is over.',
    0,
  ),
  zurueckgenommen: field(count(), 'How many were taken back.', 0),
  geblieben: field(
    nullable(count()),
    'How many stay though it was taken back, since their month is closed or they are kept no longer; null before that. What another source has told of stays, too, and is not among them.',
    0,
  ),
  angelegt_am: field(datetime(), 'When it was begun.'),
  angelegt_von: field(nullable(text()), 'Who began it.', 'anna@muster.example'),
  angewendet_am: field(nullable(datetime()), 'When it was confirmed; null while it was not.'),
  angewendet_von: field(nullable(text()), 'Who confirmed it.', 'anna@muster.example'),
  beendet_am: field(nullable(datetime()), 'When its calls were counted; null while they are not.'),
  zurueckgenommen_am: field(nullable(datetime()), 'When taking it back was begun; null while it was not.'),
  zurueckgenommen_von: field(nullable(text()), 'Who had it taken back.', 'anna@muster.example'),
});

const PATH = '/v1/cockpit/importe';
const ID = Type.Object({ import_id: field(uuid(), 'Names it.') });
const LESEN = { kind: 'session', right: 'konto.lesen' } as const;
const AENDERN = { kind: 'session', right: 'schluessel.verwalten' } as const;

export const importAnlegen = operation({
  id: 'importe.anlegen',
  method: 'POST',
  path: PATH,
  status: 201,
  summary: 'Beginnt, Aufrufe der Vergangenheit aus einer Datei zu übernehmen.',
  description:
    'Begins an import. The file is read where it is (the cockpit does it in the browser, the package `zaehlwerk` has the readers): only what is counted of its calls is sent, in parts, then it is said what the file was. What was read before and not confirmed goes.',
  access: AENDERN,
  refuses: { 409: ['import_laeuft', 'hoechstzahl_erreicht'] },
  body: component('ImportEingabe', 'Which file, and by whose key its calls come.', {
    datei: field(text({ min: 1, max: 200 }), 'Name of the file.', 'spend-logs.csv'),
    groesse: field(integer({ min: 0, max: MAX_IMPORT_DATEI }), 'Its size in bytes.', 1_200_000),
    schluessel_id: field(
      uuid(),
      'API key by which its calls come; its project is theirs where they name none.',
    ),
  }),
  response: Import,
});

export const importTeil = operation({
  id: 'importe.teil',
  method: 'PUT',
  path: `${PATH}/{import_id}/teile/{nr}`,
  summary: 'Nimmt Aufrufe eines Imports entgegen; gezählt wird noch nichts.',
  description: `Takes calls of a file, ${MAX_IMPORT_TEIL} at most in up to ${MAX_IMPORT_TEIL_BYTES / 1024 / 1024} MiB, as a batch has them. One invalid event refuses the part as a whole (422 names them). A part that was sent before is not taken a second time.`,
  access: AENDERN,
  refuses: { 409: ['import_nicht_bereit'] },
  params: Type.Object({
    import_id: field(uuid(), 'Names the import.'),
    nr: field(integer({ min: 1, max: MAX_IMPORT_TEILE }), 'Number of the part, from 1.', 1),
  }),
  body: StapelEingang,
  response: component('ImportTeil', 'What became of a part.', {
    aufrufe: field(count(), 'Distinct calls of the part.', 500),
    bekannt: field(count(), 'How many of them are counted already.', 12),
  }),
});

export const importAbschliessen = operation({
  id: 'importe.abschliessen',
  method: 'POST',
  path: `${PATH}/{import_id}/abschliessen`,
  summary: 'Sagt, was für eine Datei es war: Danach steht die Vorschau.',
  description: 'Says that all parts were sent, and what the file is. Nothing is counted by that.',
  access: AENDERN,
  refuses: { 409: ['import_nicht_bereit'] },
  params: ID,
  body: component('ImportDatei', 'What a file is that was read.', {
    dienst: field(dienst(), 'Which service it is of.', 'LiteLLM'),
    sha256: field(formed(SHA256, 64), 'SHA-256 of its bytes, hexadecimal.'),
    zeilen: field(count(), 'Its rows.', 5200),
    ausgelassen: field(Type.Array(Ausgelassen, { maxItems: MAX_GRUENDE }), 'What was left out, and why.'),
    kosten_usd: field(
      optional(decimalInput({ min: '0', max: '1000000000' })),
      'What it says its calls cost, in USD.',
      '41.2',
    ),
  }),
  response: Import,
});

export const importAnwenden = operation({
  id: 'importe.anwenden',
  method: 'POST',
  path: `${PATH}/{import_id}/anwenden`,
  summary: 'Zählt die Aufrufe eines Imports.',
  description:
    'Has the calls counted, part after part, as if the key had sent them. What is counted already is left out. Quotas of keys do not apply.',
  access: AENDERN,
  refuses: { 409: ['import_nicht_bereit', 'import_laeuft'] },
  params: ID,
  response: Import,
});

export const importVerwerfen = operation({
  id: 'importe.verwerfen',
  method: 'DELETE',
  path: `${PATH}/{import_id}`,
  summary: 'Verwirft einen Import, der nicht bestätigt ist.',
  description: 'Removes what was read of a file that was not confirmed.',
  access: AENDERN,
  refuses: { 409: ['import_nicht_bereit'] },
  params: ID,
  response: Import,
});

export const importZuruecknehmen = operation({
  id: 'importe.zuruecknehmen',
  method: 'POST',
  path: `${PATH}/{import_id}/zuruecknehmen`,
  summary: 'Nimmt die Aufrufe zurück, die allein dieser Import gebracht hat.',
  description:
    'Takes back the calls that this import alone has told of: their events, sums and runs, some thousand at a time. What another source has told of, too, stays; so does what is in a closed month. Possible for 90 days.',
  access: AENDERN,
  refuses: { 409: ['import_nicht_bereit', 'import_laeuft'] },
  params: ID,
  response: Import,
});

export const importe = operation({
  id: 'importe.liste',
  method: 'GET',
  path: PATH,
  summary: 'Die Importe, der neueste zuerst.',
  description:
    'What was imported, and what is to be, the latest first, page by page. Kept as long as the account.',
  access: LESEN,
  query: Type.Object(pageQuery()),
  response: component('Importe', 'What was imported.', {
    importe: field(rowsOf(Import), 'The latest first.'),
    weiter,
  }),
});

export const importEinzeln = operation({
  id: 'importe.einer',
  method: 'GET',
  path: `${PATH}/{import_id}`,
  summary: 'Ein Import: was in der Datei ist, wie weit er ist, was daraus wurde.',
  description: 'The preview, the progress and the receipt of an import.',
  access: LESEN,
  params: ID,
  response: component('ImportEinzeln', 'An import, and what of it can be taken back.', {
    ...Import.properties,
    zuruecknehmbar: field(
      count(),
      'How many would be taken back now: counted by this import, told of by no other source since, in a month that is open, and kept.',
      3900,
    ),
  }),
});
