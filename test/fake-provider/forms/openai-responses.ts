import { at, type Form, inputOf, list, outputOf, type Plan, sse, textOf, texts } from '../form.ts';
import { openAiError } from './openai-chat.ts';

const usageOf = ({ usage }: Plan) => ({
  input_tokens: inputOf(usage),
  input_tokens_details: { cached_tokens: usage.cacheRead },
  output_tokens: outputOf(usage),
  output_tokens_details: { reasoning_tokens: usage.reasoning },
  total_tokens: inputOf(usage) + outputOf(usage),
});

const contentOf = (text: string) => ({ type: 'output_text', text, annotations: [], logprobs: [] });

function itemOf(plan: Plan) {
  const { tool, id } = plan;
  if (tool)
    return {
      type: 'function_call',
      id: `fc_${id}`,
      call_id: `call_${tool.id}`,
      name: tool.name,
      arguments: JSON.stringify(tool.input),
      status: 'completed',
    };
  return {
    type: 'message',
    id: `msg_${id}`,
    role: 'assistant',
    status: 'completed',
    content: [contentOf(textOf(plan))],
  };
}

function responseOf(plan: Plan, status: 'in_progress' | 'completed') {
  const isDone = status === 'completed';
  return {
    id: `resp_${plan.id}`,
    object: 'response',
    created_at: plan.created,
    status,
    error: null,
    incomplete_details: null,
    instructions: null,
    model: plan.model,
    output: isDone ? [itemOf(plan)] : [],
    parallel_tool_calls: true,
    service_tier: 'default',
    tool_choice: 'auto',
    tools: [],
    metadata: {},
    usage: isDone ? usageOf(plan) : null,
  };
}

type Event = (type: string, fields: object) => string;

function* toolEvents(plan: Plan, event: Event): Generator<string> {
  const item = itemOf(plan);
  const written = JSON.stringify(plan.tool?.input);
  const place = { item_id: item.id, output_index: 0 };
  const begun = { ...item, arguments: '', status: 'in_progress' };
  yield event('response.output_item.added', { output_index: 0, item: begun });
  yield event('response.function_call_arguments.delta', { ...place, delta: written });
  yield event('response.function_call_arguments.done', {
    ...place,
    name: plan.tool?.name,
    arguments: written,
  });
}

function* textEvents(plan: Plan, event: Event): Generator<string> {
  const item = itemOf(plan);
  const place = { item_id: item.id, output_index: 0, content_index: 0 };
  const begun = { ...item, content: [], status: 'in_progress' };
  yield event('response.output_item.added', { output_index: 0, item: begun });
  yield event('response.content_part.added', { ...place, part: contentOf('') });
  for (const delta of plan.pieces)
    yield event('response.output_text.delta', { ...place, delta, logprobs: [] });
  yield event('response.output_text.done', { ...place, text: textOf(plan), logprobs: [] });
  yield event('response.content_part.done', { ...place, part: contentOf(textOf(plan)) });
}

function* frames(plan: Plan): Generator<string> {
  let sequence_number = 0;
  const event: Event = (type, fields) => sse({ type, sequence_number: sequence_number++, ...fields }, type);
  yield event('response.created', { response: responseOf(plan, 'in_progress') });
  yield event('response.in_progress', { response: responseOf(plan, 'in_progress') });
  yield* plan.tool ? toolEvents(plan, event) : textEvents(plan, event);
  yield event('response.output_item.done', { output_index: 0, item: itemOf(plan) });
  yield event('response.completed', { response: responseOf(plan, 'completed') });
}

/** Responses; counts come with the last event. */
export const openAiResponses: Form = {
  name: 'openai-responses',
  matches: (path) => /\/responses$/.test(path),
  read: (path, body) => ({
    path,
    body,
    model: String(body.model),
    stream: body.stream === true,
    tools: texts(list(body.tools).map((tool) => at(tool, 'name'))),
    hasToolResult: at(list(body.input).at(-1), 'type') === 'function_call_output',
  }),
  has: ['freshInput', 'cacheRead', 'visibleOutput', 'reasoning'],
  inputIncludesCache: true,
  outputIncludesReasoning: true,
  answerId: ({ id }) => `resp_${id}`,
  json: (plan) => responseOf(plan, 'completed'),
  streamType: 'text/event-stream; charset=utf-8',
  frames,
  errorFrame: (message) => sse({ type: 'error', code: 'server_error', message, param: null }, 'error'),
  error: openAiError,
};
