import { type Form, type Plan, sse } from '../form.ts';
import { openAiError } from './openai-chat.ts';

const VECTOR = [0.25, -0.5, 0.125];

function json(plan: Plan, { body }: { body: Record<string, unknown> }) {
  const embedding =
    body.encoding_format === 'base64'
      ? Buffer.from(new Float32Array(VECTOR).buffer).toString('base64')
      : VECTOR;
  const inputs = Array.isArray(body.input) ? body.input : [body.input];
  const { freshInput } = plan.usage;
  return {
    object: 'list',
    model: plan.model,
    data: inputs.map((_input, index) => ({ object: 'embedding', index, embedding })),
    usage: { prompt_tokens: freshInput, total_tokens: freshInput },
  };
}

/** Embeddings; the answer has no id. */
export const openAiEmbeddings: Form = {
  name: 'openai-embeddings',
  matches: (path) => /\/embeddings$/.test(path),
  read: (path, body) => ({
    path,
    body,
    model: String(body.model),
    stream: false,
    tools: [],
    hasToolResult: false,
  }),
  has: ['freshInput'],
  inputIncludesCache: true,
  outputIncludesReasoning: true,
  answerId: () => '',
  json,
  streamType: 'text/event-stream; charset=utf-8',
  frames: () => [],
  errorFrame: (message) => sse(openAiError(500, message)),
  error: openAiError,
};
