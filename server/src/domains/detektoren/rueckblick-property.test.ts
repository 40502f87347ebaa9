/** Whatever was sent: a rule held against past days would have fired, and saved, what following the calls one by one says. */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Ereignis } from '#client/index.ts';
import { DETECTED_TYPES, REGELTYPEN } from '#contracts';
import { untilOf } from '#domains/befunde/index.ts';
import { createPriceList } from '#domains/preise/index.ts';
import type { Regel } from '#domains/regeln/index.ts';
import { mandantId } from '#kernel/mandant-id.ts';
import { isWhole } from '#test/depth.ts';
import { createDetectorBench, type DetectorBench } from '#test/detector-bench.ts';
import { AGENTS } from '#test/detectors/agents.ts';
import { batches } from '#test/detectors/arbitrary.ts';
import { by, type Call, cost, type Expected, inOrder, type Run, sum, toCall } from '#test/detectors/calls.ts';
import { CASES } from '#test/detectors/cases.ts';
import { ruleOf } from '#test/detectors/rules.ts';
import { STEPS } from '#test/detectors/steps.ts';
import { grenze } from '#test/detectors/sums.ts';
import { fuzzRuns } from '#test/fuzz.ts';
import { Exact } from '#test/reference-cost.ts';
import type { DetectedRule } from './detectors.ts';
import { lookBack } from './owner/rueckblick.ts';

const ZONE = 'Europe/Berlin';
const DAYS = 6;
let bench: DetectorBench;
beforeAll(async () => {
  bench = await createDetectorBench();
});
afterAll(() => bench?.stop());

/** Of each type those that hold for everything, as far up as they may go, up to stopping. */
const rulesOf = (quelle: 'schritte' | 'aufrufe'): DetectedRule[] =>
  DETECTED_TYPES.filter((typ) => REGELTYPEN[typ].quelle === quelle)
    .flatMap((typ): DetectedRule[] => CASES[typ])
    .filter(({ bezug }) => bezug === null)
    .map((rule) => ({
      ...rule,
      stufe: REGELTYPEN[rule.typ].hoechstens === 'warnen' ? 'warnen' : 'anhalten',
    }));
const anhalten = { stufe: 'anhalten' } as const;
const OF_RUNS = [
  // What is found of several runs together is not made of the steps of one: `calls-property`, `stream/trees` and `stream/restarts` have it.
  ...rulesOf('schritte').filter(({ typ }) => !['baum_deckel', 'rekursion', 'neustart'].includes(typ)),
  ruleOf('schleife_exakt', {
    schwelle: '2',
    parameter: { ohne_verlauf: 3, pause_sekunden: 70 },
    ...anhalten,
  }),
  ruleOf('schleife_nah', { schwelle: '4', parameter: { abstand: 16, eingabe_prozent: 50 }, ...anhalten }),
  ruleOf('lauf_deckel', { schwelle: '0.002', einheit: 'eur', ...anhalten }),
  ruleOf('kontextwachstum', { schwelle: '500', parameter: { mindest_schritte: 4, faktor: 2 }, ...anhalten }),
] as DetectedRule[];
const OF_CALLS = [
  ...rulesOf('aufrufe').map((rule) => ({ ...rule, stufe: 'warnen' })),
  ruleOf('wiederholsturm', { schwelle: '3', zeitfenster: '1h' }),
] as DetectedRule[];
const OF_SUMS = ['5m', '1h', '3h', '24h', '2d', 'stunde', 'tag', 'monat'].flatMap((zeitfenster) => [
  ruleOf('kosten_grenze', { zeitfenster, schwelle: '0.01' }),
  ruleOf('raten_grenze', { zeitfenster, schwelle: '5' }),
]) as DetectedRule[];

type OfRun = (run: Run, rule: DetectedRule) => Expected[];
type OfCalls = (calls: Call[], rule: DetectedRule, world: { von: number; zone: string }) => Expected[];
interface Wanted {
  befunde: number;
  verbrannt_eur?: string | null;
  potential_eur?: string | null;
  aufrufe_gespart?: number;
  gespart_eur?: string;
}

const total = (found: Expected[], field: 'verbranntEur' | 'potentialEur') =>
  sum(found.map((each) => (each[field] === null ? null : new Exact(each[field]))));

