/** What holds for every type of rules, whatever is sent: the members of its declaration agree with one another. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Ereignis } from '#client/index.ts';
import { DETECTED_TYPES } from '#contracts';
import { RECENT_STEPS, type RememberedRun, RunMemory, readRunsAnew } from '#domains/laeufe/index.ts';
import { createPriceList } from '#domains/preise/index.ts';
import { createDetectorBench, type DetectorBench } from '#test/detector-bench.ts';
import { batches, batchesOfRestarts } from '#test/detectors/arbitrary.ts';
import { CASES } from '#test/detectors/cases.ts';
import { expectFigures } from '#test/figures.ts';
import { fuzzRuns } from '#test/fuzz.ts';
import { Exact } from '#test/reference-cost.ts';
import { overCalls } from './calls/over-calls.ts';
import type { Found } from './candidate.ts';
import type { Look, TouchedRun } from './detector.ts';
import { callsOf, type DetectedRule, detect, isRunRule, isSumRule, ofCalls } from './detectors.ts';
import { prepare } from './owner/run-detectors.ts';
import { chooseRuns } from './rueckblick/vorauswahl.ts';
import { toTouched } from './stream/runs.ts';
import { isTriggered, mayFire } from './stream/triggers.ts';

const ZONE = 'Europe/Berlin';
let bench: DetectorBench;
beforeAll(async () => {
  bench = await createDetectorBench();
});
afterAll(() => bench?.stop());

const RULES = DETECTED_TYPES.flatMap((typ): DetectedRule[] => CASES[typ]);

const keyOf = ({ objekt, fensterBeginn }: Found) => `${objekt} ${fensterBeginn}`;

/** The runs of a Mandant as the stream sees them. */
async function readTouched({ client, mandant }: Look): Promise<TouchedRun[]> {
  const memory = new RunMemory(2 ** 26);
  const { rows } = await client.query<{ lauf_id: string }>(
    'SELECT lauf_id FROM laeufe WHERE mandant_id = $1',
    [mandant],
  );
  const laeufe = rows.map(({ lauf_id }) => lauf_id);
  await readRunsAnew(client, memory, { mandant, certain: [], others: laeufe }, 0);
  return laeufe.map((lauf) => toTouched(lauf, memory.read(mandant, lauf) as RememberedRun));
}

/** The last step of each run that succeeded, by its number; of runs in which another step bears the same one it cannot be told by that. */
async function readLastSteps({ client }: Look): Promise<Map<string, number>> {
  const { rows } = await client.query<{ lauf_id: string; schritt: string }>(
    `SELECT lauf_id, schritt FROM (SELECT lauf_id, letzter, coalesce(schritt_nr, nr) AS schritt,
        count(*) OVER (PARTITION BY lauf_id, coalesce(schritt_nr, nr)) AS gleiche FROM detektoren_schritte) AS s
      WHERE letzter AND gleiche = 1`,
  );
  return new Map(rows.map(({ lauf_id, schritt }) => [lauf_id, Number(schritt)]));
}

/** Whether calls that failed since have pushed out what is kept: such a run was looked at before they came. */
const isPushedOut = ({ state: { recent } }: TouchedRun) =>
  recent.length === RECENT_STEPS && recent.at(-1)?.failed === true;

/** What gives reason to look leaves out no run in which something is found that goes on with its last step. */
async function expectReasons(
  look: Look,
  rule: DetectedRule,
  found: Found[],
  runs: TouchedRun[],
): Promise<void> {
  if (!isTriggered(rule)) return;
  const last = await readLastSteps(look);
  const goesOn = ({ lauf, werte: { schritte } }: Found) =>
    !Array.isArray(schritte) || schritte.at(-1) === last.get(lauf as string);
  // What is found of a tree is about its root, and told by any run of it that was begun from another.
  const own = rule.typ === 'baum_deckel' ? [] : found;
  const inRuns = new Set(own.filter(goesOn).map(({ lauf }) => lauf));
  // How a run begins is compared once, with the last of the steps that must be the same.
  const isNews = ({ state }: TouchedRun) =>
    rule.typ !== 'neustart' || state.calls - state.failed === rule.parameter.gleiche_schritte;
  for (const run of runs)
    if (inRuns.has(run.lauf_id) && !run.state.stale && !isPushedOut(run) && isNews(run))
      expect(mayFire(rule, run), `${rule.typ} looks at the run at once`).toBe(true);
}

