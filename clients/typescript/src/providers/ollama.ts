import { modelOf } from '../answer.ts';
import { at, count, last, list } from '../json.ts';
import { noCounts, type Shape } from './shape.ts';

/**
 * Ollama's chat, generate and embeddings; streams are NDJSON with the counts in the last line. A prompt served wholly
 * from its cache has no `prompt_eval_count`, and `/api/embeddings` no count at all: both stay unknown.
 */
export const ollama: Shape = {
  name: 'ollama',
  anbieter: 'ollama',
  matchesUri: ({ path }) => /\/api\/(chat|generate|embed|embeddings)$/.test(path),
  matchesBody: ({ parts }) =>
    parts.some((part) => typeof at(part, 'done') === 'boolean' && typeof at(part, 'created_at') === 'string'),
  toUsages: (answer) => {
    const eingabe = last(answer.parts, (part) => count(at(part, 'prompt_eval_count')));
    const isEmbedding = /\/embed(dings)?$/.test(answer.path);
    const ausgabe = last(answer.parts, (part) => count(at(part, 'eval_count')));
    return [
      {
        ...noCounts(),
        eingabe_token: eingabe,
        ausgabe_token: isEmbedding && eingabe !== null ? 0 : ausgabe,
        modell: modelOf(answer),
        werkzeugaufrufe: answer.parts.flatMap((part) => list(at(part, 'message', 'tool_calls'))).length,
      },
    ];
  },
};
