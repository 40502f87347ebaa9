import { at, type Form, list, outputOf, type Plan, sse, textOf, texts } from '../form.ts';

export const anthropicUsage = ({ usage }: Plan) => ({
  input_tokens: usage.freshInput,
  cache_creation_input_tokens: usage.cacheWrite,
  cache_read_input_tokens: usage.cacheRead,
  cache_creation: { ephemeral_5m_input_tokens: usage.cacheWrite, ephemeral_1h_input_tokens: 0 },
  output_tokens: outputOf(usage),
  service_tier: 'standard',
  server_tool_use: null,
});

const blockOf = (plan: Plan) =>
  plan.tool
    ? { type: 'tool_use', id: `toolu_${plan.tool.id}`, name: plan.tool.name, input: plan.tool.input }
    : { type: 'text', text: textOf(plan) };

export const anthropicMessage = (plan: Plan) => ({
  id: `msg_01${plan.id}`,
  type: 'message',
  role: 'assistant',
  model: plan.model,
  content: [blockOf(plan)],
  stop_reason: plan.tool ? 'tool_use' : 'end_turn',
  stop_sequence: null,
  usage: anthropicUsage(plan),
});

/** The events of a streamed message; output stands at a placeholder until the last but one. */
export function* anthropicEvents(plan: Plan): Generator<{ type: string; [field: string]: unknown }> {
  const message = anthropicMessage(plan);
  const { usage } = message;
  yield {
    type: 'message_start',
    message: { ...message, content: [], stop_reason: null, usage: { ...usage, output_tokens: 2 } },
  };
  const begun = plan.tool ? { ...blockOf(plan), input: {} } : { type: 'text', text: '' };
  yield { type: 'content_block_start', index: 0, content_block: begun };
  yield { type: 'ping' };
  const deltas = plan.tool
    ? [{ type: 'input_json_delta', partial_json: JSON.stringify(plan.tool.input) }]
    : plan.pieces.map((text) => ({ type: 'text_delta', text }));
  for (const delta of deltas) yield { type: 'content_block_delta', index: 0, delta };
  yield { type: 'content_block_stop', index: 0 };
  const { output_tokens } = usage;
  yield {
    type: 'message_delta',
    delta: { stop_reason: message.stop_reason, stop_sequence: null },
    usage: { output_tokens },
  };
  yield { type: 'message_stop' };
}

const kindOf = (status: number): string => {
  if (status === 429) return 'rate_limit_error';
  return status >= 500 ? 'api_error' : 'invalid_request_error';
};

export const anthropicAsked = (path: string, body: Record<string, unknown>) => {
  const lastContent = list(at(list(body.messages).at(-1), 'content'));
  return {
    path,
    body,
    model: String(body.model),
    stream: body.stream === true,
    tools: texts(list(body.tools).map((tool) => at(tool, 'name'))),
    hasToolResult: lastContent.some((block) => at(block, 'type') === 'tool_result'),
  };
};

/** Anthropic's messages; input stands beside the cache. */
export const anthropic: Form = {
  name: 'anthropic',
  matches: (path) => /\/messages$/.test(path),
  read: anthropicAsked,
  has: ['freshInput', 'cacheRead', 'cacheWrite', 'visibleOutput'],
  inputIncludesCache: false,
  outputIncludesReasoning: true,
  answerId: ({ id }) => `msg_01${id}`,
  headers: ({ id }) => ({ 'request-id': `req_${id}` }),
  json: anthropicMessage,
  streamType: 'text/event-stream; charset=utf-8',
  *frames(plan) {
    for (const event of anthropicEvents(plan)) yield sse(event, event.type);
  },
  errorFrame: (message) => sse({ type: 'error', error: { type: 'overloaded_error', message } }, 'error'),
  error: (status, message) => ({ type: 'error', error: { type: kindOf(status), message } }),
};
