/** Sums of consumption by local day or hour, all calls together and by each dimension: asked of the engine, stretch by stretch, page by page. */
import { setTimeout as delay } from 'node:timers/promises';
import { DIMENSION_NAMES, FIGURE_NAMES } from '#contracts';
import {
  consumptionByEngine,
  type Engine,
  type EngineConsumption,
  type EngineQuestion,
  readDaysWithCalls,
} from '#domains/verbrauch/index.ts';
import { AppError } from '#kernel/errors.ts';
import { nextHour, type Window } from '#kernel/zeitraum.ts';
import { callerSignal, requireCaller } from '#platform/caller.ts';
import type { MandantTx } from '#platform/database/index.ts';
import type { SumsList } from './list.ts';
import type { Row } from './store.ts';

/** What the sums are asked with. The transaction reads from one snapshot. */
export interface SumsSource {
  engine: Engine;
  tx: MandantTx;
  zone: string;
}

/**
 * A question is about a bounded number of calls and days, so that they are added up once for all their rows: each page of more rows adds them
 * up anew.
 */
const CALLS_AT_ONCE = 4_000;
const DAYS_AT_ONCE = 31;
/** Rows that become text at a time; others wait for no more. */
const ROWS_AT_ONCE = 250;

/** A file that has begun cannot be refused any more: its page is asked for again, and what was loaded for it is there. */
const ASKED_AGAIN = 10;

const ALL = 'gesamt';

/** Local days that are asked about at once. */
interface Stretch {
  first: Temporal.PlainDate;
  last: Temporal.PlainDate;
  calls: number;
}

const windowOf = ({ first, last }: Pick<Stretch, 'first' | 'last'>, zone: string): Window => ({
  von: first.toZonedDateTime(zone),
  bis: last.add({ days: 1 }).toZonedDateTime(zone),
});

const hasRoom = ({ first, calls }: Stretch, day: Temporal.PlainDate, more: number): boolean =>
  calls + more <= CALLS_AT_ONCE && first.until(day, { largestUnit: 'days' }).days < DAYS_AT_ONCE;

/** Its hours one by one where it has too many calls; their sums by the day are of all of it. */
function* windowsOf(stretch: Stretch, by: SumsList['by'], zone: string): Generator<Window> {
  const { von, bis } = windowOf(stretch, zone);
  if (by === 'tag' || stretch.calls <= CALLS_AT_ONCE) yield { von, bis };
  else
    for (let hour = von; Temporal.ZonedDateTime.compare(hour, bis) < 0; ) {
      const next = nextHour(hour);
      yield { von: hour, bis: next };
      hour = next;
    }
}

/** The days that changed, the earliest first, as few windows. */
async function readWindows({ tx, zone }: SumsSource, by: SumsList['by'], first?: string): Promise<Window[]> {
  const windows: Window[] = [];
  let open: Stretch | null = null;
  for (const { tag, aufrufe } of await readDaysWithCalls(tx, first)) {
    const day = Temporal.PlainDate.from(tag);
    if (open && hasRoom(open, day, aufrufe))
      open = { first: open.first, last: day, calls: open.calls + aufrufe };
    else {
      if (open) windows.push(...windowsOf(open, by, zone));
      open = { first: day, last: day, calls: aufrufe };
    }
  }
  return open ? [...windows, ...windowsOf(open, by, zone)] : windows;
}

const TOKENS = ['eingabe_ohne_cache', 'cache_lese_token', 'cache_schreib_token', 'ausgabe_gesamt'] as const;
const tokensOf = (sums: EngineConsumption['summe']): string =>
  TOKENS.reduce((sum, name) => sum + BigInt(sums[name] as string), 0n).toString();

function toRow(by: SumsList['by'], dimension: string, zeile: EngineConsumption['zeilen'][number]): Row {
  const [zeit = '', merkmal = ''] = zeile.schluessel;
  // Unknown costs are in no sum: it is 0, and `unbepreist` says why.
  const figures = FIGURE_NAMES.map((name) => [name, zeile[name] ?? '0']);
  return { [by]: zeit, dimension, merkmal, ...Object.fromEntries(figures), token: tokensOf(zeile) };
}

/** As `consumptionByEngine`, which has no time now and some in a moment. Throws its last refusal. */
async function askUntilAnswered(
  { engine, tx }: SumsSource,
  asked: EngineQuestion,
): Promise<EngineConsumption> {
  for (let asks = 0; ; asks += 1)
    try {
      return await consumptionByEngine(engine, tx, asked);
    } catch (error) {
      if (!(error instanceof AppError) || error.retryAfter === null || asks === ASKED_AGAIN) throw error;
      await delay(error.retryAfter * 1_000, undefined, { signal: callerSignal() }).catch(requireCaller);
    }
}

async function* pagesOf(
  source: SumsSource,
  question: Pick<EngineQuestion, 'window' | 'by'>,
): AsyncGenerator<EngineConsumption['zeilen']> {
  for (let after: EngineQuestion['after'] = null; ; ) {
    const asked = { ...question, order: 'time', limit: CALLS_AT_ONCE, after } as const;
    const { zeilen, naechster } = await askUntilAnswered(source, asked);
    for (let row = 0; row < zeilen.length; row += ROWS_AT_ONCE) yield zeilen.slice(row, row + ROWS_AT_ONCE);
    if (!naechster) return;
    after = naechster;
  }
}

/** All rows, or those from the local day `first` on: by dimension, then by time. */
export async function* readSums(
  source: SumsSource,
  by: SumsList['by'],
  first?: string,
): AsyncGenerator<Row[]> {
  const windows = await readWindows(source, by, first);
  for (const dimension of [null, ...DIMENSION_NAMES])
    for (const window of windows)
      for await (const page of pagesOf(source, { window, by: dimension ? [by, dimension] : [by] }))
        yield page.map((zeile) => toRow(by, dimension ?? ALL, zeile));
}

/** Throws what keeps the engine from answering, before anything is written. */
export async function requireSums({ engine, tx, zone }: SumsSource, now: Date): Promise<void> {
  const day = now.toTemporalInstant().toZonedDateTimeISO(zone).toPlainDate();
  await consumptionByEngine(engine, tx, { window: windowOf({ first: day, last: day }, zone), by: [] });
}
