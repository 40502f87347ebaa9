import type { cockpitLaeufe, lauf, QueryOf, ResponseOf } from '#contracts';
import { readAgent } from '#domains/katalog/index.ts';
import { notFound } from '#kernel/errors.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { RequestDatabase } from '#platform/database/index.ts';
import { cursorOf, type PageQuery, pageOf, type SortKey } from '#platform/page.ts';
import { type Ereignis, toApi } from './rules.ts';
import { readEventsOfRun, readLatestRuns, readRun } from './store.ts';

const runs = cursorOf('laeufe', 'instant', 'uuid');

/** A page of the runs, those that ended last first; those of an agent that does not exist are none. */
export function listRuns(
  db: RequestDatabase,
  mandant: MandantId,
  { agent_id, status, nur_fehler, limit, nach }: PageQuery & Partial<QueryOf<typeof cockpitLaeufe>>,
): Promise<ResponseOf<typeof cockpitLaeufe>> {
  const [ende, laufId] = runs.read(nach) ?? [];
  const after = ende !== undefined && laufId !== undefined ? { ende, laufId } : null;
  return db.forMandant(mandant, async (tx) => {
    const agent = agent_id === undefined ? undefined : await readAgent(tx, agent_id);
    if (agent_id !== undefined && !agent) return { laeufe: [], weiter: null };
    const filter = { agent: agent?.schluessel, status, nurFehler: nur_fehler, limit: limit + 1, after };
    const page = pageOf(await readLatestRuns(tx, filter), limit, runs, (run) => [run.ende, run.lauf_id]);
    return { laeufe: page.rows.map(toApi), weiter: page.weiter };
  });
}

const STEP = ['place', 'instant', 'uuid'] as const;
const steps = cursorOf('ereignisse', ...STEP);

/** A run with a page of its events, in the order of their steps; 404 when the Mandant has no such run. */
export function runWithEvents(
  db: RequestDatabase,
  mandant: MandantId,
  laufId: string,
  { limit, nach }: PageQuery,
): Promise<ResponseOf<typeof lauf>> {
  const [place, zeitpunkt, ereignisId] = steps.read(nach) ?? [];
  const after = place && zeitpunkt && ereignisId ? { place, zeitpunkt, ereignisId } : null;
  return db.forMandant(mandant, async (tx) => {
    const run = await readRun(tx, laufId);
    if (!run) throw notFound('Diesen Lauf');
    const { events, found } = await readEventsOfRun(tx, run, limit + 1, after);
    const keyOf = ({ schritt_nr, zeitpunkt: at, ereignis_id }: Ereignis): SortKey<typeof STEP> => [
      schritt_nr === null ? 'Infinity' : String(schritt_nr),
      at,
      ereignis_id,
    ];
    const { rows, weiter } = pageOf(events, limit, steps, keyOf, found > Math.min(events.length, limit));
    return { lauf: toApi(run), ereignisse: rows, gekuerzt: weiter !== null, weiter };
  });
}
