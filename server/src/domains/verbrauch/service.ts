import {
  type apiVerbrauch,
  type cockpitAgent,
  type cockpitAgenten,
  type cockpitUebersicht,
  DIMENSION_NAMES,
  type QueryOf,
  type ResponseOf,
  type uebersichtTag,
} from '#contracts';
import { type AgentRow, readAgent, readAgents, toApi as toAgent } from '#domains/katalog/index.ts';
import { readLatestRuns, toApi as toLauf } from '#domains/laeufe/index.ts';
import { InvalidInput, notFound } from '#kernel/errors.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import { parseZeitraum, toIsoWithOffset, wholeHours, type Zeitraum } from '#kernel/zeitraum.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { MandantTx } from '#platform/database/index.ts';
import { type Consumption, consumption, type Filter, type Question } from './consumption.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { fillBuckets, hourKey, summeOrNone, toFigures, toKurs, toRest, toSumme, toZeile } from './rules.ts';
import { readDay } from './store/day.ts';
import type { SumsRow } from './store/figures.ts';
import { readOneSnapshot, readStand, type Stand } from './store/stand.ts';
import { dayAfter, resolveWindow } from './window.ts';

const DEFAULT_LIMIT = 1_000;
const TOP = 10;
const TOP_OF_AGENT = 50;
const RUNS_OF_AGENT = 20;

type Context = Pick<ServiceContext, 'db' | 'clock' | 'config'>;

interface Snapshot {
  tx: MandantTx;
  now: Temporal.Instant;
  zone: string;
  stand: Stand;
  /** Everything received up to this instant is in sums read from here on; ISO 8601 in UTC. */
  gezaehltBis: string;
  ask(question: Question): Promise<Consumption>;
}

/** Runs `work` on one snapshot of the Mandant's sums, with what an answer says about them. */
function withSnapshot<T>(
  context: Context,
  mandant: MandantId,
  work: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  // Taken before the transaction: what arrives while it runs is not promised.
  const received = context.clock.now();
  const now = Temporal.Instant.fromEpochMilliseconds(received.getTime());
  return context.db.forMandant(mandant, async (tx) => {
    const [, stand] = await Promise.all([readOneSnapshot(tx), readStand(tx)]);
    const gezaehltBis = stand.waiting_since ?? received.toISOString();
    const ask = (question: Question) => consumption(tx, question, now);
    return work({ tx, now, zone: stand.zeitzone, stand, gezaehltBis, ask });
  });
}

type Query = QueryOf<typeof apiVerbrauch>;

const refused = (query: Query, name: keyof Query, reason: string) =>
  new InvalidInput({ path: [name], reason, input: query[name] ?? null });

/** The one filter of a query. InvalidInput when there are several. */
function filterOf(query: Query): Filter | null {
  const [first, second] = DIMENSION_NAMES.filter((name) => query[name] !== undefined);
  if (second)
    throw refused(query, second, `gefiltert wird nach einem Merkmal, hier sind es ${first} und ${second}`);
  return first ? { dimension: first, value: query[first] ?? '' } : null;
}

/** The window and the page a query asks for. InvalidInput when the window is none or the cursor is of no such answer. */
function pageOf(query: Query, by: Question['by'], { now, zone }: Snapshot) {
  const cursor = query.cursor === undefined ? null : decodeCursor(query.cursor, by);
  const noCursor = () => refused(query, 'cursor', 'der Zeiger gehört zu keiner Antwort');
  if (query.cursor !== undefined && !cursor) throw noCursor();
  const window = resolveWindow(cursor ?? query, now, zone);
  if (!('field' in window))
    return { window, limit: query.limit ?? DEFAULT_LIMIT, after: cursor?.after ?? null };
  throw cursor ? noCursor() : refused(query, window.field, window.reason);
}

/** Consumption of a window by any dimension, local day or hour, page by page. InvalidInput when the query asks for nothing. */
export function verbrauch(
  context: Context,
  mandant: MandantId,
  query: Query,
): Promise<ResponseOf<typeof apiVerbrauch>> {
  const { gruppe } = query;
  const where = filterOf(query);
  return withSnapshot(context, mandant, async (snapshot) => {
    const page = pageOf(query, gruppe, snapshot);
    const { zeilen, rest, summe, naechster } = await snapshot.ask({ ...page, by: gruppe, where });
    const keyOf = (text: string) => (gruppe === 'stunde' ? hourKey(text, snapshot.zone) : text);
    return {
      von: toIsoWithOffset(page.window.von),
      bis: toIsoWithOffset(page.window.bis),
      gruppe,
      zeilen: zeilen.map((row) => toZeile(keyOf(row.schluessel), row)),
      rest: toRest(rest),
      summe: toSumme(summe),
      naechster: naechster && encodeCursor(page.window, naechster),
      gezaehlt_bis: snapshot.gezaehltBis,
    };
  });
}

/** Consumption of one local day per project and end customer; today unless a day is given. */
export function consumptionOfDay(
  context: Context,
  mandant: MandantId,
  datum: string | undefined,
): Promise<ResponseOf<typeof uebersichtTag>> {
  return withSnapshot(context, mandant, async ({ tx, now, zone, gezaehltBis, ask }) => {
    const tag = datum ?? now.toZonedDateTimeISO(zone).toPlainDate().toString();
    const von = Temporal.PlainDate.from(tag).toZonedDateTime(zone);
    const window = { von, bis: dayAfter(von) };
    const [rows, { summe }] = await Promise.all([readDay(tx, window), ask({ window, by: null })]);
    return {
      datum: tag,
      zeitzone: zone,
      zeilen: rows.map((row) => ({
        projekt: row.projekt,
        endkunde: row.endkunde || null,
        ...toFigures(row),
      })),
      summe: toSumme(summe),
      gezaehlt_bis: gezaehltBis,
    };
  });
}

