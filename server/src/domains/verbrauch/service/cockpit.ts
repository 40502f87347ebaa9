/** What the cockpit shows of a period: everything at a glance, one agent. */
import type { cockpitAgent, cockpitUebersicht, QueryOf, ResponseOf } from '#contracts';
import { type AgentRow, readAgent, toApi as toAgent } from '#domains/katalog/index.ts';
import { readRuns, toApi as toLauf } from '#domains/laeufe/index.ts';
import { InvalidInput, notFound } from '#kernel/errors.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import { parseZeitraum, toIsoWithOffset, toUtc, wholeHours, type Zeitraum } from '#kernel/zeitraum.ts';
import type { EngineConsumption, EngineQuestion } from '../engine/consumption-by-engine.ts';
import type { SumsRow } from '../groups.ts';
import { fillBuckets, summeOrNone, toKurs, toRest, toSumme, toZeile } from '../rules.ts';
import { rateSources } from './rate-sources.ts';
import { type Context, type Snapshot, withSnapshot } from './snapshot.ts';
import { filtersOf } from './verbrauch.ts';

const TOP = 10;
const TOP_OF_AGENT = 50;
const RUNS_OF_AGENT = 20;

/** The period a text names. InvalidInput when it names none. */
export function requireZeitraum(text: string, { now, zone }: Snapshot): Zeitraum {
  const zeitraum = parseZeitraum(text, now, zone);
  if (zeitraum) return zeitraum;
  const reason = {
    de: 'möglich sind heute, gestern, 7tage, 30tage, 90tage, woche, monat, vormonat, jahr oder zwei Tage JJJJ-MM-TT..JJJJ-MM-TT, höchstens 366 Tage',
    en: 'possible are heute, gestern, 7tage, 30tage, 90tage, woche, monat, vormonat, jahr or two days YYYY-MM-DD..YYYY-MM-DD, 366 days at most',
  };
  throw new InvalidInput({ path: ['zeitraum'], reason, input: text });
}

/** What an answer says of its period. */
export const periodAnswer = (text: string, zeitraum: Zeitraum) => ({
  zeitraum: text,
  von: toIsoWithOffset(zeitraum.von),
  bis: toIsoWithOffset(zeitraum.bis),
  zeitzone: zeitraum.von.timeZoneId,
  aufloesung: zeitraum.aufloesung,
});

/** Several questions at once, each answer by the name of its question. */
async function askNamed<Name extends string>(
  { askAll }: Snapshot,
  questions: Record<Name, EngineQuestion>,
): Promise<Record<Name, EngineConsumption>> {
  const names = Object.keys(questions) as Name[];
  const answers = await askAll(names.map((name) => questions[name]));
  return Object.fromEntries(names.map((name, index) => [name, answers[index]])) as Record<
    Name,
    EngineConsumption
  >;
}

const toZeilen = ({ zeilen }: EngineConsumption) =>
  zeilen.map(({ schluessel: [key = ''], ...row }) => toZeile(key, row));

/**
 * The period from every side, with the one before it; of all calls or those that meet filters. InvalidInput when the text names
 * no period.
 */
export function overview(
  context: Context,
  mandant: MandantId,
  query: QueryOf<typeof cockpitUebersicht>,
): Promise<ResponseOf<typeof cockpitUebersicht>> {
  const { zeitraum: text } = query;
  const where = filtersOf(query);
  return withSnapshot(context, mandant, async (snapshot) => {
    const { tx, now, stand } = snapshot;
    const window = requireZeitraum(text, snapshot);
    const previous = { ...window, von: window.vorher.von, bis: window.von };
    const { course, before, courseBefore, agenten, endkunden, modelle } = await askNamed(snapshot, {
      course: { window, by: [window.aufloesung], where },
      before: { window: wholeHours(window.vorher), by: [], where },
      courseBefore: { window: previous, by: [window.aufloesung], where },
      agenten: { window, by: ['agent'], where, limit: TOP },
      endkunden: { window, by: ['endkunde'], where, limit: TOP },
      modelle: { window, by: ['modell'], where, limit: TOP },
    });
    return {
      ...periodAnswer(text, window),
      summe: toSumme(course.summe),
      kursquellen: await rateSources(tx, window, course.summe),
      vorher: toSumme(before.summe),
      verlauf: fillBuckets(window, course.zeilen, now),
      verlauf_vorher: fillBuckets(previous, courseBefore.zeilen, now),
      agenten: toZeilen(agenten),
      agenten_rest: toRest(agenten.rest),
      endkunden: toZeilen(endkunden),
      endkunden_rest: toRest(endkunden.rest),
      modelle: toZeilen(modelle),
      modelle_rest: toRest(modelle.rest),
      kurs: toKurs(stand, context.config),
      daten_von: stand.daten_von,
      daten_bis: stand.daten_bis,
      gezaehlt_bis: snapshot.gezaehltBis,
      demo: stand.demo,
    };
  });
}

/** An agent with what it consumed; zeros where nothing. */
export const withConsumption = (agent: AgentRow, sums: SumsRow | undefined) => ({
  ...toAgent(agent),
  verbrauch: summeOrNone(sums),
  letzter_aufruf_am: agent.letzter_aufruf_am,
});

/** One agent with its period from every side and its latest runs. 404 when the Mandant has no such agent. */
export function agentWithConsumption(
  context: Context,
  mandant: MandantId,
  agentId: string,
  text: string,
): Promise<ResponseOf<typeof cockpitAgent>> {
  return withSnapshot(context, mandant, async (snapshot) => {
    const { tx, now, gezaehltBis } = snapshot;
    const window = requireZeitraum(text, snapshot);
    const agent = await readAgent(tx, agentId);
    if (!agent) throw notFound({ de: 'Diesen Agenten', en: 'This agent' });
    const where = [{ dimension: 'agent' as const, values: [agent.schluessel] }];
    const [{ course, modelle, endkunden }, runs] = await Promise.all([
      askNamed(snapshot, {
        course: { window, by: [window.aufloesung], where },
        modelle: { window, by: ['modell'], where, limit: TOP_OF_AGENT },
        endkunden: { window, by: ['endkunde'], where, limit: TOP_OF_AGENT },
      }),
      readRuns(
        tx,
        { von: toUtc(window.von), bis: toUtc(window.bis), values: { agent: agent.schluessel } },
        { sort: 'ende', descending: true },
        RUNS_OF_AGENT,
      ),
    ]);
    return {
      ...periodAnswer(text, window),
      // Without a call in the period: the same zeros as in the list of agents.
      agent: withConsumption(agent, course.zeilen.length > 0 ? course.summe : undefined),
      kursquellen: await rateSources(tx, window, course.summe),
      verlauf: fillBuckets(window, course.zeilen, now),
      modelle: toZeilen(modelle),
      modelle_rest: toRest(modelle.rest),
      endkunden: toZeilen(endkunden),
      endkunden_rest: toRest(endkunden.rest),
      laeufe: runs.map(toLauf),
      gezaehlt_bis: gezaehltBis,
    };
  });
}
