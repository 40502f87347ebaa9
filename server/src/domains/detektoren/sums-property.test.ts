/** Whatever is sent: the detectors over sums find what the words of the catalogue say. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Ereignis } from '#client/index.ts';
import type { Regel } from '#domains/regeln/index.ts';
import { keepValues } from '#domains/zaehlung/index.ts';
import { createKey } from '#test/account.ts';
import { isWhole } from '#test/depth.ts';
import { createDetectorBench, type DetectorBench } from '#test/detector-bench.ts';
import { type Call, toCall } from '#test/detectors/calls.ts';
import { CASES } from '#test/detectors/cases.ts';
import { ruleOf } from '#test/detectors/rules.ts';
import { grenze, type Peak, schaetzanteil, stille } from '#test/detectors/sums.ts';
import { expectFigures } from '#test/figures.ts';
import { fuzzRuns } from '#test/fuzz.ts';
import type { Candidate } from './candidate.ts';
import type { Look } from './detector.ts';
import { type DetectedRule, detect } from './detectors.ts';
import { askedBy } from './sums/asked-values.ts';

const ZONE = 'Europe/Berlin';
const HOUR = 3_600_000;
let bench: DetectorBench;
beforeAll(async () => {
  bench = await createDetectorBench();
});
afterAll(() => bench?.stop());

/** What is known of no slow reference is tested by example below. */
const REFERENCED = ['kosten_grenze', 'raten_grenze', 'schaetzanteil', 'stille'] as const;
const RULES: DetectedRule[] = REFERENCED.flatMap((typ): DetectedRule[] => CASES[typ]);

const event = (end: number): fc.Arbitrary<Ereignis> =>
  fc
    .record({
      zeitpunkt: fc
        .tuple(
          fc.constantFrom(0.2, 1, 2.5, 12.9, 13.1, 24, 26, 27, 30, 44),
          fc.integer({ min: 0, max: 20 * 60_000 }),
        )
        .map(([hours, ms]) => new Date(Math.min(end - 1, end - hours * HOUR + ms)).toISOString()),
      agent: fc.constantFrom('a', 'b'),
      endkunde_ref: fc.constantFrom('k', null),
      anbieter: fc.constant('openai'),
      modell: fc.constantFrom('gpt-4o', 'gpt-4o', 'gibt-es-nicht'),
      eingabe_token: fc.constantFrom(0, 100, 1_000, 2_000),
      ausgabe_token: fc.constantFrom(0, 50, 500),
      geschaetzt: fc.boolean(),
      status: fc.constantFrom('erfolgreich', 'fehler'),
    })
    .map((sent) => ({ ...sent, ereignis_id: crypto.randomUUID() }));

const isCallOf = (rule: Regel, call: Call) =>
  rule.bezug === null ||
  { agent: call.agent, endkunde: call.sent.endkunde_ref ?? '', modell: call.modell }[
    rule.geltungsbereich as 'agent'
  ] === rule.bezug;

const sorted = (peaks: Peak[]) => [...peaks].sort((a, b) => (a.fensterBeginn < b.fensterBeginn ? -1 : 1));
const peakOf = ({ fensterBeginn, werte }: Candidate): Peak => ({
  fensterBeginn,
  wert: String(werte.wert ?? werte.geschaetzt ?? werte.letzter_aufruf),
});

function expected(rule: DetectedRule, calls: Call[], von: number): Peak[] {
  const own = calls.filter((call) => isCallOf(rule, call));
  if (rule.typ === 'schaetzanteil') return schaetzanteil(own, rule, von, ZONE);
  if (rule.typ === 'stille') return stille(own, rule, von, bench.end.epochMilliseconds, ZONE);
  if (rule.typ === 'kosten_grenze') return grenze(own, rule, von, ZONE);
  return grenze(own, rule as Regel<'raten_grenze'>, von, ZONE);
}

const fired = new Set<string>();

