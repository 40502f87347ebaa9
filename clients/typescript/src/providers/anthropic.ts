import { type Answer, fromPath, modelOf } from '../answer.ts';
import { at, count, last, list, objectAt, text } from '../json.ts';
import { facts, shortened, tierOf } from './facts.ts';
import { reportedCost } from './reported-cost.ts';
import { type Counts, noCounts, type Shape, sumOf, type Usage } from './shape.ts';

const INPUTS = ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'] as const;
const TOOL_BLOCKS = new Set(['tool_use', 'server_tool_use', 'mcp_tool_use']);

/** The usage block of a message, of `message_delta` (at its top) or of `message_start` (inside the message). */
function usageIn(part: unknown): object | null {
  return objectAt(part, 'usage') ?? objectAt(part, 'message', 'usage');
}

/** The steps of the call, of one type. Summaries of the context and advisors asked are in no other count. */
function stepsOf(parts: unknown[], type: string): unknown[] {
  const steps = last(parts, (part) => {
    const found = list(at(usageIn(part), 'iterations'));
    return found.length === 0 ? null : found;
  });
  return (steps ?? []).filter((step) => at(step, 'type') === type);
}

const blocksIn = (parts: unknown[]): unknown[] =>
  parts.flatMap((part) => [...list(at(part, 'content')), at(part, 'content_block')]);

/**
 * With tools of Anthropic's own the model is asked again with what they found, and the input is the sum of all these prompts. The
 * price of long contexts goes by the longest of them.
 */
function promptsOf(parts: unknown[]) {
  const prompts = stepsOf(parts, 'message')
    .filter((step) => !hasDeclined(step, fallbackIn(parts)))
    .map((step) => sumOf(...INPUTS.map((name) => count(at(step, name)))));
  if (prompts.length > 1)
    return { laengste_eingabe_token: Math.max(...prompts.map((prompt) => prompt ?? 0)) };
  const used = blocksIn(parts).some((block) => at(block, 'type') === 'server_tool_use');
  return prompts.length === 0 && used ? { eingabe_ist_summe: true as const } : {};
}

/** Whether a step is that of a model which handed the request on to another. */
function hasDeclined(step: unknown, served: string | null): boolean {
  const modell = text(at(step, 'model'));
  return served !== null && modell !== null && modell !== served;
}

/** Models that had written something when they declined: it is billed at their own price. */
const declinedLate = (parts: unknown[]): unknown[] =>
  stepsOf(parts, 'message').filter(
    (step) => hasDeclined(step, fallbackIn(parts)) && (count(at(step, 'output_tokens')) ?? 0) > 0,
  );

/** Where inference ran, if that was chosen. */
function geoOf(parts: unknown[]): string | null {
  const geo = last(parts, (part) => text(at(usageIn(part), 'inference_geo')));
  return geo === null || geo === 'not_available' ? null : shortened(geo);
}

/** Fast answers have a price of their own, whatever the tier. */
function preisstufeOf(parts: unknown[]): string | null {
  const lastText = (name: string) => last(parts, (part) => text(at(usageIn(part), name)));
  return tierOf(lastText('speed')) ?? tierOf(lastText('service_tier'));
}

const writtenForAnHour = (usage: unknown) => count(at(usage, 'cache_creation', 'ephemeral_1h_input_tokens'));

/**
 * Counts as they were sent. `message_delta` repeats running totals, older ones the output alone, so each count is
 * the last one sent; the output of `message_start` is only its first token or two and does not count. Input stands
 * beside the cache counts. A context that was summed up on the way is added, since the block leaves it out.
 */
function countsSent({ parts, host }: Answer): Counts {
  const summaries = stepsOf(parts, 'compaction');
  const total = (own: number | null, name: string) =>
    own === null ? null : sumOf(own, ...summaries.map((step) => count(at(step, name))));
  const lastCount = (...path: string[]) => last(parts, (part) => count(at(usageIn(part), ...path)));
  const ausgabe = last(parts, (part) => count(at(part, 'usage', 'output_tokens')));
  return {
    ...noCounts(),
    eingabe_token: total(lastCount('input_tokens'), 'input_tokens'),
    ausgabe_token: total(ausgabe, 'output_tokens'),
    cache_lese_token: total(lastCount('cache_read_input_tokens'), 'cache_read_input_tokens'),
    cache_schreib_token: total(lastCount('cache_creation_input_tokens'), 'cache_creation_input_tokens'),
    denk_token: lastCount('output_tokens_details', 'thinking_tokens'),
    eingabeUmfasstCache: false,
    zusatz: facts({
      cache_schreib_1h_token: sumOf(
        last(parts, (part) => writtenForAnHour(usageIn(part))),
        ...summaries.map(writtenForAnHour),
      ),
      preisstufe: preisstufeOf(parts),
      region: geoOf(parts),
      ...promptsOf(parts),
      websuchen: lastCount('server_tool_use', 'web_search_requests'),
      gemeldete_kosten_usd: reportedCost(last(parts, usageIn) ?? {}, host),
    }),
  };
}

