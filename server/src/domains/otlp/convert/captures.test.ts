import { describe, expect, it } from 'vitest';
import { bodiesOf, captures, recordsOf, type TrueCall, truthOf } from '#test/otlp-captures.ts';
import { type Call, callsOf } from './calls.ts';
import { eventOf } from './events.ts';
import { type Sighting, sight } from './sighting.ts';
import { DEFAULT_NAMES } from './who.ts';

const sightingsOf = (capture: string): Sighting[] =>
  bodiesOf(capture)
    .flatMap(recordsOf)
    .flatMap((record) => sight(record, DEFAULT_NAMES, null) ?? []);

/** What an emitter does not send, so that nobody can know it. */
interface Losses {
  /** Calls that are seen without counts, or with counts that are not the provider's; as a place in the truth. */
  counts?: number[];
  /** Calls that are not seen at all. */
  calls?: number[];
  /** Of all calls of these places, or of `all`. */
  cache?: number[] | 'all';
  reasoning?: number[] | 'all';
  oneHour?: 'all';
  model?: number[];
  /** Calls that are written down though nobody made them. */
  more?: number;
  /** Calls that failed and were tried again within the library show as one, or not at all. */
  refused?: number;
}

const LOSSES: Record<string, Losses> = {
  'claude-agent-sdk': {},
  'claude-code': { oneHour: 'all' },
  'claude-code-retry': { oneHour: 'all', refused: 0 },
  // The second session was refused; what was refused is not among the true calls.
  'gemini-cli': { refused: 1 },
  'google-adk': {},
  // A generation that was written down by hand.
  'langfuse-python': { more: 1, refused: 1 },
  'langsmith-otel': { refused: 1 },
  'openai-agents-native': { model: [0, 1, 2] },
  opencode: {},
  'openinference-agno': { reasoning: 'all' },
  'openinference-anthropic': { refused: 1 },
  'openinference-langchain-plus-openai': { refused: 1 },
  // Streams that do not ask for usage.
  'openinference-llama-index': { counts: [1, 2, 3] },
  'openinference-openai-agents': { cache: [3, 4], reasoning: [3, 4] },
  // Where no usage comes it guesses.
  openlit: { counts: [2], reasoning: [0, 1, 3], oneHour: 'all', refused: 2 },
  'openllmetry-anthropic': { refused: 1 },
  // The region is lost with the model's full name.
  'openllmetry-bedrock': { counts: [3] },
  'openllmetry-langchain-plus-openai': { reasoning: 'all', refused: 1 },
  'openllmetry-openai': { counts: [2], reasoning: [1], refused: 1 },
  'otel-openai-v2': { counts: [2], calls: [4, 5], cache: 'all', reasoning: 'all', refused: 1 },
  'pydantic-ai-logfire': {},
  'pydantic-ai-v2': {},
  'strands-agents': { reasoning: 'all', oneHour: 'all' },
  'vercel-ai-4': { counts: [3, 7], oneHour: 'all', refused: 1 },
  'vercel-ai-6': { refused: 1 },
  'vercel-ai-7-legacy': { refused: 1 },
};

const isLost = (losses: number[] | 'all' | undefined, index: number): boolean =>
  losses === 'all' || (losses?.includes(index) ?? false);

/** What is known of what was cached: nothing of an embedding ever is. */
function expectedCache(call: TrueCall, index: number, losses: Losses) {
  if (call.path.includes('embeddings')) return { cacheLese: 0, cacheSchreib: 0 };
  if (isLost(losses.cache, index)) return { cacheLese: null, cacheSchreib: null };
  return { cacheLese: call.cache_read ?? 0, cacheSchreib: call.cache_write ?? 0 };
}

/** What is known of a true call where nothing but the named losses is missing. */
const expected = (call: TrueCall, index: number, losses: Losses) => ({
  eingabe: call.input_incl_cache,
  ausgabe: call.output_incl_reasoning,
  ...expectedCache(call, index, losses),
  denk: isLost(losses.reasoning, index) ? 0 : (call.reasoning ?? 0),
  oneHour: losses.oneHour ? 0 : (call.cache_write_1h ?? 0),
  // Some name the model as it was asked for, without the version that answered.
  modell: isLost(losses.model, index)
    ? null
    : (asAsked(call.model ?? null)?.replace('eu.anthropic.', '') ?? null),
});

/** Of a model its name as it was asked for, without where and in which version. */
const asAsked = (modell: string | null): string | null =>
  modell?.replace(/-2026-08-07$/, '').replace(/-20250929-v1:0$/, '') ?? null;

