import { type cockpitLaeufe, DIMENSION_NAMES, type lauf, type QueryOf, type ResponseOf } from '#contracts';
import { readAgent } from '#domains/katalog/index.ts';
import { readKeyNames } from '#domains/schluessel/index.ts';
import { toCount } from '#kernel/count.ts';
import { InvalidInput, notFound } from '#kernel/errors.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import { atLocal, isReadable, toUtc } from '#kernel/zeitraum.ts';
import { isTooSlow, type MandantTx, type RequestDatabase } from '#platform/database/index.ts';
import { cursorOf, type PageQuery, pageOf, type SortKey } from '#platform/page.ts';
import { searchTooSlow } from './errors.ts';
import { type Ereignis, toApi } from './rules.ts';
import { readEventsOfRun } from './store/events.ts';
import { isByTime, type RunFilter, type RunOrder, readRun, readRuns, readZone } from './store/runs.ts';
import { readBegun, readParent, readTreeTotal } from './store/tree.ts';

type Query = QueryOf<typeof cockpitLaeufe>;

/** Behind all numbers: what an unknown cost is in a cursor. */
const UNKNOWN = 'Infinity';

/** The cursor of a list in this order; one of another order is refused. */
const cursorIn = ({ sort, descending }: RunOrder) =>
  cursorOf(`laeufe_${sort}_${descending ? 'ab' : 'auf'}`, isByTime(sort) ? 'instant' : 'place', 'uuid');

/** A bound of the query as ISO 8601 in UTC. InvalidInput for years whose text has not four digits. */
async function boundOf(tx: MandantTx, query: Query, name: 'von' | 'bis'): Promise<string | undefined> {
  const text = query[name];
  if (text === undefined) return undefined;
  const at = atLocal(text, await readZone(tx));
  if (isReadable(at)) return toUtc(at);
  throw new InvalidInput({
    path: [name],
    reason: {
      de: `${name} liegt außerhalb der Jahre 1 bis 9998`,
      en: `${name} is outside the years 1 to 9998`,
    },
    input: text,
  });
}

async function filterOf(tx: MandantTx, query: Query, agent: string | undefined): Promise<RunFilter> {
  const named = DIMENSION_NAMES.flatMap((name) => {
    const value = query[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    von: await boundOf(tx, query, 'von'),
    bis: await boundOf(tx, query, 'bis'),
    values: { ...(agent === undefined ? {} : { agent }), ...Object.fromEntries(named) },
    status: query.status,
    nurFehler: query.nur_fehler,
    nurUnbepreist: query.nur_unbepreist,
    suche: query.suche,
  };
}

/** A page of the runs that meet the query, in its order; those of an agent that does not exist are none. */
export function listRuns(
  db: RequestDatabase,
  mandant: MandantId,
  query: Query,
): Promise<ResponseOf<typeof cockpitLaeufe>> {
  const { agent_id, sortierung, richtung, limit, nach } = query;
  const order = { sort: sortierung, descending: richtung === 'absteigend' };
  const cursor = cursorIn(order);
  const [place, laufId] = cursor.read(nach) ?? [];
  const after =
    place !== undefined && laufId !== undefined ? { value: place === UNKNOWN ? null : place, laufId } : null;
  return db.forMandant(mandant, async (tx) => {
    const agent = agent_id === undefined ? undefined : await readAgent(tx, agent_id);
    const isOther = query.agent !== undefined && agent && agent.schluessel !== query.agent;
    if ((agent_id !== undefined && !agent) || isOther) return { laeufe: [], weiter: null };
    const filter = await filterOf(tx, query, agent?.schluessel);
    const found = await readRuns(tx, filter, order, limit + 1, after).catch((error: unknown) => {
      throw filter.suche !== undefined && isTooSlow(error) ? searchTooSlow() : error;
    });
    const page = pageOf(found, limit, cursor, (run) => [run.sortiert ?? UNKNOWN, run.lauf_id]);
    return { laeufe: page.rows.map(toApi), weiter: page.weiter };
  });
}

const STEP = ['place', 'instant', 'uuid'] as const;
const steps = cursorOf('ereignisse', ...STEP);

/** The keys that events came by. */
async function keysOf(tx: MandantTx, events: Ereignis[]) {
  const ids = new Set(events.flatMap(({ schluessel_id: id }) => (id === null ? [] : [id])));
  return ids.size === 0 ? [] : readKeyNames(tx, [...ids]);
}

/** The first of the runs begun from one are listed. */
const MOST_BEGUN = 20;

/** The place of a run among others; null where it was begun from none, and none from it. */
async function treeOf(
  tx: MandantTx,
  laufId: string,
): Promise<NonNullable<ResponseOf<typeof lauf>['baum']> | null> {
  const { eltern_lauf = null } = (await readParent(tx, laufId)) ?? {};
  const begonnen = await readBegun(tx, laufId, MOST_BEGUN);
  if (eltern_lauf === null && begonnen.length === 0) return null;
  const total = await readTreeTotal(tx, laufId);
  return {
    eltern_lauf,
    begonnen: begonnen.map((run) => ({ ...run, aufrufe: toCount(run.aufrufe) })),
    laeufe: toCount(total.laeufe),
    aufrufe: toCount(total.aufrufe),
    unbepreist: toCount(total.unbepreist),
    kosten_eur: total.kosten_eur,
  };
}

/** A run and its place among others, without its events; 404 when the Mandant has no such run. */
export const runOverview = (db: RequestDatabase, mandant: MandantId, laufId: string) =>
  db.forMandant(mandant, async (tx) => {
    const run = await readRun(tx, laufId);
    if (!run) throw notFound({ de: 'Diesen Lauf', en: 'This run' });
    return { lauf: toApi(run), baum: await treeOf(tx, laufId) };
  });

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
    if (!run) throw notFound({ de: 'Diesen Lauf', en: 'This run' });
    const { events, found } = await readEventsOfRun(tx, run, limit + 1, after);
    const keyOf = ({ schritt_nr, zeitpunkt: at, ereignis_id }: Ereignis): SortKey<typeof STEP> => [
      schritt_nr === null ? UNKNOWN : String(schritt_nr),
      at,
      ereignis_id,
    ];
    const { rows, weiter } = pageOf(events, limit, steps, keyOf, found > Math.min(events.length, limit));
    const schluessel = await keysOf(tx, rows);
    const baum = await treeOf(tx, laufId);
    return { lauf: toApi(run), ereignisse: rows, schluessel, baum, gekuerzt: weiter !== null, weiter };
  });
}
