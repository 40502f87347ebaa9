import { modelOf } from '../answer.ts';
import { at, last, list, objectAt, text } from '../json.ts';
import { azureDeployment } from './openai-chat.ts';
import { openAiCounts } from './openai-counts.ts';
import { type Counts, noCounts, type Shape, tierOf } from './shape.ts';

/** The response object itself: the whole answer, or what the last `response.*` event of a stream carries. */
function responseIn(part: unknown): object | null {
  return at(part, 'object') === 'response' ? objectAt(part) : objectAt(part, 'response');
}

function countsOf(response: object | null): Counts {
  const usage = objectAt(response, 'usage');
  if (usage === null) return noCounts();
  const counts = openAiCounts(usage);
  return { ...counts, zusatz: { ...counts.zusatz, ...tierOf(text(at(response, 'service_tier'))) } };
}

/** Items like `function_call`, `web_search_call`, `mcp_call`; a stream that broke off lists them one by one. */
function toolCalls(response: object | null, parts: unknown[]): number {
  const listed = list(at(response, 'output'));
  const added = parts
    .filter((part) => at(part, 'type') === 'response.output_item.added')
    .map((part) => at(part, 'item'));
  const items = listed.length > 0 ? listed : added;
  return items.filter((item) => text(at(item, 'type'))?.endsWith('_call')).length;
}

/** OpenAI's responses, plain and streamed. Only creating one counts: reading it again carries the same usage. */
export const openAiResponses: Shape = {
  name: 'openai-responses',
  matchesUri: ({ path }) => path.endsWith('/responses'),
  matchesBody: ({ parts }) => parts.some((part) => at(responseIn(part), 'object') === 'response'),
  toUsage: (answer) => {
    const response = last(answer.parts, responseIn);
    return {
      ...countsOf(response),
      modell: modelOf(answer) ?? azureDeployment(answer),
      werkzeugaufrufe: toolCalls(response, answer.parts),
    };
  },
};