/** What a look back reads is enough to find the same. */
async function expectChosen(look: Look, rule: DetectedRule, found: Found[]): Promise<void> {
  if (isRunRule(rule)) {
    const chosen = new Set(await chooseRuns(look, rule));
    // Looking back a tree is of the day of its root, also where others have called since.
    const again = rule.typ === 'baum_deckel' ? await detect({ ...look, istRueckblick: true }, rule) : found;
    expect(
      again.filter(({ lauf }) => !chosen.has(lauf as string)),
      `${rule.typ} chooses the run`,
    ).toEqual([]);
  } else if (!isSumRule(rule)) {
    const { preselect } = ofCalls(rule);
    if (!preselect) return;
    const prompts = await preselect(look, rule);
    const again = prompts.length === 0 ? [] : await detect({ ...look, prompts }, rule);
    expect(again.map(keyOf).sort(), `${rule.typ} chooses the prompts`).toEqual(found.map(keyOf).sort());
  }
}

/** Calls that are told one by one are those of findings, none twice, none saving more than it cost. */
async function expectCalls(look: Look, rule: DetectedRule, found: Found[]): Promise<void> {
  const calls = callsOf(look, rule);
  if (!calls) return;
  const { rows } = await overCalls(look, () =>
    look.client.query<{ objekt: string; ereignis_id: string; kosten_eur: string | null; eur: string | null }>(
      `SELECT objekt, ereignis_id, kosten_eur::text, eur::text FROM (${calls.text}) AS c`,
      calls.values,
    ),
  );
  expect(new Set(rows.map(({ ereignis_id }) => ereignis_id)).size, `${rule.typ} tells each call once`).toBe(
    rows.length,
  );
  const objects = new Set(found.map(({ objekt }) => objekt));
  expect(
    rows.filter(({ objekt }) => !objects.has(objekt)),
    `${rule.typ} tells calls of findings`,
  ).toEqual([]);
  for (const { kosten_eur, eur } of rows)
    if (rule.typ !== 'modell_zu_gross' && eur !== null && kosten_eur !== null)
      expect(new Exact(eur).lte(kosten_eur), `${rule.typ} saves no more than the cost`).toBe(true);
}

const fired = new Set<string>();

async function check(sent: Ereignis[][]): Promise<void> {
  const { mandantId, send } = await bench.newSender();
  await send(...sent);
  await bench.owner.transaction(async (client) => {
    const von = bench.end.subtract({ hours: 26 });
    const look: Look = { client, mandant: mandantId, zone: ZONE, von, bis: bench.end };
    const runs = await readTouched(look);
    await prepare(look, RULES, createPriceList());
    for (const rule of RULES) {
      const found = await detect(look, rule);
      if (found.length > 0) fired.add(rule.typ);
      expect(new Set(found.map(keyOf)).size, `${rule.typ} finds each thing once`).toBe(found.length);
      for (const each of found) {
        expectFigures(rule.typ, each.werte);
        expect(
          new Exact(each.verbranntEur ?? 0).lte(each.kostenEur ?? 0),
          'burnt is no more than the cost',
        ).toBe(true);
      }
      await expectReasons(look, rule, found, runs);
      await expectChosen(look, rule, found);
      await expectCalls(look, rule, found);
    }
  });
}

test('whatever is sent, reasons to look, what a look back reads and what is found call by call agree with what is found', async () => {
  const some = { numRuns: fuzzRuns(12), seed: 20_261_126, endOnFailure: true };
  const end = bench.end.epochMilliseconds;
  await fc.assert(fc.asyncProperty(batches(end), check), some);
  await fc.assert(fc.asyncProperty(batchesOfRestarts(end), check), some);
  expect(fired.size).toBeGreaterThan(0);
});

/** Three rounds of a cycle, one a minute, and after them `more`, of one run. */
const cycle = (end: number, more: Ereignis[]): Ereignis[] =>
  [
    ...[1, 2, 3].map((schritt_nr) => ({ schritt_nr, werkzeug_fingerabdruck: '0000000000000001' })),
    ...more,
  ].map((step, index) => ({
    anbieter: 'openai',
    modell: 'gpt-4o',
    agent: 'a',
    lauf_id: '00000001-0000-4000-8000-000000000001',
    ereignis_id: `${String(index).padStart(8, '0')}-0000-4000-8000-000000000001`,
    zeitpunkt: new Date(end - (30 - index) * 60_000).toISOString(),
    eingabe_token: 1_000 + index,
    ausgabe_token: 10,
    ...step,
  }));

test('a cycle that ends with a step of the same number as the last one of the run does not go on with it', async () => {
  // Another process of the run numbers its own steps: step 3 is there twice.
  const other = { schritt_nr: 3, werkzeug_fingerabdruck: '0000000000000002' };
  await check([cycle(bench.end.epochMilliseconds, [other])]);
});

test('a cycle is looked at when its last step comes, not after all that failed since', async () => {
  const failed = Array.from({ length: RECENT_STEPS }, (_, index) => ({
    schritt_nr: 4 + index,
    status: 'fehler' as const,
  }));
  await check([cycle(bench.end.epochMilliseconds, failed)]);
});
