import { modelOf } from '../answer.ts';
import { at, count, last } from '../json.ts';
import { facts } from './facts.ts';
import { noCounts, type Shape } from './shape.ts';

/**
 * Rerankers, who write nothing: Cohere bills searches, Voyage AI, Jina and Together tokens, of which the total is
 * input.
 */
export const rerank: Shape = {
  name: 'rerank',
  matchesUri: ({ path }) => path.endsWith('/rerank'),
  matchesBody: () => false,
  toUsages: (answer) => {
    const lastCount = (...path: string[]) => last(answer.parts, (part) => count(at(part, ...path)));
    const total = lastCount('usage', 'total_tokens') ?? lastCount('usage', 'prompt_tokens');
    return [
      {
        ...noCounts(),
        eingabe_token: total,
        ausgabe_token: total === null ? null : 0,
        zusatz: facts({ reranksuchen: lastCount('meta', 'billed_units', 'search_units') }),
        modell: modelOf(answer),
        werkzeugaufrufe: 0,
      },
    ];
  },
};
