import type { Answer } from '../answer.ts';
import { at, last, list, objectAt, text } from '../json.ts';
import { openAiChat } from './openai-chat.ts';
import type { Shape } from './shape.ts';

/** The completion once it is there: at xAI the whole answer, at Perplexity a part of it. */
function completionIn(part: unknown): object | null {
  const places = [objectAt(part), objectAt(part, 'response')];
  return places.find((place) => list(at(place, 'choices')).length > 0) ?? null;
}

function isDeferred({ path, exchange }: Answer): boolean {
  return path.endsWith('/chat/completions') && at(exchange.request, 'deferred') === true;
}

/**
 * Chat whose answer is fetched later: Perplexity's asynchronous, xAI's deferred completions. It counts once it is
 * there, with the same id however often it is fetched; a request that was refused counts as such.
 */
export const deferredChat: Shape = {
  name: 'deferred-chat',
  polled: true,
  matchesUri: (answer) =>
    /\/async\/chat\/completions(\/[^/]+)?$|\/chat\/deferred-completion\/[^/]+$/.test(answer.path) ||
    isDeferred(answer),
  matchesBody: () => false,
  toUsages: (answer) => {
    if (answer.method === 'POST' && answer.exchange.status >= 400) return openAiChat.toUsages(answer);
    const completion = last(answer.parts, completionIn);
    const ergebnis = text(at(completion, 'id'));
    if (completion === null || ergebnis === null) return [];
    return openAiChat.toUsages({ ...answer, parts: [completion] }).map((usage) => ({ ...usage, ergebnis }));
  },
};
