/** A rule for the whole account that is about each agent by itself: as rules about those agents that it may have anything to say of. */
import { DIMENSIONS } from '#contracts';
import type { Regel } from '#domains/regeln/index.ts';
import { GRAINS } from '#domains/verbrauch/index.ts';
import { type Eur, eurFrom } from '#kernel/money.ts';
import type { Found } from '../candidate.ts';
import { asRule, type Look } from '../detector.ts';
import { isoOf } from '../local-time.ts';

/** Of more agents those that cost most: a rule that fires for more says nothing any more. */
const MOST = 200;

/** How an agent must have come to the least amount: in all hours together, or in one of them. */
export type Measure = 'sum' | 'max';

// Texts are looked up for these alone: without statistics the planner would add up all sums anew for each text.
const dear = (measure: Measure, someAgents: boolean) => `SELECT m.text AS agent FROM (
    SELECT merkmal_id, ${measure}(kosten_eur) AS kosten_eur FROM ${GRAINS.stunde.table}
    WHERE mandant_id = $1 AND dimension = ${DIMENSIONS.agent.number} AND stunde >= $2 AND stunde < $3 ${someAgents ? 'AND merkmal_id = ANY ($5::int[])' : ''}
    GROUP BY merkmal_id HAVING ${measure}(kosten_eur) >= $4::numeric
    ORDER BY 2 DESC, 1 LIMIT ${MOST}) AS d
  CROSS JOIN LATERAL (SELECT text FROM merkmale WHERE mandant_id = $1 AND merkmal_id = d.merkmal_id LIMIT 1) AS m
  ORDER BY d.kosten_eur DESC, m.text`;
// Looking back, hours whose sums are removed are made of the calls.
const dearOfAll = (measure: Measure) => `SELECT agent FROM (
    SELECT m.text AS agent, s.kosten_eur FROM ${GRAINS.stunde.table} AS s
    JOIN merkmale m ON m.mandant_id = $1 AND m.dimension = ${DIMENSIONS.agent.number} AND m.merkmal_id = s.merkmal_id
    WHERE s.mandant_id = $1 AND s.dimension = ${DIMENSIONS.agent.number} AND s.stunde >= $5 AND s.stunde < $3
    UNION ALL
    SELECT agent, coalesce(sum(kosten_eur), 0) FROM ereignisse
    WHERE mandant_id = $1 AND zeitpunkt >= $2 AND zeitpunkt < least($3, $5::timestamptz)
    GROUP BY agent, date_trunc('hour', zeitpunkt, $6)) AS stunden
  GROUP BY agent HAVING ${measure}(kosten_eur) >= $4::numeric
  ORDER BY ${measure}(kosten_eur) DESC, agent LIMIT ${MOST}`;
const NUMBERS = `SELECT merkmal_id FROM merkmale
  WHERE mandant_id = $1 AND dimension = ${DIMENSIONS.agent.number} AND text = ANY ($2::text[])`;

/** The numbers that the sums of these agents have. */
async function numbersOf({ client, mandant }: Look, agenten: string[]): Promise<number[]> {
  const values = [mandant, agenten];
  const { rows } = await client.query<{ merkmal_id: number }>({
    name: 'detektoren_agenten',
    text: NUMBERS,
    values,
  });
  return rows.map(({ merkmal_id }) => merkmal_id);
}

const REACHED = (measure: Measure) => `SELECT m.text AS agent, s.eur FROM (
    SELECT merkmal_id, trim_scale(${measure}(kosten_eur))::text AS eur FROM ${GRAINS.stunde.table}
    WHERE mandant_id = $1 AND dimension = ${DIMENSIONS.agent.number} AND stunde >= $2 AND stunde < $3 AND merkmal_id = ANY ($4::int[]) GROUP BY merkmal_id) AS s
  JOIN merkmale m ON m.mandant_id = $1 AND m.dimension = ${DIMENSIONS.agent.number} AND m.merkmal_id = s.merkmal_id`;

/** What the agents of the look have come to from then on: in all hours together, or in one of them. */
export async function reachedByAgent(
  look: Look & { agenten: string[] },
  von: Temporal.Instant,
  measure: Measure,
): Promise<Map<string, Eur>> {
  const { rows } = await look.client.query<{ agent: string; eur: string }>({
    name: `detektoren_erreicht_${measure}`,
    text: REACHED(measure),
    values: [look.mandant, isoOf(von), isoOf(look.bis), await numbersOf(look, look.agenten)],
  });
  const reached = new Map(rows.map(({ agent, eur }) => [agent, eurFrom(eur)]));
  return new Map(look.agenten.map((agent) => [agent, reached.get(agent) ?? (0n as Eur)]));
}

/** Whether the rule is about each agent by itself. */
export const isPerAgent = ({
  parameter,
  geltungsbereich,
}: Pick<Regel, 'parameter' | 'geltungsbereich'>): boolean =>
  'je' in parameter && parameter.je === 'agent' && geltungsbereich === 'mandant';

async function readDear(look: Look, measure: Measure, values: unknown[]) {
  const numbers = look.agenten ? await numbersOf(look, look.agenten) : null;
  return look.client.query<{ agent: string }>({
    name: `detektoren_je_agent_${measure}${numbers ? '_einige' : ''}`,
    text: dear(measure, numbers !== null),
    values: [...values, ...(numbers ? [numbers] : [])],
  });
}

/** The rule itself, or one for each agent that cost at least so much from then on. */
export async function rulesPerAgent<R extends Regel>(
  look: Look,
  regel: R,
  { von, measure, least }: { von: Temporal.Instant; measure: Measure; least: string },
): Promise<R[]> {
  if (!isPerAgent(regel)) return [regel];
  const values = [look.mandant, isoOf(von), isoOf(look.bis), least];
  const agents = look.older?.reach(von)
    ? await look.client.query<{ agent: string }>(dearOfAll(measure), [
        ...values,
        isoOf(look.older.until),
        look.zone,
      ])
    : await readDear(look, measure, values);
  return agents.rows.map(({ agent }) => ({ ...regel, geltungsbereich: 'agent', bezug: agent }));
}

/** What was found of single agents is found by the rule as it stands in its table. */
export const ofRule = <T extends 'kosten_grenze' | 'raten_grenze' | 'kosten_spitze'>(
  regel: Regel<T>,
  found: Found[],
): Found[] => found.map((each) => ({ ...each, regel: asRule(regel) }));
