import { at, type Form, inputOf, list, outputOf, type Plan, sse, textOf, texts } from '../form.ts';

const usageOf = ({ usage }: Plan) => ({
  billed_units: { input_tokens: inputOf(usage), output_tokens: outputOf(usage) },
  tokens: { input_tokens: inputOf(usage) + 60, output_tokens: outputOf(usage) },
});

const callOf = ({ tool }: Plan) =>
  tool && {
    id: `${tool.name}_${tool.id}`,
    type: 'function',
    function: { name: tool.name, arguments: JSON.stringify(tool.input) },
  };

const finishOf = ({ tool }: Plan) => (tool ? 'TOOL_CALL' : 'COMPLETE');

function* toolEvents(plan: Plan) {
  const call = callOf(plan);
  if (!call) return;
  const { name, arguments: written } = call.function;
  const begun = { ...call, function: { name, arguments: '' } };
  yield { type: 'tool-call-start', index: 0, delta: { message: { tool_calls: begun } } };
  const grown = { tool_calls: { function: { arguments: written } } };
  yield { type: 'tool-call-delta', index: 0, delta: { message: grown } };
  yield { type: 'tool-call-end', index: 0 };
}

function* textEvents(plan: Plan) {
  yield { type: 'content-start', index: 0, delta: { message: { content: { type: 'text', text: '' } } } };
  for (const text of plan.pieces)
    yield { type: 'content-delta', index: 0, delta: { message: { content: { text } } } };
  yield { type: 'content-end', index: 0 };
}

function* events(plan: Plan): Generator<{ type: string; [field: string]: unknown }> {
  const empty = { role: 'assistant', content: [], tool_plan: '', tool_calls: [], citations: [] };
  yield { id: plan.id, type: 'message-start', delta: { message: empty } };
  yield* plan.tool ? toolEvents(plan) : textEvents(plan);
  yield { type: 'message-end', delta: { finish_reason: finishOf(plan), usage: usageOf(plan) } };
}

/** Cohere's chat, second version; what is billed is less than what was processed. */
export const cohere: Form = {
  name: 'cohere',
  matches: (path) => /\/v2\/chat$/.test(path),
  read: (path, body) => ({
    path,
    body,
    model: String(body.model),
    stream: body.stream === true,
    tools: texts(list(body.tools).map((tool) => at(tool, 'function', 'name'))),
    hasToolResult: at(list(body.messages).at(-1), 'role') === 'tool',
  }),
  has: ['freshInput', 'visibleOutput'],
  inputIncludesCache: true,
  outputIncludesReasoning: true,
  answerId: ({ id }) => id,
  json: (plan) => ({
    id: plan.id,
    message: {
      role: 'assistant',
      ...(plan.tool
        ? { tool_plan: 'I ask the tool.', tool_calls: [callOf(plan)] }
        : { content: [{ type: 'text', text: textOf(plan) }] }),
    },
    finish_reason: finishOf(plan),
    usage: usageOf(plan),
  }),
  streamType: 'text/event-stream',
  *frames(plan) {
    for (const event of events(plan)) yield sse(event, event.type);
    yield 'data: [DONE]\n\n';
  },
  errorFrame: (message) =>
    sse({ type: 'message-end', delta: { finish_reason: 'ERROR', error: message } }, 'message-end'),
  error: (_status, message) => ({ id: 'refused', message }),
};