async function check(sent: Ereignis[], parts: number): Promise<void> {
  const { mandantId, send } = await bench.newSender();
  await send(
    ...Array.from({ length: parts }, (_, part) => sent.filter((_event, index) => index % parts === part)),
  );
  // As the job has it before it looks.
  expect(await keepValues(bench.owner, mandantId, askedBy(RULES))).toBe(true);
  const calls = sent.map(toCall);
  const von = bench.end.subtract({ hours: 26 });
  await bench.owner.transaction(async (client) => {
    const look: Look = { client, mandant: mandantId, zone: ZONE, von, bis: bench.end };
    for (const rule of RULES) {
      const found = await detect(look, rule);
      for (const { werte } of found) expectFigures(rule.typ, werte);
      if (found.length > 0) fired.add(`${rule.typ} ${rule.zeitfenster}`);
      const what = `${rule.typ} ${rule.zeitfenster} ${rule.bezug}`;
      expect(sorted(found.map(peakOf)), what).toEqual(sorted(expected(rule, calls, von.epochMilliseconds)));
      for (const { objektArt, objekt } of found)
        expect([objektArt, objekt], what).toEqual(
          rule.bezug === null ? ['mandant', ''] : [rule.geltungsbereich, rule.bezug],
        );
    }
  });
}

test('limits, estimates and silence are as the events say', async () => {
  const end = bench.end.epochMilliseconds;
  // Sometimes it has been quiet for a day.
  const sent = fc
    .tuple(fc.array(event(end), { minLength: 1, maxLength: 40 }), fc.constantFrom(0, 0, 24))
    .map(([events, hours]) =>
      events.filter(({ zeitpunkt }) => Date.parse(zeitpunkt as string) < end - hours * HOUR),
    );
  await fc.assert(fc.asyncProperty(sent, fc.integer({ min: 1, max: 3 }), check), {
    numRuns: fuzzRuns(15),
    seed: 20_261_122,
    endOnFailure: true,
  });
  // By few calls not every rule is met.
  expect(fired.size).toBeGreaterThan(0);
  if (!isWhole) return;
  const all = RULES.map(({ typ, zeitfenster }) => `${typ} ${zeitfenster}`);
  expect([...new Set(all)].filter((each) => !fired.has(each))).toEqual([]);
});

test('silence is not told while calls wait to be counted', async () => {
  const sender = await bench.newSender();
  const { mandantId, send } = sender;
  await send([{ agent: 'a', zeitpunkt: bench.end.subtract({ hours: 2 }).toString() }]);
  const rule = ruleOf('stille', { zeitfenster: '1h', parameter: { tage: 1 } });
  const ask = () =>
    bench.owner.transaction((client) =>
      detect(
        { client, mandant: mandantId, zone: ZONE, von: bench.end.subtract({ hours: 26 }), bis: bench.end },
        rule,
      ),
    );
  expect(await ask()).toHaveLength(1);
  const { secret } = await createKey(bench.service, sender);
  const waiting = await bench.service.app.inject({
    method: 'POST',
    url: '/v1/ereignisse',
    headers: { authorization: `Bearer ${secret}` },
    payload: { ereignisse: [{ agent: 'b' }] },
  });
  expect(waiting.statusCode).toBe(202);
  expect(await ask()).toEqual([]);
});

