/**
 * What rules find of a budget: one candidate for each threshold, rate or forecast that is too high; and what a budget does by itself
 * once it is spent. Pure.
 */
import type { BeiErreichen, Static } from '#contracts';
import { type Candidate, isAtLeast } from '#domains/befunde/index.ts';
import type { RegelVon } from '#domains/regeln/index.ts';
import { type Eur, eurText } from '#kernel/money.ts';
import type { Month } from './month.ts';
import {
  burnText,
  forecastText,
  isForecastTooHigh,
  isReached,
  pairExceeded,
  percentOf,
  type Spend,
} from './rules.ts';
import { type Art, type Depth, hasMinutes } from './spend.ts';

/** An object with its budget and what was spent on it. */
export interface Budget {
  art: Art;
  /** Its key or reference. */
  objekt: string;
  /** Of an API key; null of anything else. */
  name: string | null;
  budget: Eur;
  /** What it does by itself once it is spent. */
  beiErreichen: Static<typeof BeiErreichen>;
}

export type BudgetRule = Extract<RegelVon, { typ: 'budget_schwelle' | 'budget_tempo' | 'budget_prognose' }>;

/** What must be read for rules of a type. */
export const DEPTHS: Record<BudgetRule['typ'], Depth> = {
  budget_schwelle: 'month',
  budget_prognose: 'day',
  budget_tempo: 'windows',
};

export const isBudgetRule = (regel: RegelVon): regel is BudgetRule => Object.hasOwn(DEPTHS, regel.typ);

/** A rule for the whole Mandant is about every budget, any other about that of what it names; rates need sums by the minute. */
export const holdsFor = (
  { typ, geltungsbereich, bezug }: BudgetRule,
  { art, objekt }: Pick<Budget, 'art' | 'objekt'>,
): boolean =>
  (geltungsbereich === 'mandant' || (geltungsbereich === art && bezug === objekt)) &&
  (typ !== 'budget_tempo' || hasMinutes(art));

/** Whether it slows down or blocks once it is spent, without any rule. */
export const actsByItself = ({ beiErreichen }: Pick<Budget, 'beiErreichen'>): boolean =>
  beiErreichen !== 'warnen';

type Found = Pick<Candidate, 'werte' | 'fensterBeginn'> & Partial<Candidate>;

const iso = (milliseconds: number) => new Date(milliseconds).toISOString();

function thresholds(
  { parameter: { stufen } }: Extract<BudgetRule, { typ: 'budget_schwelle' }>,
  { budget }: Budget,
  { month: spent }: Spend,
  { begins, ends }: Month,
): Found[] {
  const highest = Math.max(...stufen);
  // The highest first: an alarm tells of that one.
  return [...new Set(stufen)]
    .sort((a, b) => b - a)
    .filter((percent) => isReached(spent, budget, percent))
    .map((percent) => ({
      teil: String(percent),
      fensterBeginn: iso(begins),
      werte: { schwelle_prozent: percent },
      // What is over is over until the next month, whatever the agent's rest period.
      ...(percent === highest
        ? { bis: iso(ends) }
        : { hoechstens: 'warnen' as const, nurEinmal: true as const }),
    }));
}

function rates(
  { schwelle }: Extract<BudgetRule, { typ: 'budget_tempo' }>,
  { budget }: Budget,
  spend: Spend,
  month: Month,
): Found[] {
  const pair = pairExceeded(spend, budget, month, schwelle ?? '1');
  if (!pair) return [];
  const { long, short } = pair;
  const werte = {
    fenster_lang: long,
    fenster_kurz: short,
    tempo: burnText(spend, budget, long, month),
    tempo_kurz: burnText(spend, budget, short, month),
  };
  // Told once in the month: how it goes on the thresholds say.
  return [{ fensterBeginn: iso(month.begins), werte, nurEinmal: true }];
}

function forecasts(
  { schwelle, parameter }: Extract<BudgetRule, { typ: 'budget_prognose' }>,
  { budget }: Budget,
  spend: Spend,
  month: Month,
): Found[] {
  const limits = { schwelle: schwelle ?? '100', mindestProzent: parameter.mindest_prozent };
  if (!isForecastTooHigh(spend, budget, month, limits)) return [];
  return [
    {
      fensterBeginn: iso(month.begins),
      werte: { prognose_eur: forecastText(spend, month) },
      nurEinmal: true,
    },
  ];
}

function findingsOf(regel: BudgetRule, budget: Budget, spend: Spend, month: Month): Found[] {
  if (regel.typ === 'budget_schwelle') return thresholds(regel, budget, spend, month);
  return regel.typ === 'budget_tempo'
    ? rates(regel, budget, spend, month)
    : forecasts(regel, budget, spend, month);
}

const SPENT = 100;

/** Whether what a rule finds is what the budget itself acts on, which then tells of it alone: unless the rule goes further. */
const isToldByBudget = ({ regel, teil }: Candidate, { beiErreichen }: Budget): boolean =>
  teil === String(SPENT) && regel?.typ === 'budget_schwelle' && isAtLeast(beiErreichen, regel.stufe);

/** What rules find of a budget they hold for, and what it does by itself: of both about its being spent the stricter one. */
export function candidatesOf(rules: BudgetRule[], of: Budget, spend: Spend, month: Month): Candidate[] {
  const found = rules.flatMap((regel) =>
    findingsOf(regel, of, spend, month).map((each) => toCandidate(regel, of, spend, month, each)),
  );
  if (!actsByItself(of) || !isReached(spend.month, of.budget, SPENT)) return found;
  const others = found.filter((each) => !isToldByBudget(each, of));
  const isActedOn = others.some(({ regel, teil }) => teil === String(SPENT) && !regel?.schattenbetrieb);
  if (isActedOn) return others;
  const own = {
    teil: String(SPENT),
    fensterBeginn: iso(month.begins),
    werte: { schwelle_prozent: SPENT },
    bis: iso(month.ends),
    budgetStufe: of.beiErreichen,
  };
  return [toCandidate(null, of, spend, month, own), ...others];
}

function toCandidate(
  regel: BudgetRule | null,
  of: Budget,
  spend: Spend,
  month: Month,
  { werte, ...found }: Found,
): Candidate {
  const spent = eurText(spend.month);
  return {
    regel,
    objektArt: of.art,
    objekt: of.objekt,
    agent: of.art === 'agent' ? of.objekt : null,
    lauf: null,
    kostenEur: spent,
    verbranntEur: null,
    potentialEur: null,
    werte: {
      monat: month.name,
      budget_eur: eurText(of.budget),
      verbraucht_eur: spent,
      anteil_prozent: percentOf(spend.month, of.budget),
      ...(of.name === null ? {} : { name: of.name }),
      ...werte,
    },
    ...found,
  };
}
