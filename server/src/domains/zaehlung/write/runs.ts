/** Runs and their states. */
import { isoOf } from '#kernel/microseconds.ts';
import { EUR_SCALE, textOf, USD_SCALE } from '#kernel/money.ts';
import type { RunTotal } from '../runs.ts';
import { type Column, insert, rowsOf, type Statement, sumUp, unnest } from './statement.ts';
import type { Counted, Written } from './written.ts';

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

/** Adds to the figures of runs, of calls that are new or that were counted before. */
export function addRuns(statement: Statement, parts: Written[], calls: 'new' | 'known'): void {
  const sets = [
    ...sumUp('v', RUN_COUNTS),
    ...RUN_COSTS.map(
      (name) => `${name} = coalesce(v.${name} + excluded.${name}, v.${name}, excluded.${name})`,
    ),
    'endkunde_ref = coalesce(v.endkunde_ref, excluded.endkunde_ref)',
    // The least of those that are not null.
    'eltern_lauf = least(v.eltern_lauf, excluded.eltern_lauf)',
    ...(calls === 'new' ? LATEST_CALL : []),
    'beginn = least(v.beginn, excluded.beginn)',
    'ende = greatest(v.ende, excluded.ende)',
    'fertig_ms = greatest(v.fertig_ms, excluded.fertig_ms)',
  ];
  const rows = rowsOf(parts, ({ runs }) => runs);
  insert(statement, 'laeufe', RUN_COLUMNS, rows, `(mandant_id, lauf_id) DO UPDATE SET ${sets.join(', ')}`);
}

/** States of runs, one behind the other in one value; the last two columns say where in it each stands. */
export function addRunStates(statement: Statement, parts: Counted[]): void {
  let end = 1;
  const rows = rowsOf(parts, ({ states, marken }) =>
    states.map((changed) => {
      const beginn = end;
      end += changed.zustand.length;
      return { ...changed, nummer: marken + 1, beginn };
    }),
  );
  const all = statement.place(Buffer.concat(rows.map(({ row }) => row.zustand)));
  const columns: Column<(typeof rows)[number]['row']>[] = [
    ['lauf_id', 'uuid', ({ lauf }) => lauf],
    ['neu_lesen', 'int', ({ neuLesen }) => Number(neuLesen)],
    ['nummer', 'bigint', ({ nummer }) => nummer],
    ['beginn', 'int', ({ beginn }) => beginn],
    ['laenge', 'int', ({ zustand }) => zustand.length],
  ];
  statement.part(`INSERT INTO lauf_zustaende AS v (mandant_id, lauf_id, zustand, neu_lesen, nummer)
    SELECT ${statement.inserted}, n.lauf_id, substring(${all}::bytea FROM n.beginn FOR n.laenge), n.neu_lesen = 1, n.nummer
    FROM ${statement.from(unnest(statement, columns, rows))}
    ON CONFLICT (mandant_id, lauf_id) DO UPDATE SET zustand = excluded.zustand, neu_lesen = excluded.neu_lesen,
      nummer = excluded.nummer, geaendert_am = excluded.geaendert_am`);
}

/** What a run's state says of its cost is not right any more. */
export function markRuns(statement: Statement, parts: Written[]): void {
  const rows = rowsOf(parts, ({ runs, marken }) => runs.map(({ lauf }) => ({ lauf, nummer: marken + 1 })));
  const columns: Column<(typeof rows)[number]['row']>[] = [
    ['lauf_id', 'uuid', ({ lauf }) => lauf],
    ['nummer', 'bigint', ({ nummer }) => nummer],
  ];
  statement.part(`UPDATE lauf_zustaende z SET neu_lesen = true, nummer = n.nummer, geaendert_am = now()
    FROM ${unnest(statement, columns, rows)}
    WHERE z.mandant_id = ${statement.mandant} AND z.lauf_id = n.lauf_id`);
}
