/** SQL of budgets, for requests. */
import { sql } from 'kysely';
import type { MandantTx } from '#platform/database/index.ts';
import type { Art } from './spend.ts';

export interface ListedBudget {
  objekt_art: Art;
  objekt_id: string;
  schluessel: string;
  name: string;
  /** Exact decimal. */
  budget_eur: string;
}

/** Budgets of agents, then of projects, by key; at most so many, behind `after` (kind and key). */
export async function listBudgets(
  tx: MandantTx,
  { limit, after }: { limit: number; after: [string, string] | null },
): Promise<ListedBudget[]> {
  const behind = after ? sql`WHERE (objekt_art, schluessel) > (${after[0]}, ${after[1]})` : sql``;
  const { rows } = await sql<ListedBudget>`
    SELECT objekt_art, objekt_id, schluessel, name, trim_scale(budget_eur)::text AS budget_eur FROM (
      SELECT 'agent' COLLATE "C" AS objekt_art, agent_id AS objekt_id, schluessel, name, budget_eur
      FROM agenten WHERE mandant_id = ${tx.mandant} AND budget_eur IS NOT NULL
      UNION ALL SELECT 'projekt', projekt_id, schluessel, name, budget_eur
      FROM projekte WHERE mandant_id = ${tx.mandant} AND budget_eur IS NOT NULL) AS b
    ${behind} ORDER BY objekt_art, schluessel LIMIT ${limit}`.execute(tx);
  return rows;
}

/** What the clock of the database says: ISO 8601 in UTC. */
export async function readNow(tx: MandantTx): Promise<string> {
  const { rows } = await sql<{ now: string }>`SELECT clock_timestamp() AS now`.execute(tx);
  return rows[0]?.now as string;
}

export interface LatestRun {
  /** Whether it began after the instant and has ended. */
  is_done: boolean;
  /** Whether runs come at all: the latest began within the last ten minutes. */
  is_alive: boolean;
  zaehler: Partial<Record<'mandanten' | 'budgets' | 'befunde', number>>;
}

/** The latest run of the check; undefined when there was none ever. */
export async function readLatestRun(
  tx: MandantTx,
  name: string,
  since: string,
): Promise<LatestRun | undefined> {
  const { rows } = await sql<LatestRun>`
    SELECT beendet_am IS NOT NULL AND begonnen_am >= ${since}::timestamptz AS is_done,
      begonnen_am > clock_timestamp() - interval '10 minutes' AS is_alive, zaehler
    FROM pruefungen WHERE name = ${name}`.execute(tx);
  return rows[0];
}