function requireZeitraum(text: string, { now, zone }: Snapshot): Zeitraum {
  const zeitraum = parseZeitraum(text, now, zone);
  if (zeitraum) return zeitraum;
  const reason =
    'möglich sind heute, gestern, 7tage, 30tage, 90tage, woche, monat, vormonat, jahr oder zwei Tage JJJJ-MM-TT..JJJJ-MM-TT, höchstens 366 Tage';
  throw new InvalidInput({ path: ['zeitraum'], reason, input: text });
}

const periodAnswer = (text: string, zeitraum: Zeitraum) => ({
  zeitraum: text,
  von: toIsoWithOffset(zeitraum.von),
  bis: toIsoWithOffset(zeitraum.bis),
  zeitzone: zeitraum.von.timeZoneId,
  aufloesung: zeitraum.aufloesung,
});

const toZeilen = ({ zeilen }: Consumption) => zeilen.map((row) => toZeile(row.schluessel, row));

/** The period from every side, with the one before it. InvalidInput when `text` names no period. */
export function overview(
  context: Context,
  mandant: MandantId,
  text: string,
): Promise<ResponseOf<typeof cockpitUebersicht>> {
  return withSnapshot(context, mandant, async (snapshot) => {
    const { now, stand, ask } = snapshot;
    const window = requireZeitraum(text, snapshot);
    const [course, before, agenten, endkunden, modelle] = await Promise.all([
      ask({ window, by: window.aufloesung }),
      ask({ window: wholeHours(window.vorher), by: null }),
      ask({ window, by: 'agent', limit: TOP }),
      ask({ window, by: 'endkunde', limit: TOP }),
      ask({ window, by: 'modell', limit: TOP }),
    ]);
    return {
      ...periodAnswer(text, window),
      summe: toSumme(course.summe),
      vorher: toSumme(before.summe),
      verlauf: fillBuckets(window, course.zeilen, now),
      agenten: toZeilen(agenten),
      endkunden: toZeilen(endkunden),
      modelle: toZeilen(modelle),
      kurs: toKurs(stand, context.config.usdEurRate),
      daten_von: stand.daten_von,
      daten_bis: stand.daten_bis,
      gezaehlt_bis: snapshot.gezaehltBis,
      demo: stand.demo,
    };
  });
}

const withConsumption = (agent: AgentRow, sums: SumsRow | undefined) => ({
  ...toAgent(agent),
  verbrauch: summeOrNone(sums),
  letzter_aufruf_am: agent.letzter_aufruf_am,
});

/** All agents of the catalog with their consumption in the period, the most expensive first. */
export function agentsWithConsumption(
  context: Context,
  mandant: MandantId,
  text: string,
): Promise<ResponseOf<typeof cockpitAgenten>> {
  return withSnapshot(context, mandant, async (snapshot) => {
    const { tx, gezaehltBis, ask } = snapshot;
    const zeitraum = requireZeitraum(text, snapshot);
    const [agents, { zeilen }] = await Promise.all([readAgents(tx), ask({ window: zeitraum, by: 'agent' })]);
    const rowOf = new Map(zeilen.map((row) => [row.schluessel, row]));
    const rank = new Map([...rowOf.keys()].map((schluessel, index) => [schluessel, index]));
    const rankOf = (agent: AgentRow) => rank.get(agent.schluessel) ?? rank.size;
    return {
      ...periodAnswer(text, zeitraum),
      agenten: agents
        .toSorted((a, b) => rankOf(a) - rankOf(b))
        .map((agent) => withConsumption(agent, rowOf.get(agent.schluessel))),
      gezaehlt_bis: gezaehltBis,
    };
  });
}

/** One agent with its period from every side and its latest runs. 404 when the Mandant has no such agent. */
export function agentWithConsumption(
  context: Context,
  mandant: MandantId,
  agentId: string,
  text: string,
): Promise<ResponseOf<typeof cockpitAgent>> {
  return withSnapshot(context, mandant, async (snapshot) => {
    const { tx, now, gezaehltBis, ask } = snapshot;
    const window = requireZeitraum(text, snapshot);
    const agent = await readAgent(tx, agentId);
    if (!agent) throw notFound('Diesen Agenten');
    const where: Filter = { dimension: 'agent', value: agent.schluessel };
    const [course, modelle, endkunden, runs] = await Promise.all([
      ask({ window, by: window.aufloesung, where }),
      ask({ window, by: 'modell', where, limit: TOP_OF_AGENT }),
      ask({ window, by: 'endkunde', where, limit: TOP_OF_AGENT }),
      readLatestRuns(tx, { agent: agent.schluessel, limit: RUNS_OF_AGENT }),
    ]);
    return {
      ...periodAnswer(text, window),
      // Without a call in the period: the same zeros as in the list of agents.
      agent: withConsumption(agent, course.zeilen.length > 0 ? course.summe : undefined),
      verlauf: fillBuckets(window, course.zeilen, now),
      modelle: toZeilen(modelle),
      endkunden: toZeilen(endkunden),
      laeufe: runs.map(toLauf),
      gezaehlt_bis: gezaehltBis,
    };
  });
}
