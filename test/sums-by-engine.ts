/** What the engine must answer, added up from the events by SQL; and an engine of one's own to ask. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { type DimensionName, FIGURE_NAMES, FIGURES, type FigureName } from '#contracts';
import type { EngineConsumption, EngineQuestion } from '#domains/verbrauch/engine/consumption-by-engine.ts';
import { consumptionByEngine } from '#domains/verbrauch/engine/consumption-by-engine.ts';
import { Engine, type EngineOptions } from '#domains/verbrauch/engine/engine.ts';
import { type Grouping, isTime } from '#domains/verbrauch/engine/question.ts';
import type { SumsRow } from '#domains/verbrauch/index.ts';
import { EVENT_FIGURES, engineOf, eventValue } from '#domains/verbrauch/index.ts';
import { readOneSnapshot } from '#domains/verbrauch/store/stand.ts';
import { mandantId } from '#kernel/mandant-id.ts';
import { toUtc } from '#kernel/zeitraum.ts';
import { createLog } from '#platform/log.ts';
import type { TestService } from './service.ts';

// Of calls without a known price, or of none at all, there is no cost to add up.
const IS_KNOWN = 's.aufrufe > s.unbepreist';
const amount = (value: string) => `trim_scale(coalesce(${value}, 0))::text`;
const ifKnown = (value: string) => `CASE WHEN ${IS_KNOWN} THEN ${amount(value)} END`;

function selected(name: FigureName): string {
  const { kind, ...rest } = FIGURES[name];
  if (kind === 'count' || kind === 'tokens') return `coalesce(s.${name}, 0)::text AS ${name}`;
  return `${'neverNull' in rest ? amount(`s.${name}`) : ifKnown(`s.${name}`)} AS ${name}`;
}

/** The figures of an answer from the sums `s`. */
const ANSWER = sql.raw(
  [...FIGURE_NAMES.map(selected), `${ifKnown('s.kosten_eur - s.geschaetzt_eur')} AS gemessen_eur`].join(', '),
);

export type { EngineConsumption, EngineQuestion };

export interface TestEngine {
  engine: Engine;
  dataDir: string;
  stop(): Promise<void>;
}

/** With a data directory of its own. */
export function startEngine(options: Partial<EngineOptions> = {}): TestEngine {
  const dataDir = mkdtempSync(join(tmpdir(), 'zw-engine-'));
  const engine = new Engine({ dataDir, bytes: 2 ** 30, log: createLog('fatal'), ...options });
  return {
    engine,
    dataDir,
    stop: async () => {
      await engine.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** In a snapshot of its own. */
export const askEngine = (
  { context }: TestService,
  engine: Engine,
  mandant: string,
  question: EngineQuestion,
): Promise<EngineConsumption> =>
  context.db.forMandant(mandantId(mandant), async (tx) => {
    await readOneSnapshot(tx);
    return consumptionByEngine(engine, tx, question);
  });

const ALL_TIMES = {
  von: Temporal.ZonedDateTime.from('2000-01-01T00:00[Europe/Berlin]'),
  bis: Temporal.ZonedDateTime.from('2100-01-01T00:00[Europe/Berlin]'),
};

/** What all calls of the Mandant add up to, as the service answers. */
export async function sumOfAll(service: TestService, mandant: string): Promise<SumsRow> {
  const { summe } = await askEngine(service, engineOf(service.context), mandant, {
    window: ALL_TIMES,
    by: [],
  });
  return summe;
}

/** All pages of an answer, one behind the other. */
export async function askAllPages(
  service: TestService,
  engine: Engine,
  mandant: string,
  question: EngineQuestion,
): Promise<EngineConsumption['zeilen']> {
  const zeilen: EngineConsumption['zeilen'] = [];
  let after: EngineQuestion['after'] = null;
  do {
    const page: EngineConsumption = await askEngine(service, engine, mandant, { ...question, after });
    zeilen.push(...page.zeilen);
    after = page.naechster;
  } while (after);
  return zeilen;
}

/** What an event `e` is grouped by, as the text of an answer, in SQL. */
function keyOf(grouping: Grouping, zone: string): string {
  if (!isTime(grouping)) return eventValue(grouping as DimensionName);
  if (grouping === 'tag') return `to_char(e.zeitpunkt AT TIME ZONE '${zone}', 'YYYY-MM-DD')`;
  return `to_json(date_trunc('${grouping === 'stunde' ? 'hour' : 'minute'}', e.zeitpunkt, '${zone}')) #>> '{}'`;
}

const COST = `CASE WHEN s.aufrufe = s.unbepreist THEN 'infinity' ELSE -s.kosten_eur END`;

/** All groups of a question and all of them together, in the form of answers. */
export const eventsAddedUp = (
  { context }: TestService,
  mandant: string,
  { window: { von, bis }, by, where = [], order }: EngineQuestion,
): Promise<Pick<EngineConsumption, 'zeilen' | 'summe'>> =>
  context.db.forMandant(mandantId(mandant), async (tx) => {
    const filters = where.map(
      ({ dimension, values }) =>
        sql`AND ${sql.raw(eventValue(dimension as DimensionName))} = ANY(${[...values]}::text[])`,
    );
    const events = sql`FROM ereignisse e WHERE e.mandant_id = ${tx.mandant} AND e.zeitpunkt >= ${toUtc(von)}::timestamptz
      AND e.zeitpunkt < ${toUtc(bis)}::timestamptz ${sql.join(filters, sql` `)}`;
    const whole =
      await sql<SumsRow>`SELECT ${ANSWER} FROM (SELECT ${sql.raw(EVENT_FIGURES)} ${events}) s`.execute(tx);
    const summe = whole.rows[0] as SumsRow;
    if (by.length === 0) return { zeilen: [], summe };
    const isByTime = by.every(isTime);
    const keys = by.map((grouping, index) => `${keyOf(grouping, von.timeZoneId)} COLLATE "C" AS k${index}`);
    const times = by.flatMap((grouping, index) => (isTime(grouping) ? [`k${index}`] : []));
    const names = by.map((_, index) => `k${index}`);
    const placed = (order ?? (isByTime ? 'time' : 'cost')) === 'time' ? times : [];
    const { rows } = await sql<SumsRow & Record<string, string>>`
      SELECT ${sql.raw(names.join(', '))}, trim_scale(nullif(${sql.raw(COST)}, 'infinity'))::text AS place, ${ANSWER}
      FROM (SELECT ${sql.raw(keys.join(', '))}, ${sql.raw(EVENT_FIGURES)} ${events} GROUP BY ${sql.raw(names.join(', '))}) s
      ORDER BY ${sql.raw([...placed, COST, ...names].join(', '))}`.execute(tx);
    const zeilen = rows.map(({ place, ...row }) => {
      const schluessel = names.map((name) => row[name] as string);
      for (const name of names) delete row[name];
      return { ...row, schluessel, place: placed.length === by.length ? null : (place ?? 'Infinity') };
    });
    return { zeilen: zeilen as EngineConsumption['zeilen'], summe };
  });
