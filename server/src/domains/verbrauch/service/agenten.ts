/** The agents with what each consumed in a period: first those with calls, by cost, then all others of the catalog, by key. */
import type { cockpitAgenten, QueryOf, ResponseOf } from '#contracts';
import { readAgents, readAgentsOf } from '#domains/katalog/index.ts';
import { InvalidInput } from '#kernel/errors.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import { toUtc, type Window } from '#kernel/zeitraum.ts';
import { cursorOf } from '#platform/page.ts';
import { type GroupPosition, groupsByEngine } from '../engine/consumption-by-engine.ts';
import { selectTexts } from '../store/values.ts';
import { resolveWindow } from '../window.ts';
import { periodAnswer, requireZeitraum, withConsumption } from './cockpit.ts';
import { rateSourcesOfAll } from './rate-sources.ts';
import { type Context, type Snapshot, withSnapshot } from './snapshot.ts';

/** Which part of the list a page begins in, the window of the first page, and behind which agent of that part. */
const cursor = cursorOf('agenten_verbrauch', 'text', 'instant', 'instant', 'place', 'text');
const WITH_CALLS = 'mit';
const WITHOUT_CALLS = 'ohne';
/** Before every key there is. */
const FIRST = '';

type Query = QueryOf<typeof cockpitAgenten>;
type Row = ReturnType<typeof withConsumption>;

/** Rows of a part of the list, and behind which of them more follow in that part; null at its end. */
interface Part {
  rows: Row[];
  next: GroupPosition | null;
}

async function withCalls(
  { tx, ask }: Snapshot,
  window: Window,
  limit: number,
  after: GroupPosition | null,
): Promise<Part> {
  const { zeilen, naechster } = await ask({ window, by: ['agent'], limit, after });
  if (zeilen.length === 0) return { rows: [], next: null };
  const agents = await readAgentsOf(
    tx,
    zeilen.flatMap(({ schluessel }) => schluessel),
  );
  const agentOf = new Map(agents.map((agent) => [agent.schluessel, agent]));
  const rows = zeilen.flatMap((sums) => {
    const agent = agentOf.get(sums.schluessel[0] as string);
    return agent ? [withConsumption(agent, sums)] : [];
  });
  return { rows, next: naechster };
}

/** Reads one more than `limit` to know whether more follow. */
async function withoutCalls(
  { tx, engine }: Snapshot,
  window: Window,
  limit: number,
  after: string,
): Promise<Part> {
  const [called] = await groupsByEngine(engine, tx, [{ window, by: ['agent'], figures: ['aufrufe'] }]);
  const except = selectTexts(tx, called?.groups.flatMap(({ keys }) => keys) ?? []);
  const found = await readAgents(tx, { limit: limit + 1, after, except });
  const rows = found.slice(0, limit).map((agent) => withConsumption(agent, undefined));
  const last = rows.at(-1)?.schluessel ?? after;
  return { rows, next: found.length > limit ? { place: null, schluessel: [last] } : null };
}

/** The window of the first page; the period's for the first one. */
function windowOf(query: Query, period: Window, { now, zone }: Snapshot): Window {
  const [, von, bis] = cursor.read(query.nach) ?? [];
  if (!von || !bis) return period;
  const window = resolveWindow({ von, bis }, now, zone);
  if ('field' in window) throw new InvalidInput({ path: ['nach'], reason: window.reason, input: query.nach });
  return window;
}

/** A page of the agents with their consumption in the period. InvalidInput for a text that is no period, and a wrong cursor. */
export function agentsWithConsumption(
  context: Context,
  mandant: MandantId,
  query: Query,
): Promise<ResponseOf<typeof cockpitAgenten>> {
  const { limit, nach, zeitraum: text } = query;
  const [part, , , place, schluessel = FIRST] = cursor.read(nach) ?? [];
  return withSnapshot(context, mandant, async (snapshot) => {
    const zeitraum = requireZeitraum(text, snapshot);
    const window = windowOf(query, zeitraum, snapshot);
    const write = (which: string, { place: at, schluessel: [key = FIRST] }: GroupPosition) =>
      cursor.write([which, toUtc(window.von), toUtc(window.bis), at ?? 'Infinity', key]);
    const kursquellen = await rateSourcesOfAll(snapshot, window);
    const answer = (rows: Row[], weiter: string | null) => ({
      ...periodAnswer(text, { ...zeitraum, ...window }),
      agenten: rows,
      kursquellen,
      weiter,
      gezaehlt_bis: snapshot.gezaehltBis,
    });
    const after = place === undefined ? null : { place, schluessel: [schluessel] };
    const first = part === WITHOUT_CALLS ? null : await withCalls(snapshot, window, limit, after);
    if (first?.next) return answer(first.rows, write(WITH_CALLS, first.next));
    const shown = first?.rows ?? [];
    const rest = await withoutCalls(snapshot, window, limit - shown.length, first ? FIRST : schluessel);
    return answer([...shown, ...rest.rows], rest.next && write(WITHOUT_CALLS, rest.next));
  });
}