/** Refused before a word was written. */
const isRefused = (parts: unknown[], { ausgabe_token }: Counts): boolean =>
  ausgabe_token === 0 &&
  last(parts, (part) => text(at(part, 'stop_reason')) ?? text(at(part, 'delta', 'stop_reason'))) ===
    'refusal';

/** What was read costs nothing then; it is kept for the record. */
function notBilled({ eingabe_token, cache_lese_token, cache_schreib_token, zusatz }: Counts): Counts {
  const { cache_schreib_1h_token: _unused, ...rest } = zusatz;
  const read = { eingabe_token, cache_lese_token, cache_schreib_token };
  const verarbeitet = Object.fromEntries(Object.entries(read).filter(([, value]) => (value ?? 0) > 0));
  return {
    ...noCounts(),
    eingabe_token: 0,
    ausgabe_token: 0,
    cache_lese_token: cache_lese_token && 0,
    cache_schreib_token: cache_schreib_token && 0,
    eingabeUmfasstCache: false,
    zusatz: Object.keys(verarbeitet).length === 0 ? rest : { ...rest, verarbeitet },
  };
}

/** Where another model had written something before, the counts of the steps of the one that answered: the totals may hold both. */
function withoutDeclined(counts: Counts, parts: unknown[]): Counts {
  if (declinedLate(parts).length === 0) return counts;
  const served = fallbackIn(parts);
  const steps = [...stepsOf(parts, 'message'), ...stepsOf(parts, 'fallback_message')].filter(
    (step) => !hasDeclined(step, served),
  );
  const total = (name: string) => sumOf(...steps.map((step) => count(at(step, name))));
  return {
    ...counts,
    eingabe_token: total('input_tokens'),
    ausgabe_token: total('output_tokens'),
    cache_lese_token: total('cache_read_input_tokens'),
    cache_schreib_token: total('cache_creation_input_tokens'),
  };
}

/** Counts of an Anthropic answer as they are billed. */
export function anthropicCounts(answer: Answer): Counts {
  const counts = withoutDeclined(countsSent(answer), answer.parts);
  return isRefused(answer.parts, counts) ? notBilled(counts) : counts;
}

/** What models used that worked on the way: asked for advice, or declined. Their tokens are billed at their own price. */
function onTheWay(parts: unknown[]): Usage[] {
  return [...stepsOf(parts, 'advisor_message'), ...declinedLate(parts)].map((step) => ({
    ...noCounts(),
    eingabe_token: count(at(step, 'input_tokens')),
    ausgabe_token: count(at(step, 'output_tokens')),
    cache_lese_token: count(at(step, 'cache_read_input_tokens')),
    cache_schreib_token: count(at(step, 'cache_creation_input_tokens')),
    eingabeUmfasstCache: false,
    zusatz: facts({
      cache_schreib_1h_token: writtenForAnHour(step),
      preisstufe: preisstufeOf(parts),
      region: geoOf(parts),
    }),
    modell: text(at(step, 'model')),
    werkzeugaufrufe: 0,
  }));
}

/** Tool calls in the content of an answer: the client's own, Anthropic's and those of MCP servers. */
export function anthropicToolCalls(parts: unknown[]): number {
  return blocksIn(parts).filter((block) => TOOL_BLOCKS.has(text(at(block, 'type')) ?? '')).length;
}

/** Whether one of the parts is an Anthropic message or the start of one. */
export function isAnthropic(parts: unknown[]): boolean {
  return parts.some((part) => at(part, 'type') === 'message_start' || at(part, 'type') === 'message');
}

/** The model that a refused request was passed on to; the start of a stream names the one that was asked. */
function fallbackIn(parts: unknown[]): string | null {
  const served = text(at(stepsOf(parts, 'fallback_message').at(-1), 'model'));
  const blocks = blocksIn(parts).filter((block) => at(block, 'type') === 'fallback');
  return served ?? text(at(blocks.at(-1), 'to', 'model'));
}

function modelIn(answer: Answer): string | null {
  return fallbackIn(answer.parts) ?? modelOf(answer) ?? fromPath(answer, /\/models\/([^/:]+):/);
}

/** Anthropic's messages, also on Vertex AI and from others who copy the form. */
export const anthropic: Shape = {
  name: 'anthropic',
  matchesUri: ({ path }) =>
    path.endsWith('/v1/messages') ||
    /\/publishers\/anthropic\/models\/[^/]+:(stream)?rawPredict$/i.test(path),
  matchesBody: ({ parts }) => isAnthropic(parts),
  toUsages: (answer) => [
    {
      ...anthropicCounts(answer),
      modell: modelIn(answer),
      werkzeugaufrufe: anthropicToolCalls(answer.parts),
    },
    ...onTheWay(answer.parts),
  ],
};
