/** Calls that detectors may find something in: stretches that repeat, alternate, grow and fail, sent in any order. */
import fc from 'fast-check';
import type { Ereignis } from '#client/index.ts';

const HOUR = 3_600_000;
/** How long before the end of the look the stretches begin: around its beginning, local midnight, long before. */
const BEGINNINGS = [0.4, 0.5, 1.2, 3, 12.9, 13.05, 25, 25.9, 26.05, 40, 100].map((hours) => hours * HOUR);
const RUNS = [1, 2, 3, 4, 5].map((n) => `0000000${n}-0000-4000-8000-00000000000${n}`);
const PROMPTS = [
  '00000000000000ff',
  '00000000000000fe',
  '00000000000000f0',
  'ffffffff00000000',
  '8000000000000001',
];
const TOOLS = ['0000000000000001', '0000000000000002', 'f000000000000003', null];
const MODELS: [string | null, string | null][] = [
  ['openai', 'gpt-4o'],
  ['openai', 'gpt-4o'],
  ['anthropic', 'claude-sonnet-4-5'],
  ['google', 'gemini-2.5-pro'],
  ['eigener-server', 'gpt-4o'],
  [null, 'gpt-4o-mini'],
  ['openai', null],
];
export const AGENTS = ['a', 'b', 'p/c'];
const CUSTOMERS = ['k1', 'k2', null];

const tokens = fc.constantFrom(0, 10, 100, 1_000, 1_040, 4_200, 5_000, 210_000);

/** What the calls of a stretch have in common. */
const common = fc.record({
  model: fc.constantFrom(...MODELS),
  lauf_id: fc.option(fc.constantFrom(...RUNS), { freq: 6 }),
  agent: fc.constantFrom(...AGENTS),
  endkunde_ref: fc.constantFrom(...CUSTOMERS),
  funktion_ref: fc.constantFrom('f1', 'f2', null),
  begin: fc.constantFrom(...BEGINNINGS),
  pause: fc.constantFrom(0, 1_000, 60_000, 150_000, 400_000),
  step: fc.constantFrom(1, 1, 4, 9, null),
  prompts: fc.array(fc.option(fc.constantFrom(...PROMPTS), { freq: 8 }), { minLength: 1, maxLength: 2 }),
  tools: fc.array(fc.constantFrom(...TOOLS), { minLength: 1, maxLength: 2 }),
  status: fc.constantFrom(
    ['erfolgreich'],
    ['fehler'],
    ['fehler', 'erfolgreich'],
    ['abgebrochen', 'erfolgreich', 'erfolgreich'],
  ),
  input: tokens,
  growth: fc.constantFrom(0, 0, 20, 700, 5_000),
  cached: fc.constantFrom(0, 0, 500, 3_000),
  written: fc.constantFrom(0, 0, 1_000),
  output: fc.option(fc.constantFrom(0, 20, 300, 6_000), { freq: 8 }),
  denk: fc.constantFrom(0, 0, 280, 5_900),
  werkzeugaufrufe: fc.constantFrom(0, 0, 1),
  counts: fc.boolean(),
  length: fc.integer({ min: 1, max: 12 }),
  latenz_ms: fc.constantFrom(null, 300, 55_000),
  zusatz: fc.constantFrom(
    null,
    null,
    null,
    { wiederholung_gewollt: true },
    { eltern_lauf: RUNS[0] },
    { eltern_lauf: RUNS[1] },
    { eltern_lauf: RUNS[2], ergebnis_fingerabdruck: 'e1' },
    { eltern_lauf: 'keiner' },
    { wiederholung_gewollt: 'ja', ergebnis_fingerabdruck: 'e1' },
    { gemeldete_kosten_usd: '0.02' },
    { gemeldete_kosten_usd: 1e-7 },
    { gemeldete_kosten_usd: 0 },
  ),
});

const pick = <T>(items: readonly T[], index: number): T => items[index % items.length] as T;

type Common = typeof common extends fc.Arbitrary<infer T> ? T : never;

/** Whether a sender leaves what was cached out of the input. */
const isBeside = ({ denk }: Common) => denk === 280;

/** Of these some say how they count, and some of them wrongly. */
const saidOf = (s: Common) =>
  s.zusatz === null && s.written > 0 ? { eingabe_umfasst_cache: !isBeside(s) || s.counts } : s.zusatz;

/** What a call of a stretch has consumed. */
function consumption(s: Common, index: number) {
  const input = s.input + index * s.growth;
  return {
    eingabe_token: input,
    ausgabe_token: s.output,
    cache_lese_token: isBeside(s) ? s.cached : Math.min(s.cached, input),
    cache_schreib_token: Math.min(s.written, Math.max(0, input - s.cached)),
    denk_token: s.denk,
  };
}

/** Of a sender that tells nothing at all. */
const SILENCE = {
  eingabe_token: null,
  ausgabe_token: null,
  cache_lese_token: 0,
  cache_schreib_token: 0,
  denk_token: 0,
};

