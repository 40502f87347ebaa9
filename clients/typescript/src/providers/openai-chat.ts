import { type Answer, fromPath, modelOf } from '../answer.ts';
import { at, last, list, membersOf, objectAt, text } from '../json.ts';
import { facts } from './facts.ts';
import { openAiCounts, openAiStreamCounts } from './openai-counts.ts';
import type { Shape, Usage } from './shape.ts';

/** Name of the deployment in an Azure address, which stands for the model where nothing else names it. */
export function azureDeployment(answer: Answer): string | null {
  return fromPath(answer, /\/deployments\/([^/]+)\//);
}

/** What the choice holds of the message: the delta of a chunk, else the whole message. */
function messageIn(choice: unknown): unknown {
  const { delta, message } = membersOf(choice);
  return delta ?? message;
}

/**
 * Tool calls in the choices of an answer. In a stream one call arrives in pieces: only the first has an id, the
 * others repeat its index; some providers send no index, some give every call index 0 with an id of its own.
 */
export function chatToolCalls(parts: unknown[]): number {
  const calls = new Set<string>();
  const indexes = new Set<string>();
  for (const part of parts)
    for (const choice of list(membersOf(part).choices)) addCalls(choice, calls, indexes);
  return calls.size;
}

function addCalls(choice: unknown, calls: Set<string>, indexes: Set<string>): void {
  const message = membersOf(messageIn(choice));
  const place = () => String(at(choice, 'index') ?? 0);
  list(message.tool_calls).forEach((call, position) => {
    const index = `${place()}.${String(at(call, 'index') ?? position)}`;
    const id = text(at(call, 'id'));
    if (id !== null) calls.add(`id:${id}`);
    else if (!indexes.has(index)) calls.add(`index:${index}`);
    indexes.add(index);
  });
  if (text(membersOf(message.function_call).name) !== null) calls.add(`function:${place()}`);
}

/** Models that look something up for every answer, at a fixed fee. */
const SEARCHES_ALWAYS = /-search-(preview|api)\b/;

/** Searches that were made on the way: Groq lists the tools it used in the message. */
function searches(modell: string | null, parts: unknown[]): number {
  let made = 0;
  let answers = 0;
  for (const part of parts)
    for (const choice of list(membersOf(part).choices)) {
      answers++;
      for (const tool of list(membersOf(messageIn(choice)).executed_tools))
        if (text(at(tool, 'type'))?.includes('search')) made++;
    }
  return made || (SEARCHES_ALWAYS.test(modell ?? '') && answers > 0 ? 1 : 0);
}

function usageOf(answer: Answer): Usage {
  const counts = openAiStreamCounts(answer);
  const modell = modelOf(answer) ?? azureDeployment(answer);
  const websuchen = searches(modell, answer.parts);
  return {
    ...counts,
    modell,
    werkzeugaufrufe: chatToolCalls(answer.parts),
    zusatz: { ...facts({ websuchen }), ...counts.zusatz },
  };
}

/**
 * Groq's systems of several models have no price of their own: the models that answered are billed, each for what it
 * did. All else of the answer stays with the first.
 */
function byModel(whole: Usage, answer: Answer): Usage[] {
  const shares = last(answer.parts, (part) => {
    const models = list(at(part, 'usage_breakdown', 'models'));
    return models.length === 0 ? null : models;
  });
  return (shares ?? []).map((share, index) => {
    const counts = openAiCounts(objectAt(share, 'usage') ?? {}, answer);
    const { preisstufe } = whole.zusatz;
    const shared = preisstufe === undefined ? {} : { preisstufe };
    const rest = index === 0 ? whole : { zusatz: shared, werkzeugaufrufe: 0 };
    return {
      ...counts,
      modell: text(at(share, 'model')),
      werkzeugaufrufe: rest.werkzeugaufrufe,
      zusatz: { ...rest.zusatz, ...counts.zusatz },
    };
  });
}

/** OpenAI's chat completions, spoken by Azure, Groq, Mistral, DeepSeek, Together, vLLM and many others. */
export const openAiChat: Shape = {
  name: 'openai-chat',
  matchesUri: ({ path }) => /\/(chat|agents)\/completions$/.test(path),
  matchesBody: ({ parts }) =>
    parts.some((part) => list(at(part, 'choices')).some((choice) => messageIn(choice) !== undefined)),
  toUsages: (answer) => {
    const whole = usageOf(answer);
    const shares = byModel(whole, answer);
    return shares.length > 0 ? shares : [whole];
  },
};