/** The calls with which each finding came to hold, in the order of the findings. */
function firing(run: Run, rule: DetectedRule): Call[] {
  const detector = (STEPS as Record<string, unknown>)[rule.typ] as OfRun;
  // What a run comes to grows with time, everything else with its steps.
  const steps = rule.typ === 'lauf_deckel' ? [...run.steps].sort((a, b) => a.ms - b.ms) : run.steps;
  const counts = steps.map((_, index) => detector({ ...run, steps: steps.slice(0, index + 1) }, rule).length);
  return steps.filter((_, index) => (counts[index] as number) > Math.max(0, ...counts.slice(0, index)));
}

/** How long a run stays stopped. */
function untilOfStop({ lauf, iso, agent }: Call, rule: DetectedRule): number {
  const found = {
    regel: rule,
    objektArt: 'lauf',
    objekt: lauf ?? '',
    agent,
    lauf,
    fensterBeginn: iso,
    werte: {},
  } as const;
  const money = { kostenEur: null, verbranntEur: null, potentialEur: null };
  return untilOf('anhalten', { ...found, ...money }, undefined, new Date(iso))?.getTime() ?? Infinity;
}

/** The calls of the run that were not made if each of these had stopped it, as long as an order holds. */
function savedOf(run: Run, fires: Call[], rule: DetectedRule): Call[] {
  const blocks: { von: number; bis: number }[] = [];
  for (const call of fires.toSorted((a, b) => a.ms - b.ms))
    if (!blocks.some(({ von, bis }) => von <= call.ms && call.ms < bis))
      blocks.push({ von: call.ms, bis: untilOfStop(call, rule) });
  return run.steps.filter(({ ms }) => blocks.some(({ von, bis }) => ms > von && ms < bis));
}

function wantedOfRuns(rule: DetectedRule, runs: Run[]): Wanted {
  const detector = (STEPS as Record<string, unknown>)[rule.typ] as OfRun;
  const fired = runs
    .map((run) => ({ run, fires: firing(run, rule) }))
    .filter(({ fires }) => fires.length > 0);
  const found = fired.flatMap(({ run }) => detector(run, rule));
  const stopped = rule.stufe === 'anhalten' ? fired : [];
  const saved = stopped.flatMap(({ run, fires }) => {
    const own = detector(run, rule);
    return savedOf(
      run,
      fires.filter((_, index) => !own[index]?.warnsOnly),
      rule,
    );
  });
  // One that grew for a while only counts, too.
  const befunde = rule.typ === 'kontextwachstum' ? fired.length : found.length;
  return {
    befunde,
    ...(rule.typ === 'kontextwachstum' ? {} : { potential_eur: total(found, 'potentialEur') }),
    verbrannt_eur: total(found, 'verbranntEur'),
    aufrufe_gespart: saved.length,
    gespart_eur: cost(saved) ?? '0',
  };
}

function wanted(rule: DetectedRule, calls: Call[], runs: Run[], von: number): Wanted {
  if (OF_RUNS.includes(rule)) return wantedOfRuns(rule, runs);
  if (OF_SUMS.includes(rule))
    return { befunde: grenze(calls, rule as Regel<'kosten_grenze'>, von, ZONE).length };
  const detector = (AGENTS as Record<string, unknown>)[rule.typ] as OfCalls;
  const found = detector(calls, rule, { von: von - 86_400_000, zone: ZONE });
  return {
    befunde: found.length,
    verbrannt_eur: total(found, 'verbranntEur'),
    potential_eur: total(found, 'potentialEur'),
  };
}

/** Of sums, also of one value and of each agent by itself. */
const OF_OLDER_SUMS = [
  ...OF_SUMS,
  ...DETECTED_TYPES.filter((typ) => REGELTYPEN[typ].quelle === 'summen').flatMap(
    (typ): DetectedRule[] => CASES[typ],
  ),
  ruleOf('kosten_grenze', { zeitfenster: '2d', schwelle: '0.001', parameter: { je: 'agent' } }),
  ruleOf('raten_grenze', { zeitfenster: 'monat', schwelle: '3', geltungsbereich: 'agent', bezug: 'a' }),
  ruleOf('kosten_spitze', {
    schwelle: '1',
    parameter: { mindest_eur: '0.0001', z: '0', wochen: 12, mindest_tage: 1, ohne_vergleich_eur: '0.0001' },
  }),
  ruleOf('stille', { zeitfenster: '3h', parameter: { tage: 1 } }),
] as DetectedRule[];

