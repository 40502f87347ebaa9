import { modelOf } from '../answer.ts';
import { at, list } from '../json.ts';
import { azureDeployment } from './openai-chat.ts';
import { openAiStreamCounts } from './openai-counts.ts';
import type { Shape } from './shape.ts';

/** OpenAI's text completions (also Together, vLLM, Mistral's fill-in-the-middle); they know no tools. */
export const openAiCompletions: Shape = {
  name: 'openai-completions',
  matchesUri: ({ path }) => path.endsWith('/completions'),
  matchesBody: ({ parts }) =>
    parts.some((part) => list(at(part, 'choices')).some((choice) => typeof at(choice, 'text') === 'string')),
  toUsages: (answer) => [
    {
      ...openAiStreamCounts(answer),
      modell: modelOf(answer) ?? azureDeployment(answer),
      werkzeugaufrufe: 0,
    },
  ],
};
