/**
 * What is looked for as soon as it was counted: runs that have just changed, limits and budgets whose sums have. Called with the
 * marks of counting, in the transaction that takes them: with its commit, which waits for the disk, the findings are there with all
 * that follows from them, and what they rest on cannot be undone any more.
 */
import type pg from 'pg';
import { type BudgetRow, readBudgets } from '#domains/budgets/index.ts';
import type { RunMemory } from '#domains/laeufe/index.ts';
import { type RegelVon, readActiveRules } from '#domains/regeln/index.ts';
import type { Log } from '#platform/log.ts';
import type { Candidate } from '../candidate.ts';
import { areAboutAgents, findOfAgents } from '../stream/agents.ts';
import { Beginnings } from '../stream/beginnings.ts';
import { findDisobeyed, type LookedAt, ordersToLookAt } from '../stream/disobeyed.ts';
import { type Glance, glanceAt } from '../stream/glance.ts';
import type { MarksOfMandant } from '../stream/marks.ts';
import { LimitRooms } from '../stream/rooms.ts';
import { findInRuns, type RememberedRuns, reasonsToLook } from '../stream/runs.ts';
import { findInSums, limitsToLookAt } from '../stream/sums.ts';
import { apart } from './apart.ts';
import { putInRepeats, record } from './record.ts';

/** A mark of counting. */
export interface Marked {
  mandant: string;
  nummer: number;
  merkmale: number[];
  schluessel: string[];
  agenten: string[];
  aufrufe_am: string[];
  kosten: number[] | null;
  laeufe: string[];
  gedaechtnis: string | null;
}

const ZONES = 'SELECT mandant_id, zeitzone FROM mandanten WHERE mandant_id = ANY ($1::uuid[])';

async function byMandant(
  client: pg.PoolClient,
  marks: Marked[],
  memory: RunMemory,
): Promise<MarksOfMandant[]> {
  const groups = Map.groupBy(marks, ({ mandant }) => mandant);
  const { rows } = await client.query<{ mandant_id: string; zeitzone: string }>({
    name: 'zonen_der_marken',
    text: ZONES,
    values: [[...groups.keys()]],
  });
  return rows.map(({ mandant_id: mandant, zeitzone: zone }) => {
    const own = groups.get(mandant) ?? [];
    return {
      mandant,
      zone,
      nummern: own.map(({ nummer }) => nummer),
      merkmale: [...new Set(own.flatMap(({ merkmale }) => merkmale))],
      schluessel: [...new Set(own.flatMap(({ schluessel }) => schluessel))],
      agenten: own.flatMap(({ agenten }) => agenten),
      aufrufe_am: own.flatMap(({ aufrufe_am }) => aufrufe_am),
      kosten: own.some(({ kosten }) => kosten === null) ? null : own.flatMap(({ kosten }) => kosten ?? []),
      laeufe: [...new Set(own.flatMap(({ laeufe }) => laeufe))],
      eigene: new Set(own.flatMap(({ laeufe, gedaechtnis }) => (gedaechtnis === memory.id ? laeufe : []))),
    };
  });
}

type Part = () => Promise<Candidate[]>;

/** What all parts find. One savepoint where none fails; else each has its own. */
async function findAll(
  client: pg.PoolClient,
  parts: Part[],
  onFailure: (error: unknown) => void,
): Promise<Candidate[]> {
  const find = async () => {
    const found: Candidate[] = [];
    for (const part of parts) found.push(...(await part()));
    return found;
  };
  return apart(client, find, async (error) => {
    if (parts.length === 1) {
      onFailure(error);
      return [];
    }
    const found: Candidate[] = [];
    for (const part of parts) found.push(...(await findAll(client, [part], onFailure)));
    return found;
  });
}

type Rules = Map<string, RegelVon[]>;

