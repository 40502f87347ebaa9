/** Limits and budgets that are armed, looked at as soon as their sums have changed. Those in shadow mode wait for the next batch. */
import type pg from 'pg';
import { BUDGET_ARTEN, DIMENSIONS, type Geltungsbereich, isBudgetType } from '#contracts';
import { askForBudgets, type BudgetRow, findBudgetBreaches } from '#domains/budgets/index.ts';
import type { RegelVon } from '#domains/regeln/index.ts';
import { askForValues } from '#domains/zaehlung/index.ts';
import { mandantId } from '#kernel/mandant-id.ts';
import type { Candidate } from '../candidate.ts';
import { asRule, type Look } from '../detector.ts';
import { detect, isSumRule, ofSums, type SumRule } from '../detectors.ts';
import { localBegin } from '../local-time.ts';
import { askedBy } from '../sums/asked-values.ts';
import { isPerAgent } from '../sums/per-agent.ts';
import type { MarksOfMandant } from './marks.ts';
import { withoutThoseJustSeen } from './rest.ts';

const isArmedLimit = (rule: RegelVon): rule is SumRule =>
  !rule.schattenbetrieb && isSumRule(rule) && ofSums(rule).trigger;

const DIMENSION_OF: Record<Exclude<Geltungsbereich, 'mandant'>, number> = {
  projekt: DIMENSIONS.projekt.number,
  agent: DIMENSIONS.agent.number,
  endkunde: DIMENSIONS.endkunde.number,
  funktion: DIMENSIONS.funktion.number,
  modell: DIMENSIONS.modell.number,
};

// Values by their text, as far as they are among those that changed.
const CHANGED = `SELECT m.dimension, m.text FROM unnest($2::smallint[], $3::text[]) AS n (dimension, text)
  JOIN merkmale m ON m.mandant_id = $1 AND m.dimension = n.dimension AND m.text = n.text
  WHERE m.merkmal_id = ANY ($4::int[])`;

/** Those of the rules whose sums have changed. */
async function changed<R extends RegelVon>(
  client: pg.PoolClient,
  { mandant, merkmale }: MarksOfMandant,
  rules: R[],
): Promise<R[]> {
  const named = rules.filter(({ bezug }) => bezug !== null);
  if (named.length === 0) return rules;
  const { rows } = await client.query<{ dimension: number; text: string }>(CHANGED, [
    mandant,
    named.map(({ geltungsbereich }) => (geltungsbereich === 'mandant' ? 0 : DIMENSION_OF[geltungsbereich])),
    named.map(({ bezug }) => bezug),
    merkmale,
  ]);
  const hit = new Set(rows.map(({ dimension, text }) => `${dimension} ${text}`));
  return rules.filter(
    ({ geltungsbereich, bezug }) =>
      bezug === null || geltungsbereich === 'mandant' || hit.has(`${DIMENSION_OF[geltungsbereich]} ${bezug}`),
  );
}

const isArmedBudget = ({ typ, schattenbetrieb }: RegelVon): boolean => !schattenbetrieb && isBudgetType(typ);

/** Whether there is anything about sums to be looked at: an armed limit, or a budget, which may act by itself. */
export const areAboutSums = (rules: RegelVon[], budgets: BudgetRow[]): boolean =>
  budgets.length > 0 || rules.some(isArmedLimit);

/** Kinds with budgets that are dimensions of sums, but for agents. */
const SUMMED = BUDGET_ARTEN.filter((art) => art !== 'agent' && art !== 'schluessel');

const CHANGED_VALUES = `SELECT dimension, text FROM merkmale
  WHERE mandant_id = $1 AND merkmal_id = ANY ($2::int[]) AND dimension = ANY ($3::smallint[])`;

/** What was spent on, of the kinds that have budgets: agents and keys stand in the marks. */
async function changedSince(
  client: pg.PoolClient,
  { mandant, merkmale, agenten, schluessel }: MarksOfMandant,
  budgets: BudgetRow[],
) {
  const arten = SUMMED.filter((art) => budgets.some((each) => each.art === art));
  const numbers = arten.map((art) => DIMENSIONS[art].number);
  const { rows } =
    arten.length === 0
      ? { rows: [] }
      : await client.query<{ dimension: number; text: string }>(CHANGED_VALUES, [mandant, merkmale, numbers]);
  const textsOf = (number: number) =>
    new Set(rows.filter(({ dimension }) => dimension === number).map(({ text }) => text));
  return {
    agent: new Set(agenten),
    schluessel: new Set(schluessel),
    ...Object.fromEntries(arten.map((art) => [art, textsOf(DIMENSIONS[art].number)])),
  };
}

/** What armed rules about budgets find where something was spent, and which budgets act by themselves. */
async function findInBudgets(
  client: pg.PoolClient,
  group: MarksOfMandant,
  rules: RegelVon[],
  budgets: BudgetRow[],
  now: Date,
): Promise<Candidate[]> {
  if (budgets.length === 0) return [];
  const { mandant } = group;
  const changed: Partial<Record<string, ReadonlySet<string>>> = await changedSince(client, group, budgets);
  await askForBudgets(
    client,
    mandantId(mandant),
    budgets.filter(({ art, objekt }) => changed[art]?.has(objekt)),
  );
  const asked = { mandant, budgets, rules: rules.filter(isArmedBudget), changed };
  const [breaches] = await findBudgetBreaches(client, [asked], now);
  return breaches?.candidates ?? [];
}

/** What armed limits find in the sums of today, and budgets with armed rules about them in those of the month. */
export async function findInSums(
  client: pg.PoolClient,
  group: MarksOfMandant,
  rules: RegelVon[],
  budgets: BudgetRow[],
  now: Date,
): Promise<Candidate[]> {
  const found = await findInBudgets(client, group, rules, budgets, now);
  const limits = await changed(client, group, rules.filter(isArmedLimit));
  if (limits.length === 0) return found;
  await askForValues(client, mandantId(group.mandant), askedBy(limits.map(asRule)));
  const bis = Temporal.Instant.fromEpochMilliseconds(now.getTime());
  const { mandant, zone, agenten } = group;
  const von = localBegin(bis, 'day', zone).toInstant();
  const look: Look = { client, mandant, zone, von, bis };
  const open = await withoutThoseJustSeen(
    client,
    mandant,
    new Map(limits.map((rule) => [rule, agenten])),
    now,
  );
  for (const [rule, rested] of open) {
    if (isPerAgent(rule) && rested.length === 0) continue;
    // What is later than an hour is left to the batches.
    const begin =
      rule.zeitfenster === 'stunde' ? localBegin(bis, 'hour', zone).toInstant().subtract({ hours: 1 }) : von;
    found.push(...(await detect({ ...look, von: begin, agenten: rested }, rule)));
  }
  return found;
}
