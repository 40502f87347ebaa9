import { type Form, inputOf, outputOf, type Plan, sse, textOf } from '../form.ts';
import { isMistral, openAiChat } from './openai-chat.ts';

const usageOf = ({ usage }: Plan) => ({
  prompt_tokens: inputOf(usage),
  completion_tokens: outputOf(usage),
  total_tokens: inputOf(usage) + outputOf(usage),
});

/** Mistral's own messages have a call whole, also in a stream. */
const messageOf = ({ tool }: Plan, content: string) => ({
  role: 'assistant',
  content: tool ? '' : content,
  ...(tool && {
    tool_calls: [
      {
        id: tool.id,
        index: 0,
        type: 'function',
        function: { name: tool.name, arguments: JSON.stringify(tool.input) },
      },
    ],
  }),
});

const headOf = (plan: Plan, object: string) => ({
  id: plan.id,
  object,
  created: plan.created,
  model: plan.model,
});

function* frames(plan: Plan): Generator<string> {
  const pieces = plan.tool ? [''] : plan.pieces;
  for (const [index, piece] of pieces.entries()) {
    const isLast = index === pieces.length - 1;
    const finish_reason = isLast ? (plan.tool ? 'tool_calls' : 'stop') : null;
    yield sse({
      ...headOf(plan, 'chat.completion.chunk'),
      choices: [{ index: 0, delta: messageOf(plan, piece), finish_reason }],
      ...(isLast ? { usage: usageOf(plan) } : {}),
    });
  }
  yield 'data: [DONE]\n\n';
}

/** Mistral's chat: the path of OpenAI's, counts with every stream, no cache. */
export const mistral: Form = {
  ...openAiChat,
  name: 'mistral',
  matches: (path, body) => /\/chat\/completions$/.test(path) && isMistral(body),
  has: ['freshInput', 'visibleOutput'],
  saysUsage: () => true,
  answerId: ({ id }) => id,
  json: (plan) => ({
    ...headOf(plan, 'chat.completion'),
    choices: [
      {
        index: 0,
        message: messageOf(plan, textOf(plan)),
        finish_reason: plan.tool ? 'tool_calls' : 'stop',
      },
    ],
    usage: usageOf(plan),
  }),
  frames,
  error: (status, message) => ({
    object: 'error',
    message,
    type: status === 429 ? 'rate_limited' : status >= 500 ? 'internal_error' : 'invalid_request_error',
    param: null,
    code: null,
  }),
};
