import { at, type Form, inputOf, list, outputOf, type Plan, sse, textOf, texts } from '../form.ts';

const PATH = /\/models\/([^/:]+):(generateContent|streamGenerateContent)$/;

/** What was written so far is counted with every piece, thoughts at the end. */
function usageOf({ usage }: Plan, isLast: boolean, written: number) {
  const prompt = {
    promptTokenCount: inputOf(usage),
    promptTokensDetails: [{ modality: 'TEXT', tokenCount: inputOf(usage) }],
  };
  const begun = { candidatesTokenCount: written, totalTokenCount: inputOf(usage) + written };
  if (!isLast) return { ...prompt, ...begun };
  return {
    ...prompt,
    candidatesTokenCount: usage.visibleOutput,
    thoughtsTokenCount: usage.reasoning,
    cachedContentTokenCount: usage.cacheRead,
    totalTokenCount: inputOf(usage) + outputOf(usage),
  };
}

const chunk = (plan: Plan, parts: object[], isLast: boolean, written = 0) => ({
  candidates: [{ content: { role: 'model', parts }, index: 0, ...(isLast ? { finishReason: 'STOP' } : {}) }],
  usageMetadata: usageOf(plan, isLast, written),
  modelVersion: plan.model,
  responseId: plan.id,
});

const callOf = ({ tool }: Plan) => (tool ? [{ functionCall: { name: tool.name, args: tool.input } }] : []);

const error = (status: number, message: string) => ({
  error: {
    code: status,
    message,
    status: status === 429 ? 'RESOURCE_EXHAUSTED' : status >= 500 ? 'INTERNAL' : 'INVALID_ARGUMENT',
  },
});

/** Gemini; thoughts stand beside the output, and are known at the end of a stream. */
export const gemini: Form = {
  name: 'gemini',
  matches: (path) => PATH.test(path),
  read: (path, body) => {
    const declared = list(body.tools).flatMap((tool) => list(at(tool, 'functionDeclarations')));
    const parts = list(at(list(body.contents).at(-1), 'parts'));
    return {
      path,
      body,
      model: PATH.exec(path)?.[1] ?? '',
      stream: path.endsWith(':streamGenerateContent'),
      tools: texts(declared.map((each) => at(each, 'name'))),
      hasToolResult: parts.some((part) => at(part, 'functionResponse') !== undefined),
    };
  },
  has: ['freshInput', 'cacheRead', 'visibleOutput', 'reasoning'],
  inputIncludesCache: true,
  outputIncludesReasoning: false,
  answerId: ({ id }) => id,
  json: (plan) => chunk(plan, plan.tool ? callOf(plan) : [{ text: textOf(plan) }], true),
  streamType: 'text/event-stream',
  *frames(plan) {
    const pieces = plan.tool ? [] : plan.pieces;
    for (const [index, text] of pieces.slice(0, -1).entries())
      yield sse(chunk(plan, [{ text }], false, index + 1));
    yield sse(chunk(plan, plan.tool ? callOf(plan) : [{ text: pieces.at(-1) }], true));
  },
  errorFrame: (message) => sse(error(503, message)),
  error,
};
