import { fromPath, modelOf } from '../answer.ts';
import { at, count, last, list, objectAt, text } from '../json.ts';
import { aboveZero, type Counts, noCounts, type Shape, tierOf } from './shape.ts';

const TOOL_BLOCKS = new Set(['tool_use', 'server_tool_use', 'mcp_tool_use']);

/** The usage block of a message, of `message_delta` (at its top) or of `message_start` (inside the message). */
function usageIn(part: unknown): object | null {
  return objectAt(part, 'usage') ?? objectAt(part, 'message', 'usage');
}

/**
 * Counts of an Anthropic answer. `message_delta` repeats running totals, older ones the output alone, so each count is
 * the last one sent; the output of `message_start` is only its first token or two and does not count. Input stands
 * beside the cache counts. Cache writes that live an hour cost more than the others.
 */
export function anthropicCounts(parts: unknown[]): Counts {
  const lastCount = (...path: string[]) => last(parts, (part) => count(at(usageIn(part), ...path)));
  return {
    ...noCounts(),
    eingabe_token: lastCount('input_tokens'),
    ausgabe_token: last(parts, (part) => count(at(part, 'usage', 'output_tokens'))),
    cache_lese_token: lastCount('cache_read_input_tokens'),
    cache_schreib_token: lastCount('cache_creation_input_tokens'),
    denk_token: lastCount('output_tokens_details', 'thinking_tokens'),
    eingabeUmfasstCache: false,
    zusatz: {
      ...aboveZero({ cache_schreib_1h_token: lastCount('cache_creation', 'ephemeral_1h_input_tokens') }),
      ...tierOf(last(parts, (part) => text(at(usageIn(part), 'service_tier')))),
    },
  };
}

/** Tool calls in the content of an answer: the client's own, Anthropic's and those of MCP servers. */
export function anthropicToolCalls(parts: unknown[]): number {
  const blocks = parts.flatMap((part) => [...list(at(part, 'content')), at(part, 'content_block')]);
  return blocks.filter((block) => TOOL_BLOCKS.has(text(at(block, 'type')) ?? '')).length;
}

/** Whether one of the parts is an Anthropic message or the start of one. */
export function isAnthropic(parts: unknown[]): boolean {
  return parts.some((part) => at(part, 'type') === 'message_start' || at(part, 'type') === 'message');
}

/** Anthropic's messages, also on Vertex AI and from others who copy the form. */
export const anthropic: Shape = {
  name: 'anthropic',
  matchesUri: ({ path }) =>
    path.endsWith('/v1/messages') ||
    /\/publishers\/anthropic\/models\/[^/]+:(stream)?rawPredict$/i.test(path),
  matchesBody: ({ parts }) => isAnthropic(parts),
  toUsage: (answer) => ({
    ...anthropicCounts(answer.parts),
    modell: modelOf(answer) ?? fromPath(answer, /\/models\/([^/:]+):/),
    werkzeugaufrufe: anthropicToolCalls(answer.parts),
  }),
};