test('an hour that costs far more than the same hour of the weeks before is a spike, of whom the rule holds for', async () => {
  const { mandantId, send } = await bench.newSender();
  const begin = bench.end.subtract({ hours: 3 });
  const at = (weeks: number) =>
    begin.toZonedDateTimeISO(ZONE).subtract({ weeks }).add({ minutes: 5 }).toInstant().toString();
  const call = (weeks: number, eingabe_token: number, agent = 'a') => ({
    agent,
    anbieter: 'openai',
    modell: 'gpt-4o',
    eingabe_token,
    ausgabe_token: 0,
    zeitpunkt: at(weeks),
  });
  await send([
    call(5, 1),
    call(4, 400_000),
    call(3, 1_000_000),
    call(1, 600_000),
    call(0, 9_000_000),
    call(0, 1_000_000, 'b'),
  ]);
  const ask = (more: Parameters<typeof ruleOf<'kosten_spitze'>>[1]) =>
    bench.owner.transaction((client) =>
      detect(
        { client, mandant: mandantId, zone: ZONE, von: bench.end.subtract({ hours: 26 }), bis: bench.end },
        ruleOf('kosten_spitze', more),
      ),
    );
  // 2.50 USD a million at 0.86 EUR; the weeks came to 0.86, 2.15, 0 and 1.29, their median is 1.075.
  expect(await ask({})).toMatchObject([
    {
      objektArt: 'mandant',
      fensterBeginn: begin.toString(),
      kostenEur: '21.5',
      werte: { wert_eur: '21.5', median_eur: '1.075', z: '21.36', wochen: 4, aufrufe: 2 },
    },
  ]);
  expect(await ask({ geltungsbereich: 'agent', bezug: 'a' })).toMatchObject([
    { objektArt: 'agent', objekt: 'a', agent: 'a', kostenEur: '19.35' },
  ]);
  expect(await ask({ parameter: { mindest_eur: '22' } })).toEqual([]);
  // Of an agent that never called before nothing is known but that it cost nothing.
  expect(await ask({ geltungsbereich: 'agent', bezug: 'b', parameter: { mindest_eur: '2' } })).toMatchObject([
    { werte: { median_eur: '0', z: null } },
  ]);
  // Each agent by itself: those that called in one of these hours, and cost enough.
  expect(await ask({ parameter: { je: 'agent' } })).toMatchObject([
    { objektArt: 'agent', objekt: 'a', agent: 'a', kostenEur: '19.35' },
  ]);
  expect(
    (await ask({ parameter: { je: 'agent', mindest_eur: '2' } })).map(({ objekt }) => objekt).sort(),
  ).toEqual(['a', 'b']);
  // Before there are days enough to compare with, an hour is held against what it may cost at most.
  const young = { mindest_tage: 40, ohne_vergleich_eur: '21.4' };
  expect(await ask({ parameter: young })).toMatchObject([
    { fensterBeginn: begin.toString(), werte: { wert_eur: '21.5', median_eur: null, z: null, wochen: 0 } },
  ]);
  expect(await ask({ parameter: { ...young, ohne_vergleich_eur: '21.5' } })).toEqual([]);
  expect(await ask({ parameter: { ...young, je: 'agent', ohne_vergleich_eur: '10' } })).toMatchObject([
    { objekt: 'a', werte: { wert_eur: '19.35', median_eur: null } },
  ]);
});

test('a limit of each agent by itself is found of those that cost more, as a rule for each of them would', async () => {
  const { mandantId, send } = await bench.newSender();
  const call = (agent: string, hoursAgo: number, eingabe_token: number) => ({
    agent,
    anbieter: 'openai',
    modell: 'gpt-4o',
    eingabe_token,
    ausgabe_token: 0,
    zeitpunkt: bench.end.subtract({ hours: hoursAgo }).add({ minutes: 5 }).toString(),
  });
  // 2.15 EUR a million.
  await send([
    call('a', 3, 600_000),
    call('a', 3, 600_000),
    call('b', 3, 900_000),
    call('b', 2, 900_000),
    call('c', 2, 5_000_000),
  ]);
  const look = { mandant: mandantId, zone: ZONE, von: bench.end.subtract({ hours: 26 }), bis: bench.end };
  const ask = (more: Parameters<typeof ruleOf<'kosten_grenze'>>[1], agenten?: string[]) =>
    bench.owner.transaction((client) =>
      detect(
        { client, ...look, ...(agenten && { agenten }) },
        ruleOf('kosten_grenze', { schwelle: '2', parameter: { je: 'agent' }, ...more }),
      ),
    );
  const told = (found: Awaited<ReturnType<typeof ask>>) =>
    found.map(({ objektArt, objekt, agent, kostenEur }) => [objektArt, objekt, agent, kostenEur]).sort();
  expect(told(await ask({ zeitfenster: 'stunde' }))).toEqual([
    ['agent', 'a', 'a', '2.58'],
    ['agent', 'c', 'c', '10.75'],
  ]);
  expect(told(await ask({ zeitfenster: 'stunde' }, ['a', 'b']))).toEqual([['agent', 'a', 'a', '2.58']]);
  for (const zeitfenster of ['tag', '3h'])
    expect(told(await ask({ zeitfenster, schwelle: '3.5' }))).toEqual([
      ['agent', 'b', 'b', '3.87'],
      ['agent', 'c', 'c', '10.75'],
    ]);
  expect(told(await ask({ zeitfenster: 'stunde', schwelle: '11' }))).toEqual([]);
});