const fired = new Set<DetectedRule>();
const saving = new Set<string>();

async function check(sent: Ereignis[][]): Promise<void> {
  const { mandantId: mandant, send } = await bench.newSender();
  await send(...sent);
  const calls = [...new Map(sent.flat().map((event) => [event.ereignis_id, event])).values()].map(toCall);
  const runs = by(
    calls.filter(({ lauf }) => lauf !== null),
    ({ lauf }) => lauf as string,
  ).map((own) => ({ lauf: own[0]?.lauf as string, steps: inOrder(own), all: new Map() }));
  const bis = bench.end.toZonedDateTimeISO(ZONE).toPlainDate();
  const von = bis.subtract({ days: DAYS - 1 });
  const since = von.toZonedDateTime(ZONE).epochMilliseconds;
  const context = { owner: bench.owner, prices: createPriceList() };
  for (const regel of [...OF_RUNS, ...OF_CALLS, ...OF_SUMS]) {
    const found = await lookBack(
      context,
      mandantId(mandant),
      { regel, zone: ZONE, von, bis },
      async () => true,
    );
    if (found?.befunde) fired.add(regel);
    if (found?.aufrufe_gespart) saving.add(regel.typ);
    const what = `${regel.typ} ${regel.schwelle} ${regel.zeitfenster}`;
    expect(found, what).toMatchObject(wanted(regel, calls, runs, since));
    expect(found?.tage, what).toHaveLength(DAYS);
    expect(
      found?.tage.reduce((all, { befunde }) => all + befunde, 0),
      what,
    ).toBe(found?.befunde);
  }
}

test('what would have been found, and saved, is what the calls say one by one', async () => {
  await fc.assert(fc.asyncProperty(batches(bench.end.epochMilliseconds), check), {
    // Until each rule has fired.
    numRuns: fuzzRuns(isWhole ? 60 : 10),
    seed: 20_261_122,
    endOnFailure: true,
  });
  // A test in which nothing was found says nothing; by few calls not every rule is met.
  expect(fired.size).toBeGreaterThan(0);
  if (!isWhole) return;
  const all = [...OF_RUNS, ...OF_CALLS, ...OF_SUMS];
  expect(all.filter((rule) => !fired.has(rule)).map(({ typ, zeitfenster }) => [typ, zeitfenster])).toEqual(
    [],
  );
  expect([...saving].sort()).toEqual([
    'kontextwachstum',
    'lauf_deckel',
    'leerlauf',
    'pingpong',
    'schleife_exakt',
    'schleife_nah',
    'verdichtung',
    'zyklus',
  ]);
});

test('hours whose sums are removed are made of the calls: nothing else is found', async () => {
  const bis = bench.end.toZonedDateTimeISO(ZONE).toPlainDate();
  const days = { zone: ZONE, von: bis.subtract({ days: DAYS - 1 }), bis };
  const context = { owner: bench.owner, prices: createPriceList() };
  const removed = bench.end.subtract({ hours: 14 }).toString();
  let withoutCalls = 0;
  await fc.assert(
    fc.asyncProperty(batches(bench.end.epochMilliseconds), async (sent) => {
      const { mandantId: mandant, send } = await bench.newSender();
      await send(...sent);
      const sql = (text: string, values: unknown[] = []) => bench.service.sql(text, [mandant, ...values]);
      const lookBacks = async () => {
        const all = [];
        for (const regel of OF_OLDER_SUMS)
          all.push([
            regel.typ,
            await lookBack(context, mandantId(mandant), { ...days, regel }, async () => true),
          ]);
        return all;
      };
      const before = await lookBacks();
      await sql('DELETE FROM verbrauch_laufend_stunde WHERE mandant_id = $1 AND stunde < $2', [removed]);
      if (!isDeepStrictEqual(await lookBacks(), before)) withoutCalls += 1;
      await sql('UPDATE zaehlstaende SET stunden_ab = $2 WHERE mandant_id = $1', [removed]);
      expect(await lookBacks()).toEqual(before);
    }),
    { numRuns: fuzzRuns(3), seed: 20_261_123, endOnFailure: true },
  );
  // The sums that are left would say something else.
  expect(withoutCalls).toBeGreaterThan(0);
});
