/** Whatever is sent, in whatever order: the detectors over calls find what the words of the catalogue say. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Ereignis } from '#client/index.ts';
import type { DetectedType } from '#contracts';
import { createPriceList } from '#domains/preise/index.ts';
import { isWhole } from '#test/depth.ts';
import { createDetectorBench, type DetectorBench } from '#test/detector-bench.ts';
import { AGENTS, type World } from '#test/detectors/agents.ts';
import { AGENTS as AGENT_KEYS, batches, batchesOfRestarts } from '#test/detectors/arbitrary.ts';
import { by, type Call, type Expected, inOrder, type Run, toCall } from '#test/detectors/calls.ts';
import { CASES } from '#test/detectors/cases.ts';
import { STEPS } from '#test/detectors/steps.ts';
import { expectFigures } from '#test/figures.ts';
import { fuzzRuns } from '#test/fuzz.ts';
import { Exact } from '#test/reference-cost.ts';
import type { Candidate } from './candidate.ts';
import type { Look } from './detector.ts';
import { type DetectedRule, detect, isSumRule } from './detectors.ts';
import { prepare } from './owner/run-detectors.ts';

const ZONE = 'Europe/Berlin';
let bench: DetectorBench;
beforeAll(async () => {
  bench = await createDetectorBench();
});
afterAll(() => bench?.stop());

/** Those about the steps of runs and about calls. */
const RULES = (Object.values(CASES).flat() as DetectedRule[]).filter((rule) => !isSumRule(rule));

interface RunRow extends Record<string, unknown> {
  lauf_id: string;
  agent: string;
  projekt: string;
  endkunde_ref: string | null;
}

/** Which agent a run is attributed to follows where runs are counted. */
const isRunOf = (rule: DetectedRule, row: RunRow) =>
  rule.bezug === null ||
  { agent: row.agent, projekt: row.projekt, endkunde: row.endkunde_ref ?? '' }[
    rule.geltungsbereich as 'agent'
  ] === rule.bezug;

const projectOf = ({ agent }: Call) => (agent.includes('/') ? (agent.split('/')[0] as string) : 'standard');
const isCallOf = (rule: DetectedRule, call: Call) =>
  rule.bezug === null ||
  {
    agent: call.agent,
    projekt: projectOf(call),
    endkunde: call.sent.endkunde_ref ?? '',
    funktion: call.sent.funktion_ref ?? '',
    modell: call.modell,
    mandant: '',
  }[rule.geltungsbereich] === rule.bezug;

/** Findings of a run that begin at the same instant are a microsecond apart. */
const toldApart = (found: Expected[]): Expected[] =>
  found.map((each, index) => {
    const before = found.slice(0, index).filter(({ fensterBeginn }) => fensterBeginn === each.fensterBeginn);
    const begin = Temporal.Instant.from(each.fensterBeginn).add({ microseconds: before.length });
    return { ...each, fensterBeginn: begin.toString() };
  });

type OfRun = (run: Run, rule: DetectedRule) => Expected[];
type OfCalls = (calls: Call[], rule: DetectedRule, world: World) => Expected[];

function expected(rule: DetectedRule, calls: Call[], rows: RunRow[], world: World): Expected[] {
  const ofCalls = (AGENTS as Partial<Record<DetectedType, unknown>>)[rule.typ] as OfCalls | undefined;
  if (ofCalls)
    return ofCalls(
      calls.filter((call) => isCallOf(rule, call)),
      rule,
      world,
    );
  const ofRun = (STEPS as Partial<Record<DetectedType, unknown>>)[rule.typ] as OfRun;
  const mine = new Set(rows.filter((row) => isRunOf(rule, row)).map(({ lauf_id }) => lauf_id));
  const byRun = Map.groupBy(calls, ({ lauf }) => lauf);
  const all = new Map(
    rows.map(({ lauf_id, agent, endkunde_ref }) => {
      const own = byRun.get(lauf_id) ?? [];
      return [
        lauf_id,
        { agent, endkunde: endkunde_ref, calls: own, isInLook: own.some(({ ms }) => ms >= world.von) },
      ];
    }),
  );
  return (
    by(
      calls.filter(({ lauf }) => lauf !== null && mine.has(lauf)),
      ({ lauf }) => lauf as string,
    )
      // What is found of a tree is about its root, whenever that has called.
      .filter((run) => rule.typ === 'baum_deckel' || run.some(({ ms }) => ms >= world.von))
      .flatMap((run) => toldApart(ofRun({ lauf: run[0]?.lauf as string, steps: inOrder(run), all }, rule)))
  );
}

