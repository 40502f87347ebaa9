import type {
  apiVerbrauch,
  cockpitAgent,
  cockpitAgenten,
  cockpitUebersicht,
  QueryOf,
  ResponseOf,
  uebersichtTag,
} from '#contracts';
import { type AgentRow, readAgent, readAgents, toApi as toAgent } from '#domains/katalog/index.ts';
import { readLatestRuns, toApi as toLauf } from '#domains/laeufe/index.ts';
import { valueError } from '#http/index.ts';
import { notFound } from '#kernel/errors.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import { parseZeitraum, toIsoWithOffset, wholeHours, type Zeitraum } from '#kernel/zeitraum.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { MandantTx } from '#platform/database/index.ts';
import {
  fillBuckets,
  hourKey,
  type SumsRow,
  summeOrNone,
  toFigures,
  toKurs,
  toSumme,
  toZeile,
} from './rules.ts';
import { readBreakdown, readDay, readGroups, readStand, rowsByDay, rowsByHour, type Stand } from './store.ts';
import { resolveWindow, splitWindow } from './window.ts';

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
}

/** Runs `work` with what has to be known before sums are read. */
function withSnapshot<T>(
  context: Context,
  mandant: MandantId,
  work: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  // Taken before the transaction: what arrives while it runs is not promised.
  const now = context.clock.now();
  return context.db.forMandant(mandant, async (tx) => {
    const stand = await readStand(tx);
    const instant = Temporal.Instant.fromEpochMilliseconds(now.getTime());
    const gezaehltBis = stand.wartet_seit ?? now.toISOString();
    return work({ tx, now: instant, zone: stand.zeitzone, stand, gezaehltBis });
  });
}

/** The row of a grouped answer that sums up all others; the database gives it even when there are none. */
const sumOf = (rows: (SumsRow & { gesamt: boolean })[]) => toSumme(rows.at(-1) as SumsRow);

/** Consumption of a window by agent, end customer, model, local day or hour. 422 when the window is none. */
export function verbrauch(
  context: Context,
  mandant: MandantId,
  query: QueryOf<typeof apiVerbrauch>,
): Promise<ResponseOf<typeof apiVerbrauch>> {
  const { gruppe } = query;
  return withSnapshot(context, mandant, async ({ tx, now, zone, gezaehltBis }) => {
    const window = resolveWindow(query, now, zone);
    if ('feld' in window) throw valueError(['query', window.feld], window.grund, query[window.feld] ?? null);
    const source = gruppe === 'stunde' ? rowsByHour(window) : rowsByDay(splitWindow(window));
    const rows = await readGroups(tx, source, gruppe);
    const keyOf = (text: string) => (gruppe === 'stunde' ? hourKey(text, zone) : text);
    return {
      von: toIsoWithOffset(window.von),
      bis: toIsoWithOffset(window.bis),
      gruppe,
      zeilen: rows.filter((row) => !row.gesamt).map((row) => toZeile(keyOf(row.schluessel), row)),
      summe: sumOf(rows),
      gezaehlt_bis: gezaehltBis,
    };
  });
}

/** Consumption of one local day per project and end customer; today unless a day is given. */
export function consumptionOfDay(
  context: Context,
  mandant: MandantId,
  datum: string | undefined,
): Promise<ResponseOf<typeof uebersichtTag>> {
  return withSnapshot(context, mandant, async ({ tx, now, zone, gezaehltBis }) => {
    const tag = datum ?? now.toZonedDateTimeISO(zone).toPlainDate().toString();
    const rows = await readDay(tx, tag);
    return {
      datum: tag,
      zeitzone: zone,
      zeilen: rows
        .filter((row) => !row.gesamt)
        .map((row) => ({ projekt: row.projekt, endkunde: row.endkunde_ref || null, ...toFigures(row) })),
      summe: sumOf(rows),
      gezaehlt_bis: gezaehltBis,
    };
  });
}

function requireZeitraum(text: string, { now, zone }: Snapshot): Zeitraum {
  const zeitraum = parseZeitraum(text, now, zone);
  if (zeitraum) return zeitraum;
  const reason =
    'möglich sind heute, gestern, 7tage, 30tage, 90tage, woche, monat, vormonat, jahr oder zwei Tage JJJJ-MM-TT..JJJJ-MM-TT, höchstens 366 Tage';
  throw valueError(['query', 'zeitraum'], reason, text);
}

const periodAnswer = (text: string, zeitraum: Zeitraum) => ({
  zeitraum: text,
  von: toIsoWithOffset(zeitraum.von),
  bis: toIsoWithOffset(zeitraum.bis),
  zeitzone: zeitraum.von.timeZoneId,
  aufloesung: zeitraum.aufloesung,
});

const rowsOf = (zeitraum: Zeitraum, agent?: string) =>
  zeitraum.aufloesung === 'stunde' ? rowsByHour(zeitraum, agent) : rowsByDay(splitWindow(zeitraum), agent);

const toZeilen = (rows: (SumsRow & { schluessel: string })[] = []) =>
  rows.map((row) => toZeile(row.schluessel, row));

/** The period from every side, with the one before it. 422 when `text` names no period. */
export function overview(
  context: Context,
  mandant: MandantId,
  text: string,
): Promise<ResponseOf<typeof cockpitUebersicht>> {
  return withSnapshot(context, mandant, async (snapshot) => {
    const { tx, now, stand } = snapshot;
    const zeitraum = requireZeitraum(text, snapshot);
    const before = rowsByDay(splitWindow(wholeHours(zeitraum.vorher)));
    const sides = await readBreakdown(tx, rowsOf(zeitraum), before, TOP);
    return {
      ...periodAnswer(text, zeitraum),
      summe: summeOrNone(sides.get('summe')?.[0]),
      vorher: summeOrNone(sides.get('vorher')?.[0]),
      verlauf: fillBuckets(zeitraum, sides.get('bucket') ?? [], now),
      agenten: toZeilen(sides.get('agent')),
      endkunden: toZeilen(sides.get('endkunde')),
      modelle: toZeilen(sides.get('modell')),
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
    const { tx, gezaehltBis } = snapshot;
    const zeitraum = requireZeitraum(text, snapshot);
    const agents = await readAgents(tx);
    const rows = await readGroups(tx, rowsByDay(splitWindow(zeitraum)), 'agent');
    const rowOf = new Map(rows.filter((row) => !row.gesamt).map((row) => [row.schluessel, row]));
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
    const { tx, now, gezaehltBis } = snapshot;
    const zeitraum = requireZeitraum(text, snapshot);
    const agent = await readAgent(tx, agentId);
    if (!agent) throw notFound('Diesen Agenten');
    const { schluessel } = agent;
    const sides = await readBreakdown(tx, rowsOf(zeitraum, schluessel), rowsByDay([]), TOP_OF_AGENT);
    const runs = await readLatestRuns(tx, { agent: schluessel, limit: RUNS_OF_AGENT });
    return {
      ...periodAnswer(text, zeitraum),
      // Without a call in the period it is grouped by nothing: the same zeros as in the list of agents.
      agent: withConsumption(agent, sides.get('agent')?.[0]),
      verlauf: fillBuckets(zeitraum, sides.get('bucket') ?? [], now),
      modelle: toZeilen(sides.get('modell')),
      endkunden: toZeilen(sides.get('endkunde')),
      laeufe: runs.map(toLauf),
      gezaehlt_bis: gezaehltBis,
    };
  });
}
