import { modelOf } from '../answer.ts';
import { at, list } from '../json.ts';
import { azureDeployment } from './openai-chat.ts';
import { openAiStreamCounts } from './openai-counts.ts';
import type { Shape } from './shape.ts';

/** OpenAI's embeddings (also Azure, Mistral, vLLM). */
export const openAiEmbeddings: Shape = {
  name: 'openai-embeddings',
  matchesUri: ({ path }) => path.endsWith('/embeddings') && !path.endsWith('/api/embeddings'),
  matchesBody: ({ parts }) => parts.some((part) => at(list(at(part, 'data'))[0], 'object') === 'embedding'),
  toUsages: (answer) => [
    {
      ...openAiStreamCounts(answer),
      modell: modelOf(answer) ?? azureDeployment(answer),
      werkzeugaufrufe: 0,
    },
  ],
};
