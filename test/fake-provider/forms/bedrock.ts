import { awsFrame } from '../aws-frames.ts';
import { type Asked, at, type Form, inputOf, list, outputOf, type Plan, textOf, texts } from '../form.ts';
import { anthropicAsked, anthropicEvents, anthropicMessage, anthropicUsage } from './anthropic.ts';

const PATH = /\/model\/([^/]+)\/(converse|converse-stream|invoke|invoke-with-response-stream)$/;

const idOf = ({ id }: Plan): string => id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
const modelOf = (path: string): string => decodeURIComponent(PATH.exec(path)?.[1] ?? '');

const usageOf = ({ usage }: Plan) => ({
  inputTokens: usage.freshInput,
  outputTokens: outputOf(usage),
  totalTokens: inputOf(usage) + outputOf(usage),
  cacheReadInputTokens: usage.cacheRead,
  cacheWriteInputTokens: usage.cacheWrite,
});

const toolUseOf = ({ tool }: Plan) => tool && { toolUseId: `tooluse_${tool.id}`, name: tool.name };
const reasonOf = ({ tool }: Plan) => (tool ? 'tool_use' : 'end_turn');
const event = (name: string, payload: unknown) => awsFrame('event', name, payload);

const ERRORS: Record<number, string> = {
  400: 'ValidationException',
  429: 'ThrottlingException',
  500: 'InternalServerException',
  503: 'ServiceUnavailableException',
};

const shared = {
  has: ['freshInput', 'cacheRead', 'cacheWrite', 'visibleOutput'],
  inputIncludesCache: false,
  outputIncludesReasoning: true,
  answerId: idOf,
  streamType: 'application/vnd.amazon.eventstream',
  errorFrame: (message) => awsFrame('exception', 'throttlingException', { message }),
  error: (_status, message) => ({ message }),
  errorHeaders: (status) => ({ 'x-amzn-errortype': ERRORS[status] ?? 'UnknownException' }),
} satisfies Partial<Form>;

const converseAsked = (path: string, body: Record<string, unknown>): Asked => {
  const content = list(at(list(body.messages).at(-1), 'content'));
  return {
    path,
    body,
    model: modelOf(path),
    stream: path.endsWith('/converse-stream'),
    tools: texts(list(at(body, 'toolConfig', 'tools')).map((tool) => at(tool, 'toolSpec', 'name'))),
    hasToolResult: content.some((block) => at(block, 'toolResult') !== undefined),
  };
};

function* converseFrames(plan: Plan): Generator<Uint8Array> {
  const { tool } = plan;
  yield event('messageStart', { role: 'assistant' });
  if (tool) yield event('contentBlockStart', { contentBlockIndex: 0, start: { toolUse: toolUseOf(plan) } });
  const deltas = tool
    ? [{ toolUse: { input: JSON.stringify(tool.input) } }]
    : plan.pieces.map((text) => ({ text }));
  for (const delta of deltas) yield event('contentBlockDelta', { contentBlockIndex: 0, delta });
  yield event('contentBlockStop', { contentBlockIndex: 0 });
  yield event('messageStop', { stopReason: reasonOf(plan) });
  yield event('metadata', { usage: usageOf(plan), metrics: { latencyMs: 21 } });
}

/** Converse: one form for all models of Bedrock. */
export const bedrockConverse: Form = {
  ...shared,
  name: 'bedrock-converse',
  matches: (path) => /\/model\/[^/]+\/converse(-stream)?$/.test(path),
  read: converseAsked,
  headers: (plan) => ({ 'x-amzn-requestid': idOf(plan) }),
  json: (plan) => ({
    output: {
      message: {
        role: 'assistant',
        content: [
          plan.tool ? { toolUse: { ...toolUseOf(plan), input: plan.tool.input } } : { text: textOf(plan) },
        ],
      },
    },
    stopReason: reasonOf(plan),
    usage: usageOf(plan),
    metrics: { latencyMs: 21 },
  }),
  frames: converseFrames,
};

const metricsOf = ({ usage }: Plan) => ({
  inputTokenCount: usage.freshInput,
  outputTokenCount: outputOf(usage),
  cacheReadInputTokenCount: usage.cacheRead,
  cacheWriteInputTokenCount: usage.cacheWrite,
  invocationLatency: 21,
  firstByteLatency: 5,
});

/** Invoke, with a model of Anthropic's. */
export const bedrockInvoke: Form = {
  ...shared,
  name: 'bedrock-invoke',
  matches: (path) => /\/model\/[^/]+\/invoke(-with-response-stream)?$/.test(path),
  read: (path, body) => ({
    ...anthropicAsked(path, body),
    model: modelOf(path),
    stream: path.endsWith('-stream'),
  }),
  headers: (plan) => ({
    'x-amzn-requestid': idOf(plan),
    'x-amzn-bedrock-input-token-count': String(plan.usage.freshInput),
    'x-amzn-bedrock-output-token-count': String(outputOf(plan.usage)),
  }),
  json: (plan) => ({ ...anthropicMessage(plan), usage: anthropicUsage(plan) }),
  *frames(plan) {
    for (const part of anthropicEvents(plan)) {
      const isLast = part.type === 'message_stop';
      const said = isLast ? { ...part, 'amazon-bedrock-invocationMetrics': metricsOf(plan) } : part;
      yield event('chunk', { bytes: Buffer.from(JSON.stringify(said)).toString('base64') });
    }
  },
};
