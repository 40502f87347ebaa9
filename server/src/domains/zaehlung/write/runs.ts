/** Runs: what is added to their figures. */
import { UUID_BYTES, uuidText } from '#kernel/hex.ts';
import type { Microseconds } from '#kernel/microseconds.ts';
import { EUR_SCALE, USD_SCALE } from '#kernel/money.ts';
import type { BinaryArray } from '#platform/database/copy/binary-array.ts';
import type { RunTotal } from '../runs.ts';
import { type Column, insert, rowsOf, type Statement, sumUp } from './statement.ts';
import type { Written } from './written.ts';

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

/** A run of its own for each call of a stretch: as texts their columns cost as much as all else that is done with a call. */
const text =
  (read: (run: RunTotal) => string | null) =>
  (out: BinaryArray, run: RunTotal): void => {
    const value = read(run);
    if (value === null) out.null();
    else out.text(value);
  };
const uuid =
  (read: (run: RunTotal) => string | null) =>
  (out: BinaryArray, run: RunTotal): void => {
    const value = read(run);
    if (value === null) out.null();
    else out.uuid(value);
  };
const whole =
  (read: (run: RunTotal) => number | bigint | null) =>
  (out: BinaryArray, run: RunTotal): void => {
    const value = read(run);
    if (value === null) out.null();
    else out.whole(value);
  };
const money =
  (read: (run: RunTotal) => bigint | null, scale: number) =>
  (out: BinaryArray, run: RunTotal): void => {
    const value = read(run);
    if (value === null) out.null();
    else out.scaled(value, scale);
  };
const instant =
  (read: (run: RunTotal) => Microseconds) =>
  (out: BinaryArray, run: RunTotal): void => {
    const { seconds, micros } = read(run);
    out.instant(seconds, micros);
  };

const RUN_COLUMNS: Column<RunTotal>[] = [
  ['lauf_id', uuid((run) => run.lauf), 'uuid'],
  ['agent', text((run) => run.agent), 'text'],
  ['projekt', text((run) => run.projekt), 'text'],
  ['endkunde_ref', text((run) => run.endkunde), 'text'],
  ['eltern_lauf', uuid((run) => run.eltern), 'uuid'],
  ['status', text((run) => run.status), 'text'],
  ['beginn', instant((run) => run.beginn), 'timestamptz'],
  ['ende', instant((run) => run.ende), 'timestamptz'],
  ['letzter_schritt', whole((run) => run.letzterSchritt), 'bigint'],
  ['aufrufe', whole((run) => run.aufrufe), 'bigint'],
  ['fehler', whole((run) => run.fehler), 'bigint'],
  ['unbepreist', whole((run) => run.unbepreist), 'bigint'],
  ['teilbepreist', whole((run) => run.teilbepreist), 'bigint'],
  ['eingabe_token', whole((run) => run.eingabe), 'numeric'],
  ['ausgabe_token', whole((run) => run.ausgabe), 'numeric'],
  ['cache_lese_token', whole((run) => run.cacheLese), 'numeric'],
  ['cache_schreib_token', whole((run) => run.cacheSchreib), 'numeric'],
  ['denk_token', whole((run) => run.denk), 'numeric'],
  ['eingabe_ohne_cache', whole((run) => run.eingabeOhneCache), 'numeric'],
  ['ausgabe_gesamt', whole((run) => run.ausgabeGesamt), 'numeric'],
  // Each call that is new brings both.
  ['aufgeteilt', whole((run) => run.aufrufe), 'bigint'],
  ['fertig_ms', whole((run) => run.fertig), 'bigint'],
  ['kosten_usd', money((run) => run.usd, USD_SCALE), 'numeric'],
  ['kosten_eur', money((run) => run.eur, EUR_SCALE), 'numeric'],
  ['ersatz_eur', money((run) => run.ersatzEur, EUR_SCALE), 'numeric'],
  ['verbranntes_geld_eur', money((run) => run.verbranntEur, EUR_SCALE), 'numeric'],
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

/** Adds to the figures of runs what changed of calls that were counted before; `rereads`: the memory of runs reads them anew. */
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
  let own = new Map<string, RunEdition>();
  for (let at = 0; bytes && at < bytes.length; at += EDITION_BYTES) {
    // Those of a Mandant stand together, mostly.
    const before = at - EDITION_BYTES;
    if (at === 0 || bytes.compare(bytes, before, before + UUID_BYTES, at, at + UUID_BYTES) !== 0) {
      const mandant = uuidText(bytes, at);
      own = editions.get(mandant) ?? new Map<string, RunEdition>();
      editions.set(mandant, own);
    }
    own.set(uuidText(bytes, at + UUID_BYTES), {
      aufrufe: Number(bytes.readBigInt64BE(at + 2 * UUID_BYTES)),
      fassung: bytes.readInt32BE(at + 2 * UUID_BYTES + 8),
    });
  }
  return editions;
}
