/** Table 1: what the rules find of ordinary agents, and whom they stop. */
import { isWanted, ordinaryCalls } from './ordinary/agents.ts';
import { DAY, HOUR, MINUTE, type PlannedCall } from './planned.ts';
import type { Stage } from './stage.ts';

/** How often calls are sent, how many together, and how often a batch looks at them. */
export interface Rhythm {
  sendEvery: number;
  atMost: number;
  lookEvery: number;
}

/** So often that what holds for a while only is seen; a batch every five minutes would find the same. */
const USUAL: Rhythm = { sendEvery: 10 * MINUTE, atMost: 60, lookEvery: HOUR };

interface FindingRow {
  typ: string;
  stufe: string;
  status: string;
  agent: string | null;
  told: boolean;
  eur: string | null;
  objekt: string;
  am: string;
  werte: object;
}

interface OfRule {
  /** Told to people: `warnen` and above. */
  told: number;
  /** Alarms about them. */
  alarms: number;
  /** Noted only. */
  noted: number;
  /** Nobody asked for: a person would curse. */
  cursed: number;
  /** Whose they are. */
  agents: string[];
}

export interface OrdinaryTable {
  calls: number;
  days: number;
  eur: string;
  rules: Record<string, OfRule>;
  cursed: number;
  cursedPerWeek: number;
  runsStopped: number;
  agentsStopped: number;
  /** What was told, for who wants to know why. */
  findings: FindingRow[];
}

const FINDINGS = `SELECT typ, stufe, status, agent, alarm_am IS NOT NULL AS told, kosten_eur::text AS eur, objekt, erkannt_am AS am, werte
  FROM befunde WHERE mandant_id = $1 AND regel_id IS NOT NULL AND NOT schatten`;
const STOPS = `SELECT count(DISTINCT objekt) FILTER (WHERE objekt_art = 'lauf')::int AS runs,
    count(DISTINCT objekt) FILTER (WHERE objekt_art <> 'lauf')::int AS agents
  FROM eingriffe WHERE mandant_id = $1 AND NOT schatten AND regel_id IS NOT NULL AND stufe <> 'warnen'`;
const SPENT = `SELECT round(sum(kosten_eur), 2)::text AS eur FROM ereignisse WHERE mandant_id = $1`;

/** Groups calls that are sent together: by a stretch of time, up to a number. */
function* stretches(calls: readonly PlannedCall[], { sendEvery, atMost }: Rhythm): Generator<PlannedCall[]> {
  let some: PlannedCall[] = [];
  for (const call of calls) {
    const [first] = some;
    const isNext = first && Math.floor(call.at / sendEvery) !== Math.floor(first.at / sendEvery);
    if (isNext || some.length >= atMost) {
      yield some;
      some = [];
    }
    some.push(call);
  }
  if (some.length > 0) yield some;
}

const isTold = ({ stufe }: FindingRow) => stufe !== 'beobachten';

function summarise(findings: FindingRow[]): Record<string, OfRule> {
  const byType = Map.groupBy(findings, ({ typ }) => typ);
  return Object.fromEntries(
    [...byType].map(([typ, found]) => [
      typ,
      {
        told: found.filter(isTold).length,
        alarms: found.filter(({ told }) => told).length,
        noted: found.filter((each) => !isTold(each)).length,
        cursed: found.filter((each) => isTold(each) && !isWanted(each)).length,
        agents: [...new Set(found.map(({ agent }) => agent ?? ''))].sort(),
      },
    ]),
  );
}

export async function ordinaryTable(
  stage: Stage,
  seed: string,
  days: number,
  rhythm: Rhythm = USUAL,
): Promise<OrdinaryTable> {
  const { lookEvery } = rhythm;
  const calls = ordinaryCalls(seed, days);
  const sender = await stage.newSender();
  let looked = 0;
  for (const some of stretches(calls, rhythm)) {
    const last = some.at(-1) as PlannedCall;
    const now = last.at + (last.event.latenz_ms ?? 0);
    if (now - looked >= lookEvery) {
      stage.setTime(Math.max(looked, Math.floor(now / lookEvery) * lookEvery));
      await stage.lookAgain();
      looked = now;
    }
    stage.setTime(now);
    await sender.send(some);
    await stage.settle();
  }
  stage.setTime(days * DAY + HOUR);
  await stage.lookAgain();
  const findings = await sender.rows<FindingRow>(FINDINGS);
  const rules = summarise(findings.filter(({ status }) => status !== 'hinfaellig'));
  const [stops] = await sender.rows<{ runs: number; agents: number }>(STOPS);
  const [spent] = await sender.rows<{ eur: string }>(SPENT);
  await sender.leave();
  const cursed = Object.values(rules).reduce((sum, each) => sum + each.cursed, 0);
  return {
    calls: calls.length,
    days,
    eur: spent?.eur ?? '0',
    rules,
    cursed,
    cursedPerWeek: Math.round((cursed * 70) / days) / 10,
    runsStopped: stops?.runs ?? 0,
    agentsStopped: stops?.agents ?? 0,
    findings: findings.filter((each) => isTold(each)),
  };
}
