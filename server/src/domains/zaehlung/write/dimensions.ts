/** Values of dimensions that are named for the first time, and the agents, projects and end customers with them. */
import { randomUUID } from 'node:crypto';
import { DIMENSIONS } from '#contracts';
import { insert, rowsOf, type Statement } from './statement.ts';
import type { Counted, Written } from './written.ts';

/** Agents that are named for the first time; when they last called is recorded when the marks are taken. */
export function addAgents(statement: Statement, parts: Counted[]): void {
  const rows = rowsOf(parts, ({ agents, resolved: { fresh } }) =>
    (fresh?.texts ?? [])
      .filter((_, index) => fresh?.dimensions[index] === DIMENSIONS.agent.number)
      .map((agent) => ({ agent, projekt: agents.get(agent)?.projekt as string })),
  );
  insert(
    statement,
    'agenten',
    [
      // Not the column's default: rows with a value made by chance a cluster copies by way of its coordinator.
      ['agent_id', 'uuid', () => randomUUID()],
      ['schluessel', 'text', (row) => row.agent],
      ['name', 'text', (row) => row.agent],
      ['projekt', 'text', (row) => row.projekt],
    ],
    rows,
    'DO NOTHING',
  );
}

/** New values, and the projects and end customers that are named with them for the first time. */
export function addMerkmale(statement: Statement, parts: Written[]): void {
  const rows = rowsOf(parts, ({ resolved: { fresh } }) =>
    (fresh?.ids ?? []).map((id, index) => ({
      id,
      dimension: fresh?.dimensions[index] as number,
      text: fresh?.texts[index] as string,
    })),
  );
  insert(
    statement,
    'merkmale',
    [
      ['merkmal_id', 'int', (row) => row.id],
      ['dimension', 'smallint', (row) => row.dimension],
      ['text', 'text', (row) => row.text],
    ],
    rows,
    'DO NOTHING',
  );
  const named = (dimension: number) =>
    rows.filter(({ row }) => row.dimension === dimension && row.text !== '');
  insert(
    statement,
    'projekte',
    [
      ['projekt_id', 'uuid', () => randomUUID()],
      ['schluessel', 'text', (row) => row.text],
      ['name', 'text', (row) => row.text],
    ],
    named(DIMENSIONS.projekt.number),
    'DO NOTHING',
  );
  insert(
    statement,
    'endkunden',
    [
      ['endkunde_id', 'uuid', () => randomUUID()],
      ['referenz', 'text', (row) => row.text],
    ],
    named(DIMENSIONS.endkunde.number),
    'DO NOTHING',
  );
}
