/** What rules find of a budget: one candidate for each threshold, rate or forecast that is too high. Pure. */
import type { Candidate } from '#domains/befunde/index.ts';
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
import type { Art, Depth } from './spend.ts';

/** An object with its budget and what was spent on it. */
export interface Budget {
  art: Art;
  /** Key of the agent or project. */
  objekt: string;
  budget: Eur;
}

export type BudgetRule = Extract<RegelVon, { typ: 'budget_schwelle' | 'budget_tempo' | 'budget_prognose' }>;

/** What must be read for rules of a type. */
export const DEPTHS: Record<BudgetRule['typ'], Depth> = {
  budget_schwelle: 'month',
  budget_prognose: 'day',
  budget_tempo: 'windows',
};

export const isBudgetRule = (regel: RegelVon): regel is BudgetRule => Object.hasOwn(DEPTHS, regel.typ);

/** A rule for the whole Mandant is about every budget, any other about that of what it names. */
export const holdsFor = ({ geltungsbereich, bezug }: BudgetRule, { art, objekt }: Budget): boolean =>
  geltungsbereich === 'mandant' || (geltungsbereich === art && bezug === objekt);

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
  // One finding for the month, told again when twice as much is spent: not one a day.
  return [{ fensterBeginn: iso(month.begins), werte }];
}

function forecasts(
  { schwelle, parameter }: Extract<BudgetRule, { typ: 'budget_prognose' }>,
  { budget }: Budget,
  spend: Spend,
  month: Month,
): Found[] {
  const limits = { schwelle: schwelle ?? '100', mindestProzent: parameter.mindest_prozent };
  if (!isForecastTooHigh(spend, budget, month, limits)) return [];
  return [{ fensterBeginn: iso(month.begins), werte: { prognose_eur: forecastText(spend, month) } }];
}

function findingsOf(regel: BudgetRule, budget: Budget, spend: Spend, month: Month): Found[] {
  if (regel.typ === 'budget_schwelle') return thresholds(regel, budget, spend, month);
  return regel.typ === 'budget_tempo'
    ? rates(regel, budget, spend, month)
    : forecasts(regel, budget, spend, month);
}

/** What a rule finds of a budget it holds for. */
export function candidatesOf(regel: BudgetRule, of: Budget, spend: Spend, month: Month): Candidate[] {
  const spent = eurText(spend.month);
  return findingsOf(regel, of, spend, month).map(({ werte, ...found }) => ({
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
      ...werte,
    },
    ...found,
  }));
}
