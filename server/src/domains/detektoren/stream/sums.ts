/** Limits and budgets that are armed, looked at as soon as their sums have changed. Those in shadow mode wait for the next batch. */
import type pg from 'pg';
import { BUDGET_ARTEN, DIMENSIONS, type Geltungsbereich, isBudgetType } from '#contracts';
import { askForBudgets, type BudgetRow, findBudgetBreaches } from '#domains/budgets/index.ts';
import { FUTURE_LIMIT } from '#domains/ereignisse/index.ts';
import type { RegelVon } from '#domains/regeln/index.ts';
import { askForValues } from '#domains/zaehlung/index.ts';
import { mandantId } from '#kernel/mandant-id.ts';
import { eurFrom } from '#kernel/money.ts';
import type { Candidate } from '../candidate.ts';
import { asRule, type Look } from '../detector.ts';
import { detect, isSumRule, ofSums, type SumRule } from '../detectors.ts';
import { localBegin } from '../local-time.ts';
import { askedBy } from '../sums/asked-values.ts';
import { isPerAgent } from '../sums/per-agent.ts';
import type { MarksOfMandant } from './marks.ts';
import { withoutThoseJustSeen } from './rest.ts';
import { ALL_TOGETHER, type LimitRooms } from './rooms.ts';

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

/** A limit, and of whom it may be crossed: agents, where it is about each by itself, or all together. */
export interface OpenLimit {
  rule: SumRule;
  /** Names it as it is now: with another threshold, or in another zone, there is other room. */
  key: string;
  objects: string[];
}

/** Of whom the room of a limit is about. */
function objectsOf(rule: SumRule, agenten: readonly string[]): readonly string[] {
  if (isPerAgent(rule)) return agenten;
  return [rule.geltungsbereich === 'agent' ? (rule.bezug ?? ALL_TOGETHER) : ALL_TOGETHER];
}

/** The armed limits that may be crossed by what marks say was spent: those of money, once there is no room any more. */
export function limitsToLookAt(group: MarksOfMandant, rules: RegelVon[], rooms: LimitRooms): OpenLimit[] {
  const { mandant, zone, agenten } = group;
  const agents = [...new Set(agenten)];
  return rules.filter(isArmedLimit).flatMap((rule): OpenLimit[] => {
    const { regel_id, schwelle, zeitfenster, geltungsbereich, bezug, parameter } = rule;
    const key = JSON.stringify([regel_id, zone, schwelle, zeitfenster, geltungsbereich, bezug, parameter]);
    const all = objectsOf(rule, agents);
    const objects = ofSums(rule).reached === null ? [...all] : rooms.withoutRoom(mandant, key, all);
    return objects.length > 0 ? [{ rule, key, objects }] : [];
  });
}

/** Calls may be this far ahead of the clock: their sums are there before windows reach them. */
const AHEAD = { milliseconds: FUTURE_LIMIT + 24 * 3_600_000 };
/** 10^-34 EUR of a millionth of a EUR. */
const MILLIONTH = 10n ** 28n;

/** Asks how much room there is, and remembers it; resolves with those of whom there is none. */
async function withoutRoom(
  look: Look,
  { rule, key, objects }: OpenLimit,
  rooms: LimitRooms,
): Promise<string[]> {
  const { reached } = ofSums(rule);
  if (reached === null) return objects;
  const far = { ...look, bis: look.bis.add(AHEAD) };
  const sums = await reached(isPerAgent(rule) ? { ...far, agenten: objects } : far, rule);
  if (sums === null) return objects;
  const most = eurFrom(rule.schwelle ?? '0');
  const [total] = sums.values();
  const leftOf = (object: string) => most - (isPerAgent(rule) ? (sums.get(object) ?? 0n) : (total ?? 0n));
  const left = objects.map((object): [string, bigint] => [object, leftOf(object)]);
  // Rounded down: what divides evenly is exact, and below zero it is none in any case.
  const room = left.map(([object, eur]): [string, number] => [
    object,
    eur < 0n ? -1 : Number(eur / MILLIONTH),
  ]);
  rooms.learn(look.mandant, key, new Map(room));
  return left.filter(([, eur]) => eur < 0n).map(([object]) => object);
}

/** What an armed limit finds in the sums of today. */
async function findInLimit(look: Look, limit: OpenLimit, rooms: LimitRooms, now: Date): Promise<Candidate[]> {
  const { client, mandant, zone, bis } = look;
  const { rule } = limit;
  // What is later than an hour is left to the batches.
  const von =
    rule.zeitfenster === 'stunde'
      ? localBegin(bis, 'hour', zone).toInstant().subtract({ hours: 1 })
      : look.von;
  const above = await withoutRoom({ ...look, von }, limit, rooms);
  if (above.length === 0) return [];
  const open = await withoutThoseJustSeen(client as pg.PoolClient, mandant, new Map([[rule, above]]), now);
  const agenten = open.get(rule) ?? [];
  if (isPerAgent(rule) && agenten.length === 0) return [];
  return detect({ ...look, von, agenten }, rule);
}

interface Asked {
  rules: RegelVon[];
  budgets: BudgetRow[];
  limits: OpenLimit[];
  rooms: LimitRooms;
}

/** What armed limits find in the sums of today, and budgets with armed rules about them in those of the month. */
export async function findInSums(
  client: pg.PoolClient,
  group: MarksOfMandant,
  { rules, budgets, limits, rooms }: Asked,
  now: Date,
): Promise<Candidate[]> {
  const found = await findInBudgets(client, group, rules, budgets, now);
  const open = new Set(
    await changed(
      client,
      group,
      limits.map(({ rule }) => rule),
    ),
  );
  await askForValues(client, mandantId(group.mandant), askedBy([...open].map(asRule)));
  const bis = Temporal.Instant.fromEpochMilliseconds(now.getTime());
  const { mandant, zone } = group;
  const look: Look = { client, mandant, zone, von: localBegin(bis, 'day', zone).toInstant(), bis };
  for (const limit of limits)
    if (open.has(limit.rule)) found.push(...(await findInLimit(look, limit, rooms, now)));
  return found;
}
