/** What an event says, beside the truth of its call. */
import { expect } from 'vitest';
import type { Truth } from '../../../test/fake-provider/index.ts';
import type { Ereignis } from '../src/index.ts';

/** All tokens of an answer, without what is counted twice. */
const inputOf = ({ input, cacheRead, cacheWrite, inputIncludesCache }: Truth) =>
  inputIncludesCache ? input : input + cacheRead + cacheWrite;
const outputOf = ({ output, reasoning, outputIncludesReasoning }: Truth) =>
  outputIncludesReasoning ? output : output + reasoning;

function countedBy(event: Ereignis, truth: Truth) {
  const { zusatz } = event;
  const cache = (event.cache_lese_token ?? 0) + (event.cache_schreib_token ?? 0);
  const includesCache = zusatz?.eingabe_umfasst_cache ?? truth.inputIncludesCache;
  const includesThoughts = zusatz?.ausgabe_umfasst_denken ?? truth.outputIncludesReasoning;
  return {
    modell: event.modell,
    input: (event.eingabe_token ?? 0) + (includesCache ? 0 : cache),
    output: (event.ausgabe_token ?? 0) + (includesThoughts ? 0 : (event.denk_token ?? 0)),
    cacheRead: event.cache_lese_token ?? 0,
    cacheWrite: event.cache_schreib_token ?? 0,
    toolCalls: event.werkzeugaufrufe,
    status: event.status,
    estimated: event.geschaetzt ?? false,
  };
}

const trueCounts = (truth: Truth) => ({
  modell: truth.model,
  input: inputOf(truth),
  output: outputOf(truth),
  cacheRead: truth.cacheRead,
  cacheWrite: truth.cacheWrite,
  toolCalls: truth.toolCalls,
  status: 'erfolgreich',
  estimated: false,
});

/** Fails unless the events say what the truths say. */
export function expectTrue(events: Ereignis[], truths: Truth[]): void {
  expect(events.map((event, index) => countedBy(event, truths[index] as Truth))).toEqual(
    truths.map(trueCounts),
  );
}
