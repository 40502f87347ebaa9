/** Armed rules over the calls of an agent that has just called, looked at as soon as there is reason to. Those in shadow mode wait for the next batch. */
import type pg from 'pg';
import { DIMENSIONS } from '#contracts';
import type { RegelVon } from '#domains/regeln/index.ts';
import { GRAINS, TOTAL } from '#domains/verbrauch/index.ts';
import { windowMinutes } from '../calls/statement.ts';
import type { Candidate } from '../candidate.ts';
import type { Look, SeenOfAgent } from '../detector.ts';
import { type CallRule, detect, isCallRule, ofCalls } from '../detectors.ts';
import { isoOf, localBegin } from '../local-time.ts';
import type { MarksOfMandant } from './marks.ts';
import { withoutThoseJustSeen } from './rest.ts';

/** Agents that have made more calls in the time that would be read are left to the next batch: nobody reads them with each call. */
const MOST_CALLS = 20_000;
/** More at once are left to the next batch. */
const MOST_AGENTS = 50;

const isTriggered = (rule: RegelVon): rule is CallRule =>
  !rule.schattenbetrieb && isCallRule(rule) && ofCalls(rule).trigger !== null;

/** Whether any of the rules is about agents and armed. */
export const areAboutAgents = (rules: RegelVon[]): boolean => rules.some(isTriggered);

interface MinuteRow {
  agent: string;
  minute: string;
  aufrufe: number;
  fehler: number;
}

const MINUTES = `SELECT m.text AS agent, s.minute, s.aufrufe::float8 AS aufrufe, s.fehler::float8 AS fehler
  FROM (SELECT merkmal_id, minute, aufrufe, fehler FROM ${GRAINS.minute.table}
    WHERE mandant_id = $1 AND dimension = ${DIMENSIONS.agent.number} AND minute >= $2::timestamptz AND merkmal_id = ANY ($3::int[])) AS s
  JOIN merkmale m ON m.mandant_id = $1 AND m.dimension = ${DIMENSIONS.agent.number} AND m.merkmal_id = s.merkmal_id`;
const MODELLE = `SELECT text FROM merkmale WHERE mandant_id = $1 AND dimension = ${DIMENSIONS.modell.number} AND merkmal_id = ANY ($2::int[])`;

/** The agents that have just called. */
async function readSeen(
  client: pg.PoolClient,
  { mandant, merkmale }: MarksOfMandant,
  since: Date,
): Promise<Map<string, SeenOfAgent>> {
  const models = await client.query<{ text: string }>({
    name: 'modelle_der_marken',
    text: MODELLE,
    values: [mandant, merkmale],
  });
  const modelle = models.rows.map(({ text }) => text);
  const { rows } = await client.query<MinuteRow>({
    name: 'fehler_der_minuten',
    text: MINUTES,
    values: [mandant, since.toISOString(), merkmale],
  });
  const byAgent = Map.groupBy(rows, ({ agent }) => agent);
  return new Map(
    [...byAgent].map(([agent, own]) => [
      agent,
      { modelle, minutes: own.map(({ minute, ...rest }) => ({ ...rest, ms: Date.parse(minute) })) },
    ]),
  );
}

/** Which agents there is reason to look at, by the rule. */
function reasonsOf(rules: CallRule[], seen: Map<string, SeenOfAgent>): Map<CallRule, string[]> {
  const some = [...seen].filter(
    ([, { minutes }]) => minutes.reduce((sum, { aufrufe }) => sum + aufrufe, 0) <= MOST_CALLS,
  );
  const firing = (rule: CallRule) =>
    some
      .filter(([, own]) => ofCalls(rule).trigger?.(rule, own) ?? false)
      .map(([agent]) => agent)
      .slice(0, MOST_AGENTS);
  const reasons = rules.map((rule): [CallRule, string[]] => [rule, firing(rule)]);
  return new Map(reasons.filter(([, agents]) => agents.length > 0));
}

const MINUTE = 60_000;
const HOUR = 60;

const HOURS_OF_DAY = 'mandant_id = $1 AND stunde >= $2::timestamptz AND stunde < $3::timestamptz';
const IN_DAY = `WITH gefragt AS MATERIALIZED (
    SELECT merkmal_id, text FROM merkmale
    WHERE mandant_id = $1 AND dimension = ${DIMENSIONS.agent.number} AND text = ANY ($4::text[]))
  SELECT g.text AS agent FROM ${GRAINS.stunde.table} v JOIN gefragt g USING (merkmal_id)
  WHERE ${HOURS_OF_DAY} AND dimension = ${DIMENSIONS.agent.number} AND merkmal_id = ANY (ARRAY(SELECT merkmal_id FROM gefragt))
    AND stunde = ANY (ARRAY(SELECT stunde FROM ${GRAINS.stunde.table} WHERE ${HOURS_OF_DAY} AND dimension = ${TOTAL.dimension} AND merkmal_id = ${TOTAL.merkmal}))
  GROUP BY g.text HAVING sum(v.aufrufe) <= ${MOST_CALLS}`;

/**
 * What a rule reads of its agents: the hour that its window begins in, or, where the window is longer, the day, of those that have not made too
 * many calls in it. What was called just before the hour or the day changed belongs to the one before.
 */
async function lookFor(
  { client, mandant, zone, bis }: Omit<Look, 'von' | 'agenten'>,
  rule: CallRule,
  agents: string[],
  now: Date,
): Promise<Look> {
  const window = windowMinutes(rule);
  const at = Temporal.Instant.fromEpochMilliseconds(now.getTime());
  if (window <= HOUR) {
    const von = localBegin(at.subtract({ minutes: window }), 'hour', zone)
      .toInstant()
      .subtract({ minutes: window + 1 });
    return { client, mandant, zone, von, bis, agenten: agents };
  }
  const day = localBegin(at.subtract({ minutes: 1 }), 'day', zone);
  const { rows } = await client.query<{ agent: string }>(IN_DAY, [
    mandant,
    isoOf(day),
    isoOf(day.toPlainDate().add({ days: 1 }).toZonedDateTime(zone)),
    agents,
  ]);
  return { client, mandant, zone, von: day.toInstant(), bis, agenten: rows.map(({ agent }) => agent) };
}

/** What armed rules about calls find of the agents that have just called. */
export async function findOfAgents(
  client: pg.PoolClient,
  group: MarksOfMandant,
  rules: RegelVon[],
  now: Date,
): Promise<Candidate[]> {
  const own = rules.filter(isTriggered);
  const longest = Math.max(...own.map(windowMinutes).filter((minutes) => minutes <= HOUR), 1);
  const seen = await readSeen(client, group, new Date(now.getTime() - (longest + 1) * MINUTE));
  const reasons = reasonsOf(own, seen);
  if (reasons.size === 0) return [];
  const open = await withoutThoseJustSeen(client, group.mandant, reasons, now);
  const { mandant, zone } = group;
  const bis = Temporal.Instant.fromEpochMilliseconds(now.getTime()).add({ hours: 1 });
  const found: Candidate[] = [];
  for (const [rule, agenten] of open) {
    if (agenten.length === 0) continue;
    found.push(...(await detect(await lookFor({ client, mandant, zone, bis }, rule, agenten, now), rule)));
  }
  return found;
}
