/** Budgets and how they stand. */
import type { budgets, ResponseOf } from '#contracts';
import { readActiveRulesOf } from '#domains/regeln/index.ts';
import { type Costs, rateSourcesOfAll, type Snapshot, withSnapshot } from '#domains/verbrauch/index.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import { type Eur, eurFrom, eurText, minus } from '#kernel/money.ts';
import { toIsoWithOffset } from '#kernel/zeitraum.ts';
import type { ServiceContext } from '#platform/context.ts';
import { cursorOf, type PageQuery, pageOf } from '#platform/page.ts';
import { type Budget, type BudgetRule, holdsFor } from '../found.ts';
import { type Month, monthOf, WINDOW_NAMES } from '../month.ts';
import { burnText, forecastText, isReached, percentOf, type Spend } from '../rules.ts';
import { ARTEN, type Art, costsByDay, hasMinutes, readSpend } from '../spend.ts';
import { type ListedBudget, listBudgets } from '../store.ts';
import { asAsked } from './stand.ts';

type Answer = ResponseOf<typeof budgets>;
type Row = Answer['budgets'][number];
type ThresholdRule = Extract<BudgetRule, { typ: 'budget_schwelle' }>;

const cursor = cursorOf('budgets', 'text', 'text');
const USUAL: readonly number[] = [50, 80, 100];
const MOST_THRESHOLDS = 100;

/** The days of the month up to tomorrow: calls may be dated a day ahead. */
function daysOf({ first, next, now }: Month, zone: string): [string, ...string[]] {
  const last = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone).day + 1;
  const days = Array.from({ length: Math.min(last, first.daysInMonth) }, (_, index) =>
    first.add({ days: index }).toString(),
  );
  return (days.length > 0 ? days : [next.toString()]) as [string, ...string[]];
}

/** The day on which this much of the budget was reached; `since`: what was spent from each of the days on. */
function dayReached(days: string[], since: Eur[], budget: Eur, percent: number): string | null {
  const [all] = since;
  if (all === undefined) return null;
  // Until the end of a day everything but what was spent from the next one on.
  const index = days.findIndex((_, day) => {
    const later = since[day + 1];
    return isReached(later === undefined ? all : minus(all, later), budget, percent);
  });
  return days[index] ?? null;
}

interface Read {
  month: Month;
  days: string[];
  rules: ThresholdRule[];
  spend: Map<string, Spend | null>;
  perDay: Costs;
}

function toRow(listed: ListedBudget, { month, days, rules, spend: all, perDay }: Read): Row | null {
  const { objekt_art: art, schluessel: objekt } = listed;
  const spend = all.get(objekt);
  if (!spend) return null;
  const of: Budget = {
    art,
    objekt,
    name: null,
    budget: eurFrom(listed.budget_eur),
    beiErreichen: listed.bei_erreichen,
  };
  const own = rules.filter((rule) => holdsFor(rule, of)).flatMap(({ parameter }) => parameter.stufen);
  const percents = [...new Set(own.length > 0 ? own : USUAL)].sort((a, b) => a - b);
  const since = (perDay.get(objekt) ?? []).map(eurFrom);
  return {
    ...listed,
    verbraucht_eur: eurText(spend.month),
    anteil_prozent: percentOf(spend.month, of.budget),
    prognose_eur: forecastText(spend, month),
    tempo: WINDOW_NAMES.filter((fenster) => fenster === '3d' || hasMinutes(art)).map((fenster) => ({
      fenster,
      kosten_eur: eurText(spend.windows[fenster]),
      tempo: burnText(spend, of.budget, fenster, month),
    })),
    schwellen: percents.slice(0, MOST_THRESHOLDS).map((prozent) => ({
      prozent,
      erreicht_am: dayReached(days, since, of.budget, prozent),
    })),
  };
}

/** What was spent on these objects of one kind, and from each day of the month on. */
async function readOf(
  snapshot: Snapshot,
  art: Art,
  listed: ListedBudget[],
  { month, days }: Pick<Read, 'month'> & { days: [string, ...string[]] },
): Promise<Pick<Read, 'spend' | 'perDay'>> {
  const values = listed.filter(({ objekt_art }) => objekt_art === art).map(({ schluessel }) => schluessel);
  const { tx } = snapshot;
  const of = asAsked(snapshot);
  const spend = await readSpend(of, tx.mandant, art, values, month, 'windows');
  const perDay = await costsByDay(of, tx.mandant, art, values, {
    since: days,
    until: month.next.toString(),
    zone: month.zone,
  });
  return { spend, perDay };
}

/** A page of the Mandant's budgets, by kind and key. */
export function readBudgetList(
  context: Pick<ServiceContext, 'db' | 'clock' | 'config' | 'log'>,
  mandant: MandantId,
  { limit, nach }: PageQuery,
): Promise<Answer> {
  const after = cursor.read(nach);
  return withSnapshot(context, mandant, async (snapshot) => {
    const { tx, now, zone, gezaehltBis } = snapshot;
    const month = monthOf(now, zone);
    const days = daysOf(month, zone);
    const found = await listBudgets(tx, { limit: limit + 1, after });
    const { rows, weiter } = pageOf(found, limit, cursor, (row) => [row.objekt_art, row.schluessel]);
    const rules = await readActiveRulesOf(tx, 'budget_schwelle');
    const shown: Row[] = [];
    for (const art of [...ARTEN].sort()) {
      const read = { month, days, rules, ...(await readOf(snapshot, art, rows, { month, days })) };
      for (const row of rows) if (row.objekt_art === art) shown.push(...[toRow(row, read) ?? []].flat());
    }
    const window = { von: month.first.toZonedDateTime(zone), bis: month.next.toZonedDateTime(zone) };
    return {
      monat: month.name,
      von: toIsoWithOffset(window.von),
      bis: toIsoWithOffset(window.bis),
      gezaehlt_bis: gezaehltBis,
      budgets: shown,
      kursquellen: await rateSourcesOfAll(snapshot, window),
      weiter,
    };
  });
}
