/**
 * What is looked for as soon as it was counted: runs that have just changed, limits and budgets whose sums have. Called with the
 * marks of counting, in the transaction that takes them: with its commit, which waits for the disk, the findings are there with all
 * that follows from them, and what they rest on cannot be undone any more.
 */
import type pg from 'pg';
import { type RegelVon, readActiveRules } from '#domains/regeln/index.ts';
import type { Log } from '#platform/log.ts';
import type { Candidate } from '../candidate.ts';
import { findDisobeyed, type LookedAt } from '../stream/disobeyed.ts';
import type { MarksOfMandant } from '../stream/marks.ts';
import { findInRuns, withKnownLoop } from '../stream/runs.ts';
import { findInSums } from '../stream/sums.ts';
import { apart } from './apart.ts';
import { putInRepeats, record } from './record.ts';

/** A mark of counting. */
export interface Marked {
  mandant: string;
  nummer: number;
  merkmale: number[];
  agenten: string[];
  aufrufe_am: string[];
}

const ZONES = 'SELECT mandant_id, zeitzone FROM mandanten WHERE mandant_id = ANY ($1::uuid[])';

async function byMandant(client: pg.PoolClient, marks: Marked[]): Promise<MarksOfMandant[]> {
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
      agenten: own.flatMap(({ agenten }) => agenten),
      aufrufe_am: own.flatMap(({ aufrufe_am }) => aufrufe_am),
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

/** Looks at what the marks are about. What cannot be looked at is told and left to the batches: it holds up no later mark. */
export function createLookout({ log, now }: { log: Log; now: () => Date }) {
  const lookedAt: LookedAt = new Map();
  const partsFor = (client: pg.PoolClient, group: MarksOfMandant, rules: RegelVon[]): Part[] => [
    async () => {
      await putInRepeats(client, group.mandant, await withKnownLoop(client, group), now());
      return [];
    },
    () => findInRuns(client, group, rules, now()),
    () => findInSums(client, group, rules, now()),
    () => findDisobeyed(client, group, now(), lookedAt),
  ];
  return async function lookOut(client: pg.PoolClient, marks: Marked[]): Promise<void> {
    const groups = await byMandant(client, marks);
    const rules = await readActiveRules(
      client,
      groups.map(({ mandant }) => mandant),
    );
    for (const group of groups) {
      const { mandant } = group;
      const onFailure = (error: unknown) => log.error({ mandant, err: error }, 'lookout failed');
      const found = await findAll(client, partsFor(client, group, rules.get(mandant) ?? []), onFailure);
      if (found.length === 0) continue;
      const recorded = await record(client, mandant, found, now());
      if (recorded.neu > 0) log.info({ mandant, ...recorded }, 'found while counting');
    }
  };
}