const keyOf = ({ objekt, fensterBeginn }: Pick<Expected, 'objekt' | 'fensterBeginn'>) =>
  `${objekt} ${fensterBeginn}`;
const sorted = (found: Expected[]) =>
  found
    .map((each) => ({ ...each, key: keyOf(each) }))
    .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

const plain = ({
  objekt,
  fensterBeginn,
  werte,
  kostenEur,
  verbranntEur,
  potentialEur,
  hoechstens,
}: Candidate): Expected => ({
  objekt,
  fensterBeginn,
  werte,
  kostenEur,
  verbranntEur,
  potentialEur,
  ...(hoechstens === 'warnen' ? { warnsOnly: true } : {}),
});
const inKeys = (value: unknown): unknown =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;
const comparable = (found: Expected[]) =>
  sorted(found.map((each) => ({ ...each, werte: inKeys(each.werte) as Expected['werte'] })));

const world = (): World => ({ von: bench.end.subtract({ hours: 26 }).epochMilliseconds, zone: ZONE });

async function look<T>(mandant: string, work: (look: Look) => Promise<T>): Promise<T> {
  return bench.owner.transaction(async (client) => {
    const over: Look = {
      client,
      mandant,
      zone: ZONE,
      von: bench.end.subtract({ hours: 26 }),
      bis: bench.end,
    };
    await prepare(over, RULES, createPriceList());
    return work(over);
  });
}

const fired = new Map<string, number>();

/** No more burnt than it cost, and of an agent that the calls or their run have. */
function expectPlausible(
  { kostenEur, verbranntEur, agent, objektArt, lauf }: Candidate,
  rows: RunRow[],
): void {
  expect(new Exact(verbranntEur ?? 0).lte(kostenEur ?? 0), 'burnt is no more than the cost').toBe(true);
  if (objektArt === 'lauf') expect(rows.find(({ lauf_id }) => lauf_id === lauf)?.agent).toBe(agent);
  else expect([...AGENT_KEYS, null]).toContain(agent);
}

async function check(sent: Ereignis[][]): Promise<void> {
  const { mandantId, send } = await bench.newSender();
  await send(...sent);
  const calls = [...new Map(sent.flat().map((event) => [event.ereignis_id, event])).values()].map(toCall);
  const rows = await bench.service.sql<RunRow>(
    'SELECT lauf_id, agent, projekt, endkunde_ref FROM laeufe WHERE mandant_id = $1',
    [mandantId],
  );
  await look(mandantId, async (over) => {
    for (const rule of RULES) {
      const found = await detect(over, rule);
      fired.set(rule.typ, (fired.get(rule.typ) ?? 0) + found.length);
      expect(comparable(found.map(plain)), rule.typ).toEqual(
        comparable(expected(rule, calls, rows, world())),
      );
      expect(new Set(found.map(keyOf)).size, 'each key once').toBe(found.length);
      for (const each of found) {
        expectFigures(rule.typ, each.werte);
        expectPlausible(each, rows);
      }
    }
  });
}

test('finds what the catalogue says, whatever is sent', async () => {
  const some = { numRuns: fuzzRuns(25), seed: 20_261_122, endOnFailure: true };
  const end = bench.end.epochMilliseconds;
  await fc.assert(fc.asyncProperty(batches(end), check), some);
  await fc.assert(fc.asyncProperty(batchesOfRestarts(end), check), some);
  // A test in which nothing was found says nothing; by few calls not every rule is met.
  if (!isWhole) return expect([...fired.values()].some((count) => count > 0)).toBe(true);
  expect(RULES.filter(({ typ }) => !fired.get(typ)).map(({ typ }) => typ)).toEqual([]);
});
