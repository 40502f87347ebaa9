/** The id by which the provider calls an answer: it makes the sightings of one call, wherever they come from, one. */
import { namesACall } from '#client/answer-id.ts';
import type { Attributes } from '../wire/record.ts';
import { at, firstText, isObject, parsed, textIn } from './read.ts';

const NAMED = ['gen_ai.response.id', 'ai.response.id', 'llm.response.id'];
/** Where frameworks keep the whole answer. */
const ANSWERS = ['output.value', 'gen_ai.completion', 'langfuse.observation.output'];

/** Ids as providers make them. That of Anthropic begins as those of the items of OpenAI's answers do. */
const SPOKEN = /"id"\s*:\s*"((?:chatcmpl-|resp_|gen-)[\w-]+)"/;
const OF_ANTHROPIC = /"id"\s*:\s*"(msg_[\w-]+)"/;

function inAnswer(text: string): string | null {
  const spoken = SPOKEN.exec(text)?.[1];
  if (spoken !== undefined) return spoken;
  return text.includes('"stop_reason"') ? (OF_ANTHROPIC.exec(text)?.[1] ?? null) : null;
}

/** Null where nothing names it. */
export function answerIdOf(attributes: Attributes): string | null {
  const named = firstText(attributes, NAMED, 200);
  if (named !== null) return named;
  for (const name of ANSWERS) {
    const answer = attributes[name];
    if (typeof answer === 'string') {
      const found = inAnswer(answer);
      if (found !== null) return found;
    }
  }
  const metadata = parsed(attributes['ai.response.providerMetadata']);
  return isObject(metadata) ? textIn(at(metadata, 'openai', 'responseId')) : null;
}

/** Claude Code names the request of a call, in its span (there as the answer's id, too) and in its log record. */
export const requestIdOf = (attributes: Attributes): string | null => textIn(attributes.request_id, 200);

/** Whether an id names one call for good: those of local servers begin anew with every start. */
export const isForGood = (id: string): boolean => namesACall(id);