const stretch = (end: number) =>
  common.map((s): Ereignis[] =>
    Array.from({ length: s.length }, (_, index) => {
      const [anbieter, modell] = s.model;
      const isSilent = !s.counts && index % 3 === 2;
      return {
        anbieter,
        modell,
        lauf_id: s.lauf_id,
        agent: s.agent,
        endkunde_ref: s.endkunde_ref,
        funktion_ref: s.funktion_ref,
        zeitpunkt: new Date(Math.min(end - s.begin + index * s.pause, end - 1)).toISOString(),
        schritt_nr: s.step === null ? null : s.step + index,
        prompt_fingerabdruck: pick(s.prompts, index),
        werkzeug_fingerabdruck: pick(s.tools, index),
        status: pick(s.status, index),
        ...(isSilent ? SILENCE : consumption(s, index)),
        werkzeugaufrufe: s.werkzeugaufrufe,
        latenz_ms: s.latenz_ms,
        zusatz: s.zusatz && index % 5 === 4 ? { ...s.zusatz, ergebnis_fingerabdruck: 'e2' } : saidOf(s),
      };
    }),
  );

/** How a run of those that are begun anew ends. */
const ENDS = {
  tool: { werkzeug_fingerabdruck: '0000000000000009' },
  counted: { werkzeug_fingerabdruck: null, werkzeugaufrufe: 1 },
  failure: { status: 'fehler' },
  abort: { status: 'abgebrochen' },
  answer: { werkzeug_fingerabdruck: null, werkzeugaufrufe: 0 },
} as const;

/** Runs one after the other that do the same, each ended in a way of its own. */
const restarts = (end: number) =>
  fc
    .record({
      agent: fc.constantFrom('a', 'b'),
      endkunde_ref: fc.constantFrom('k1', 'k1', 'k2'),
      funktion_ref: fc.constantFrom('f1', 'f1', 'f2'),
      begin: fc.constantFrom(...BEGINNINGS),
      pause: fc.constantFrom(9_000, 61_000, 400_000),
      between: fc.constantFrom(4_000, 20_000, 3_500_000),
      steps: fc.integer({ min: 1, max: 3 }),
      ends: fc.array(fc.constantFrom('tool', 'tool', 'tool', 'counted', 'failure', 'abort', 'answer'), {
        minLength: 1,
        maxLength: 4,
      }),
      tools: fc.array(fc.constantFrom('0000000000000001', '0000000000000002'), {
        minLength: 1,
        maxLength: 2,
      }),
      zusatz: fc.constantFrom(null, null, null, { wiederholung_gewollt: true }),
    })
    .map(({ agent, endkunde_ref, funktion_ref, begin, pause, between, steps, ends, tools, zusatz }) => {
      const length = steps * pause + between;
      return ends.flatMap((ended, run): Ereignis[] =>
        Array.from({ length: steps + 1 }, (_, step) => ({
          anbieter: 'openai',
          modell: 'gpt-4o',
          lauf_id: pick(RUNS, run + 1),
          agent,
          endkunde_ref,
          funktion_ref,
          zeitpunkt: new Date(Math.min(end - begin + run * length + step * pause, end - 1)).toISOString(),
          schritt_nr: step + 1,
          prompt_fingerabdruck: pick(PROMPTS, step),
          werkzeug_fingerabdruck: pick(tools, step),
          eingabe_token: 1_000 + step,
          ausgabe_token: 20,
          zusatz,
          ...(step === steps ? ENDS[ended as keyof typeof ENDS] : {}),
        })),
      );
    });

/** Calls as they are sent: in batches, late, out of order, some of them twice. */
const sentOf = (calls: fc.Arbitrary<Ereignis[][]>): fc.Arbitrary<Ereignis[][]> =>
  calls.chain((stretches) => {
    const first = stretches.flat();
    // The same call in another run.
    const twins = first
      .filter((_event, index) => index % 3 === 0)
      .map((event) => ({ ...event, lauf_id: RUNS[0] as string }));
    const events = [...first, ...twins].map((event, index) => ({
      ...event,
      ereignis_id: `${(index * 7919).toString(16).padStart(8, '0')}-0000-4000-8000-${String(index).padStart(12, '0')}`,
    }));
    const again = events.filter((_event, index) => index % 7 === 3);
    return fc
      .tuple(fc.shuffledSubarray(events, { minLength: events.length }), fc.integer({ min: 1, max: 3 }))
      .map(([shuffled, parts]) =>
        Array.from({ length: parts }, (_part, part) => [
          ...shuffled.filter((_event, index) => index % parts === part),
          ...again.filter((_event, index) => index % parts === part),
        ]),
      );
  });

/** Batches until `end` (milliseconds since 1970), of stretches of all kinds. */
export const batches = (end: number): fc.Arbitrary<Ereignis[][]> =>
  sentOf(fc.array(stretch(end), { minLength: 1, maxLength: 9 }));

/** … of runs that begin the same anew, which hardly come about by chance. */
export const batchesOfRestarts = (end: number): fc.Arbitrary<Ereignis[][]> =>
  sentOf(restarts(end).map((calls) => [calls]));