const found = ({ counts, modell }: Call) => ({
  eingabe: counts.eingabe,
  ausgabe: counts.ausgabe,
  cacheLese: counts.cacheLese,
  cacheSchreib: counts.cacheSchreib,
  denk: counts.denk ?? 0,
  oneHour: counts.cacheSchreib1h ?? 0,
  modell: asAsked(modell),
});

const byInput = (one: { eingabe: number | null }, other: { eingabe: number | null }) =>
  (one.eingabe ?? 0) - (other.eingabe ?? 0);

const names = captures();

describe.skipIf(names.length === 0)(
  'what real libraries sent (the folder of captures is not everywhere)',
  () => {
    it.each(names)('%s: every call once, exactly, but for what is lost before it is sent', (capture) => {
      const losses = LOSSES[capture] ?? {};
      const truth = truthOf(capture).filter(({ error }) => !error);
      const calls = callsOf(sightingsOf(capture));
      const answered = calls.filter(({ failed }) => !failed);
      const lost = [...(losses.counts ?? []), ...(losses.calls ?? [])];
      const whole = truth
        .map((call, index) => ({ call, index }))
        .filter(({ index }) => !lost.includes(index));
      expect(answered).toHaveLength(truth.length - (losses.calls?.length ?? 0) + (losses.more ?? 0));
      const exact = new Set(
        whole.map(({ call }) => `${call.input_incl_cache} ${call.output_incl_reasoning}`),
      );
      expect(
        answered
          .filter(({ counts }) => exact.has(`${counts.eingabe} ${counts.ausgabe}`))
          .map(found)
          .sort(byInput),
      ).toEqual(whole.map(({ call, index }) => expected(call, index, losses)).sort(byInput));
    });

    it.each(names)('%s: what failed is one call each, without counts', (capture) => {
      const failed = callsOf(sightingsOf(capture)).filter((call) => call.failed);
      expect(failed).toHaveLength(LOSSES[capture]?.refused ?? 0);
      for (const { counts } of failed) expect(counts.eingabe).toBeNull();
    });

    const told = (sightings: Sighting[]) => callsOf(sightings).map(eventOf);

    it.each(names)('%s: the same in any order, and however often it comes', (capture) => {
      const sightings = sightingsOf(capture);
      const once = told(sightings);
      expect(told(sightings.toReversed())).toEqual(once);
      expect(told([...sightings, ...sightings].toSorted((a, b) => (a.id < b.id ? -1 : 1)))).toEqual(once);
      expect(new Set(once.map(({ ereignis_id }) => ereignis_id)).size).toBe(once.length);
    });

    it.each(names)('%s: no word of a prompt is kept', (capture) => {
      const kept = JSON.stringify(sightingsOf(capture));
      for (const word of [
        'What is the answer',
        'The answer is 42',
        'weather in Berlin',
        'weather?',
        'budget guard',
        'Traceback',
      ])
        expect(kept).not.toContain(word);
    });

    it('is all that is there', () => {
      expect(names).toEqual(Object.keys(LOSSES).toSorted());
    });
  },
);

describe.skipIf(names.length === 0)('who made the calls', () => {
  const who = (capture: string) =>
    callsOf(sightingsOf(capture)).map(({ who: { agent, sitzung, benutzer, endkunde }, schritt }) => [
      agent,
      sitzung,
      benutzer,
      endkunde,
      schritt,
    ]);

  it('by what stands around them', () => {
    expect(who('strands-agents').slice(0, 2)).toEqual([
      ['weather-agent', 'sess-1', 'u-1', 'acme', 1],
      ['weather-agent', 'sess-1', 'u-1', 'acme', 2],
    ]);
    expect(who('langfuse-python')[0]).toEqual(['handle-ticket', 'sess-1', 'u-1', 'acme', 1]);
    expect(who('vercel-ai-6')[0]).toEqual(['weather-agent', 'sess-1', 'u-1', 'acme', 1]);
    expect(who('langsmith-otel')[0]).toEqual([null, 'sess-1', 'u-1', 'acme', 1]);
    expect(who('openinference-langchain-plus-openai')[0]).toEqual([
      'shop-assistant',
      'sess-1',
      'u-1',
      'acme',
      1,
    ]);
    expect(who('openai-agents-native')[0]).toEqual(['weather-agent', 'conv-7', null, 'acme', 1]);
    expect(who('google-adk')[1]?.[0]).toBe('weather_agent');
    // A session of several traces has no numbers; one that is told by logs alone has.
    expect(who('claude-code').map((each) => each[4])).toEqual([null, null]);
    expect(who('claude-agent-sdk')[0]?.[4]).toBe(1);
  });
});
