/** Runs: what is added to their figures. */
import { UUID_BYTES, uuidText } from '#kernel/hex.ts';
import { isoOf } from '#kernel/microseconds.ts';
import { EUR_SCALE, textOf, USD_SCALE } from '#kernel/money.ts';
import type { RunTotal } from '../runs.ts';
import { type Column, insert, rowsOf, type Statement, sumUp } from './statement.ts';
import type { Written } from './written.ts';

const money = (scaled: bigint | null, scale: number) => (scaled === null ? null : textOf(scaled, scale));

const RUN_COUNTS = [
  'aufrufe',
  'fehler',
  'unbepreist',
  'teilbepreist',
  'eingabe_token',
  'ausgabe_token',
  'cache_lese_token',
  'cache_schreib_token',
  'denk_token',
  'eingabe_ohne_cache',
  'ausgabe_gesamt',
  'aufgeteilt',
  'ersatz_eur',
  'verbranntes_geld_eur',
];
const RUN_COSTS = ['kosten_usd', 'kosten_eur'];
/** True when the new events hold the run's latest call. */
const IS_LATER =
  '(excluded.ende, coalesce(excluded.letzter_schritt, -1)) >= (v.ende, coalesce(v.letzter_schritt, -1))';

// Not of calls that were counted before: of several of one instant the one that came last decides, whichever of them changes.
const LATEST_CALL = [
  `status = CASE WHEN ${IS_LATER} THEN excluded.status ELSE v.status END`,
  `letzter_schritt = CASE WHEN ${IS_LATER} THEN excluded.letzter_schritt ELSE v.letzter_schritt END`,
];

const RUN_COLUMNS: Column<RunTotal>[] = [
  ['lauf_id', 'uuid', (run) => run.lauf],
  ['agent', 'text', (run) => run.agent],
  ['projekt', 'text', (run) => run.projekt],
  ['endkunde_ref', 'text', (run) => run.endkunde],
  ['eltern_lauf', 'uuid', (run) => run.eltern],
  ['status', 'text', (run) => run.status],
  ['beginn', 'timestamptz', (run) => isoOf(run.beginn)],
  ['ende', 'timestamptz', (run) => isoOf(run.ende)],
  ['letzter_schritt', 'bigint', (run) => run.letzterSchritt],
  ['aufrufe', 'bigint', (run) => run.aufrufe],
  ['fehler', 'bigint', (run) => run.fehler],
  ['unbepreist', 'bigint', (run) => run.unbepreist],
  ['teilbepreist', 'bigint', (run) => run.teilbepreist],
  ['eingabe_token', 'numeric', (run) => run.eingabe],
  ['ausgabe_token', 'numeric', (run) => run.ausgabe],
  ['cache_lese_token', 'numeric', (run) => run.cacheLese],
  ['cache_schreib_token', 'numeric', (run) => run.cacheSchreib],
  ['denk_token', 'numeric', (run) => run.denk],
  ['eingabe_ohne_cache', 'numeric', (run) => run.eingabeOhneCache],
  ['ausgabe_gesamt', 'numeric', (run) => run.ausgabeGesamt],
  // Each call that is new brings both.
  ['aufgeteilt', 'bigint', (run) => run.aufrufe],
  ['fertig_ms', 'bigint', (run) => run.fertig],
  ['kosten_usd', 'numeric', (run) => money(run.usd, USD_SCALE)],
  ['kosten_eur', 'numeric', (run) => money(run.eur, EUR_SCALE)],
  ['ersatz_eur', 'numeric', (run) => textOf(run.ersatzEur, EUR_SCALE)],
  ['verbranntes_geld_eur', 'numeric', (run) => textOf(run.verbranntEur, EUR_SCALE)],
];

/** What an upsert of runs sets besides the figures, by what is added. */
const BESIDES = { newCalls: LATEST_CALL, changes: [], changesToLookAt: ['fassung = v.fassung + 1'] };

const setsOf = (what: keyof typeof BESIDES) => [
  ...sumUp('v', RUN_COUNTS),
  ...RUN_COSTS.map((name) => `${name} = coalesce(v.${name} + excluded.${name}, v.${name}, excluded.${name})`),
  'endkunde_ref = coalesce(v.endkunde_ref, excluded.endkunde_ref)',
  // The least of those that are not null.
  'eltern_lauf = least(v.eltern_lauf, excluded.eltern_lauf)',
  ...BESIDES[what],
  'beginn = least(v.beginn, excluded.beginn)',
  'ende = greatest(v.ende, excluded.ende)',
  'fertig_ms = greatest(v.fertig_ms, excluded.fertig_ms)',
];

const updateBy = (what: keyof typeof BESIDES) =>
  `(mandant_id, lauf_id) DO UPDATE SET ${setsOf(what).join(', ')}`;
const ADD = `${updateBy('newCalls')} RETURNING v.mandant_id, v.lauf_id, v.aufrufe, v.fassung`;

const totalsOf = (parts: Written[]) => rowsOf(parts, ({ runs }) => runs);

/** Adds to the figures of runs what changed of calls that were counted before; `rereads`: whoever remembers the runs reads them anew. */
export function changeRuns(statement: Statement, parts: Written[], rereads: boolean): void {
  const update = updateBy(rereads ? 'changesToLookAt' : 'changes');
  insert(statement, 'laeufe', RUN_COLUMNS, totalsOf(parts), update);
}

/** Adds new calls to the figures of runs. The statement answers with what each run is then, read by `readRunEditions`. */
export function addRuns(statement: Statement, parts: Written[]): void {
  const added = insert(statement, 'laeufe', RUN_COLUMNS, totalsOf(parts), ADD);
  statement.answer = `SELECT string_agg(uuid_send(mandant_id) || uuid_send(lauf_id) || int8send(aufrufe) || int4send(fassung), ''::bytea)
    AS laeufe FROM ${added}`;
}

/** How often a run has called, and which edition of its calls that is. */
export interface RunEdition {
  aufrufe: number;
  fassung: number;
}

const EDITION_BYTES = 2 * UUID_BYTES + 8 + 4;

/** By Mandant and run: what the runs are after `addRuns`. */
export function readRunEditions(bytes: Buffer | null): Map<string, Map<string, RunEdition>> {
  const editions = new Map<string, Map<string, RunEdition>>();
  for (let at = 0; bytes && at < bytes.length; at += EDITION_BYTES) {
    const mandant = uuidText(bytes, at);
    const own = editions.get(mandant) ?? new Map<string, RunEdition>();
    editions.set(mandant, own);
    own.set(uuidText(bytes, at + UUID_BYTES), {
      aufrufe: Number(bytes.readBigInt64BE(at + 2 * UUID_BYTES)),
      fassung: bytes.readInt32BE(at + 2 * UUID_BYTES + 8),
    });
  }
  return editions;
}