test('a window far slower than the days before is found once an hour, with its worst window', async () => {
  const { mandantId, send } = await bench.newSender();
  const slow = bench.end.subtract({ hours: 3 });
  const calls = (from: Temporal.Instant, count: number, latenz_ms: number): Ereignis[] =>
    Array.from({ length: count }, (_, index) => ({
      agent: 'a',
      latenz_ms,
      zeitpunkt: from.add({ seconds: index }).toString(),
    }));
  await send(
    calls(bench.end.subtract({ hours: 50 }), 60, 500),
    calls(slow.add({ minutes: 1 }), 25, 4_000),
    calls(slow.add({ minutes: 16 }), 25, 9_000),
    calls(slow.add({ minutes: 31 }), 5, 60_000),
  );
  const ask = (more: Parameters<typeof ruleOf<'latenz'>>[1] = {}) =>
    bench.owner.transaction((client) =>
      detect(
        { client, mandant: mandantId, zone: ZONE, von: bench.end.subtract({ hours: 26 }), bis: bench.end },
        ruleOf('latenz', more),
      ),
    );
  const found = await ask();
  expect(found).toMatchObject([
    {
      fensterBeginn: slow.toString(),
      werte: {
        aufrufe: 25,
        von: slow.add({ minutes: 15 }).toString(),
        bis: slow.add({ minutes: 30 }).toString(),
      },
    },
  ]);
  expectFigures('latenz', found[0]?.werte ?? {});
  expect(found[0]?.werte).toMatchObject({ p95_ms: 9_000, ueblich_ms: 500 });
  expect(await ask({ parameter: { mindest_aufrufe: 26 } })).toEqual([]);
  expect(await ask({ parameter: { messwert: 'erste_zeichen_ms' } })).toEqual([]);
  expect(await ask({ parameter: { mindest_mehr_ms: 60_000 } })).toEqual([]);
});

test.each([
  [1_000, 2_900, false],
  [5_000, 9_900, false],
  [3_000, 7_000, true],
  [1_000, 3_010, true],
])('usually %i ms, now %i ms: %s, to the millisecond', async (usual, now, fires) => {
  const { mandantId, send } = await bench.newSender();
  const calls = (from: Temporal.Instant, count: number, latenz_ms: number): Ereignis[] =>
    Array.from({ length: count }, (_, index) => ({
      agent: 'a',
      latenz_ms,
      zeitpunkt: from.add({ seconds: index }).toString(),
    }));
  await send(
    calls(bench.end.subtract({ hours: 50 }), 60, usual),
    calls(bench.end.subtract({ hours: 3 }), 25, now),
  );
  const found = await bench.owner.transaction((client) =>
    detect(
      { client, mandant: mandantId, zone: ZONE, von: bench.end.subtract({ hours: 26 }), bis: bench.end },
      ruleOf('latenz'),
    ),
  );
  expect(found.map(({ werte }) => [werte.ueblich_ms, werte.p95_ms])).toEqual(fires ? [[usual, now]] : []);
});
