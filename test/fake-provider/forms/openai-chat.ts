import {
  type Asked,
  at,
  type Form,
  inputOf,
  list,
  outputOf,
  type Plan,
  sse,
  textOf,
  texts,
} from '../form.ts';

const usageOf = ({ usage }: Plan) => ({
  prompt_tokens: inputOf(usage),
  completion_tokens: outputOf(usage),
  total_tokens: inputOf(usage) + outputOf(usage),
  prompt_tokens_details: { cached_tokens: usage.cacheRead, audio_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: usage.reasoning, audio_tokens: 0 },
});

const callOf = ({ tool }: Plan) =>
  tool && {
    id: `call_${tool.id}`,
    type: 'function',
    function: { name: tool.name, arguments: JSON.stringify(tool.input) },
  };

const headOf = (plan: Plan, object: string) => ({
  id: `chatcmpl-${plan.id}`,
  object,
  created: plan.created,
  model: plan.model,
  service_tier: 'default',
  system_fingerprint: 'fp_fake',
});

function messageOf(plan: Plan) {
  const call = callOf(plan);
  return {
    role: 'assistant',
    content: call ? null : textOf(plan),
    refusal: null,
    ...(call ? { tool_calls: [call] } : {}),
  };
}

const wantsUsage = ({ body, stream }: Asked): boolean =>
  !stream || at(body, 'stream_options', 'include_usage') === true;

function* frames(plan: Plan, asked: Asked): Generator<string> {
  const counted = wantsUsage(asked);
  const head = headOf(plan, 'chat.completion.chunk');
  const chunk = (delta: object, finish_reason: string | null = null) =>
    sse({
      ...head,
      choices: [{ index: 0, delta, logprobs: null, finish_reason }],
      ...(counted ? { usage: null } : {}),
    });
  const call = callOf(plan);
  yield chunk({ role: 'assistant', content: call ? null : '', refusal: null });
  if (call) {
    const { name, arguments: written } = call.function;
    yield chunk({ tool_calls: [{ index: 0, ...call, function: { name, arguments: '' } }] });
    yield chunk({ tool_calls: [{ index: 0, function: { arguments: written } }] });
  } else for (const content of plan.pieces) yield chunk({ content });
  yield chunk({}, call ? 'tool_calls' : 'stop');
  if (counted) yield sse({ ...head, choices: [], usage: usageOf(plan) });
  yield 'data: [DONE]\n\n';
}

export const isMistral = (body: unknown): boolean =>
  /^(mistral|ministral|codestral|magistral)/.test(String(at(body, 'model')));

/** The names of the errors of OpenAI's interfaces. */
export const openAiError = (status: number, message: string) => ({
  error: {
    message,
    type: status === 429 ? 'requests' : status >= 500 ? 'server_error' : 'invalid_request_error',
    param: null,
    code: status === 429 ? 'rate_limit_exceeded' : null,
  },
});

/** Chat completions; counts come with a stream only where they are asked for. */
export const openAiChat: Form = {
  name: 'openai-chat',
  matches: (path, body) => /\/chat\/completions$/.test(path) && !isMistral(body),
  read: (path, body) => ({
    path,
    body,
    model: String(body.model),
    stream: body.stream === true,
    tools: texts(list(body.tools).map((tool) => at(tool, 'function', 'name'))),
    hasToolResult: at(list(body.messages).at(-1), 'role') === 'tool',
  }),
  has: ['freshInput', 'cacheRead', 'visibleOutput', 'reasoning'],
  inputIncludesCache: true,
  outputIncludesReasoning: true,
  saysUsage: wantsUsage,
  answerId: ({ id }) => `chatcmpl-${id}`,
  json: (plan) => ({
    ...headOf(plan, 'chat.completion'),
    choices: [
      {
        index: 0,
        message: messageOf(plan),
        logprobs: null,
        finish_reason: plan.tool ? 'tool_calls' : 'stop',
      },
    ],
    usage: usageOf(plan),
  }),
  streamType: 'text/event-stream; charset=utf-8',
  frames,
  errorFrame: (message) => sse(openAiError(500, message)),
  error: openAiError,
};