/** A glance at Mandanten together; in halves where that fails, so that none has another's trouble. */
async function glanceAtAll(
  client: pg.PoolClient,
  memory: RunMemory,
  groups: MarksOfMandant[],
  rules: Rules,
  now: Date,
  onFailure: (mandant: string, error: unknown) => void,
): Promise<Map<string, Glance>> {
  const rulesOf = (mandant: string) => rules.get(mandant) ?? [];
  const [first, ...others] = groups;
  if (!first) return new Map();
  const glances = await apart(
    client,
    () => glanceAt(client, memory, groups, rulesOf, now),
    (error) => {
      if (others.length > 0) return null;
      onFailure(first.mandant, error);
      return new Map<string, Glance>();
    },
  );
  if (glances) return glances;
  const middle = groups.length >> 1;
  const half = (part: MarksOfMandant[]) => glanceAtAll(client, memory, part, rules, now, onFailure);
  return new Map([...(await half(groups.slice(0, middle))), ...(await half(groups.slice(middle)))]);
}

const NOTHING: Glance = { loops: [], orders: [] };

/** What is remembered from one look to the next. */
interface Remembered extends RememberedRuns {
  rooms: LimitRooms;
  lookedAt: LookedAt;
}

interface Asked extends Glance {
  rules: RegelVon[];
  budgets: BudgetRow[];
  now: () => Date;
}

/** What there is to be looked at of a Mandant: mostly nothing. */
function partsFor(
  client: pg.PoolClient,
  group: MarksOfMandant,
  { rules, budgets, loops, orders, now }: Asked,
  remembered: Remembered,
): Part[] {
  const { mandant } = group;
  const { rooms, lookedAt } = remembered;
  const parts: Part[] = [];
  if (loops.length > 0)
    parts.push(async () => {
      await putInRepeats(client, mandant, loops, now());
      return [];
    });
  try {
    const reasons = reasonsToLook(group, remembered, rules, now());
    if (reasons.length > 0) parts.push(() => findInRuns(client, group, reasons, now()));
  } catch (error) {
    parts.push(() => Promise.reject(error));
  }
  if (areAboutAgents(rules)) parts.push(() => findOfAgents(client, group, rules, now()));
  rooms.note(group);
  const limits = limitsToLookAt(group, rules, rooms);
  if (budgets.length > 0 || limits.length > 0)
    parts.push(() => findInSums(client, group, { rules, budgets, limits, rooms }, now()));
  const due = ordersToLookAt(orders, group, lookedAt);
  if (due.length > 0) parts.push(() => findDisobeyed(client, mandant, due));
  return parts;
}

/**
 * Looks at what the marks are about; `runs`: what is remembered of runs, by the one who counts. What cannot be looked at is logged and left to
 * the batches: it holds up no later mark.
 */
export function createLookout({ log, now, runs: memory }: { log: Log; now: () => Date; runs: RunMemory }) {
  const remembered = { memory, beginnings: new Beginnings(), rooms: new LimitRooms(), lookedAt: new Map() };
  const onFailure = (mandant: string, error: unknown) => log.error({ mandant, err: error }, 'lookout failed');
  return async function lookOut(client: pg.PoolClient, marks: Marked[]): Promise<void> {
    const groups = await byMandant(client, marks, memory);
    const mandanten = groups.map(({ mandant }) => mandant);
    const rules = await readActiveRules(client, mandanten);
    const budgets = await readBudgets(client, mandanten);
    const glances = await glanceAtAll(client, memory, groups, rules, now(), onFailure);
    for (const group of groups) {
      const { mandant } = group;
      const glance = glances.get(mandant) ?? NOTHING;
      const asked = { rules: rules.get(mandant) ?? [], budgets: budgets.get(mandant) ?? [], ...glance, now };
      const parts = partsFor(client, group, asked, remembered);
      if (parts.length === 0) continue;
      const found = await findAll(client, parts, (error) => onFailure(mandant, error));
      if (found.length === 0) continue;
      const recorded = await record(client, mandant, found, now());
      if (recorded.neu > 0) log.info({ mandant, ...recorded }, 'found while counting');
    }
  };
}
