import { type Answer, fromPath, modelOf } from '../answer.ts';
import { at, list, text } from '../json.ts';
import { openAiStreamCounts } from './openai-counts.ts';
import type { Shape } from './shape.ts';

/** Name of the deployment in an Azure address, which stands for the model where nothing else names it. */
export function azureDeployment(answer: Answer): string | null {
  return fromPath(answer, /\/deployments\/([^/]+)\//);
}

/** What the choice holds of the message: the delta of a chunk, else the whole message. */
function messageIn(choice: unknown): unknown {
  return at(choice, 'delta') ?? at(choice, 'message');
}

/**
 * Tool calls in the choices of an answer. In a stream one call arrives in pieces: only the first has an id, the
 * others repeat its index; some providers send no index, some give every call index 0 with an id of its own.
 */
export function chatToolCalls(parts: unknown[]): number {
  const calls = new Set<string>();
  const indexes = new Set<string>();
  for (const choice of parts.flatMap((part) => list(at(part, 'choices')))) {
    const message = messageIn(choice);
    const place = String(at(choice, 'index') ?? 0);
    list(at(message, 'tool_calls')).forEach((call, position) => {
      const index = `${place}.${String(at(call, 'index') ?? position)}`;
      const id = text(at(call, 'id'));
      if (id !== null) calls.add(`id:${id}`);
      else if (!indexes.has(index)) calls.add(`index:${index}`);
      indexes.add(index);
    });
    if (text(at(message, 'function_call', 'name')) !== null) calls.add(`function:${place}`);
  }
  return calls.size;
}

/** OpenAI's chat completions, spoken by Azure, Groq, Mistral, DeepSeek, Together, vLLM and many others. */
export const openAiChat: Shape = {
  name: 'openai-chat',
  matchesUri: ({ path }) => /\/(chat|agents)\/completions$/.test(path),
  matchesBody: ({ parts }) =>
    parts.some((part) => list(at(part, 'choices')).some((choice) => messageIn(choice) !== undefined)),
  toUsage: (answer) => ({
    ...openAiStreamCounts(answer.parts),
    modell: modelOf(answer) ?? azureDeployment(answer),
    werkzeugaufrufe: chatToolCalls(answer.parts),
  }),
};
