import { readAgent } from '#domains/katalog/index.ts';
import { notFound } from '#kernel/errors.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { RequestDatabase } from '#platform/database/index.ts';
import { type Ereignis, type Lauf, MAX_EVENTS, toApi } from './rules.ts';
import { type RunFilter, readEventsOfRun, readLatestRuns, readRun } from './store.ts';

/** The runs that ended last; those of an agent that does not exist are none. */
export function listRuns(
  db: RequestDatabase,
  mandant: MandantId,
  filter: Omit<RunFilter, 'agent'> & { agentId?: string | undefined },
): Promise<Lauf[]> {
  const { agentId, ...rest } = filter;
  return db.forMandant(mandant, async (tx) => {
    if (agentId === undefined) return (await readLatestRuns(tx, rest)).map(toApi);
    const agent = await readAgent(tx, agentId);
    return agent ? (await readLatestRuns(tx, { ...rest, agent: agent.schluessel })).map(toApi) : [];
  });
}

export interface RunWithEvents {
  lauf: Lauf;
  ereignisse: Ereignis[];
  gekuerzt: boolean;
}

/** A run with its first events; 404 when the Mandant has no such run. */
export function runWithEvents(
  db: RequestDatabase,
  mandant: MandantId,
  laufId: string,
): Promise<RunWithEvents> {
  return db.forMandant(mandant, async (tx) => {
    const run = await readRun(tx, laufId);
    if (!run) throw notFound('Diesen Lauf');
    const events = await readEventsOfRun(tx, run, MAX_EVENTS + 1);
    return {
      lauf: toApi(run),
      ereignisse: events.slice(0, MAX_EVENTS),
      gekuerzt: events.length > MAX_EVENTS,
    };
  });
}
