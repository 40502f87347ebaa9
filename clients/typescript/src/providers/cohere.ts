import { modelOf } from '../answer.ts';
import { at, count, last, list, objectAt } from '../json.ts';
import { type Counts, noCounts, type Shape } from './shape.ts';

/** The block with the counts: v2 calls it `usage`, v1 `meta`; streams nest it in their last event. */
function usageIn(part: unknown): object | null {
  const block =
    objectAt(part, 'usage') ??
    objectAt(part, 'meta') ??
    objectAt(part, 'delta', 'usage') ??
    objectAt(part, 'response', 'meta');
  return at(block, 'billed_units') === undefined && at(block, 'tokens') === undefined ? null : block;
}

/**
 * Counts of a Cohere answer. Cohere bills `billed_units`, not the `tokens` it processed with its own prompt around
 * them, and `cached_tokens` is a part of the latter: as a cache count beside the billed input it would be billed twice.
 * So what was processed goes to `zusatz.verarbeitet`, for the record.
 */
function countsOf(usage: object | null): Counts {
  if (usage === null) return noCounts();
  const billed = objectAt(usage, 'billed_units') ?? objectAt(usage, 'tokens');
  const isEmbedding = objectAt(usage, 'tokens') === null && at(billed, 'output_tokens') === undefined;
  const eingabe = count(at(billed, 'input_tokens'));
  const processed = {
    eingabe_token: count(at(usage, 'tokens', 'input_tokens')),
    ausgabe_token: count(at(usage, 'tokens', 'output_tokens')),
    cache_lese_token: count(at(usage, 'cached_tokens')),
  };
  const verarbeitet = Object.fromEntries(Object.entries(processed).filter(([, value]) => (value ?? 0) > 0));
  return {
    ...noCounts(),
    eingabe_token: eingabe,
    ausgabe_token: count(at(billed, 'output_tokens')) ?? (isEmbedding && eingabe !== null ? 0 : null),
    zusatz: Object.keys(verarbeitet).length === 0 ? {} : { verarbeitet },
  };
}

/** v1 lists `tool_calls` at the top, v2 in the message; v2 streams announce each with a `tool-call-start`. */
function toolCalls(parts: unknown[]): number {
  const announced = parts.filter((part) => at(part, 'type') === 'tool-call-start').length;
  const listed = last(parts, (part) => {
    const calls = [
      at(part, 'message', 'tool_calls'),
      at(part, 'tool_calls'),
      at(part, 'response', 'tool_calls'),
    ];
    return calls.map((found) => list(found).length).find((length) => length > 0) ?? null;
  });
  return announced > 0 ? announced : (listed ?? 0);
}

/** Cohere's chat (v1 NDJSON, v2 SSE), embed and generate. */
export const cohere: Shape = {
  name: 'cohere',
  anbieter: 'cohere',
  matchesUri: ({ host, path }) =>
    host.includes('cohere') ? /\/(chat|embed|generate)$/.test(path) : /\/v2\/(chat|embed)$/.test(path),
  matchesBody: ({ parts }) => parts.some((part) => usageIn(part) !== null),
  toUsages: (answer) => [
    {
      ...countsOf(last(answer.parts, usageIn)),
      modell: modelOf(answer),
      werkzeugaufrufe: toolCalls(answer.parts),
    },
  ],
};
