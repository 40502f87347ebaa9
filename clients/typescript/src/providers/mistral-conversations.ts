import { type Answer, modelOf } from '../answer.ts';
import { at, count, first, last, list, objectAt, text } from '../json.ts';
import { facts } from './facts.ts';
import { openAiCounts } from './openai-counts.ts';
import { type Counts, noCounts, type Shape, sumOf } from './shape.ts';

const isConversation = (part: unknown): boolean =>
  at(part, 'object') === 'conversation.response' || text(at(part, 'type')) === 'conversation.response.done';

/** What connectors (Mistral's tools) put into the prompt comes on top of it and is billed as input. */
function countsOf(answer: Answer): Counts {
  const usage = last(answer.parts, (part) => objectAt(part, 'usage'));
  if (usage === null) return noCounts();
  const counts = openAiCounts(usage, answer);
  const used = (name: string) => count(at(usage, 'connectors', name));
  return {
    ...counts,
    eingabe_token: sumOf(counts.eingabe_token, count(at(usage, 'connector_tokens'))),
    zusatz: facts({
      websuchen: sumOf(used('web_search'), used('web_search_premium')),
      dateisuchen: used('document_library'),
      codeausfuehrungen: used('code_interpreter'),
      bilder: used('image_generation'),
    }),
  };
}

const outputs = (parts: unknown[]) => parts.flatMap((part) => list(at(part, 'outputs')));

/** Calls for the caller to make, and those that Mistral made itself; a stream announces each as it starts. */
function toolCalls(parts: unknown[]): number {
  const types = [...outputs(parts), ...parts].map((entry) => text(at(entry, 'type')));
  const called = new Set([
    'function.call',
    'tool.execution',
    'tool.execution.started',
    'function.call.delta',
  ]);
  return types.filter((type) => called.has(type ?? '')).length;
}

/** Mistral's conversations, started, continued and begun again; streams end with the usage. */
export const mistralConversations: Shape = {
  name: 'mistral-conversations',
  anbieter: 'mistral',
  matchesUri: ({ path, host, parts }) =>
    /\/v1\/conversations(\/[^/]+(\/restart)?)?$/.test(path) &&
    (host.includes('mistral') || parts.some(isConversation)),
  matchesBody: ({ parts }) => parts.some(isConversation),
  toUsages: (answer) => [
    {
      ...countsOf(answer),
      modell: first(outputs(answer.parts), (entry) => text(at(entry, 'model'))) ?? modelOf(answer),
      werkzeugaufrufe: toolCalls(answer.parts),
    },
  ],
};
