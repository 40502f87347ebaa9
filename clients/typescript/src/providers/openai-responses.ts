import { type Answer, modelOf } from '../answer.ts';
import { at, count, first, last, list, objectAt, text } from '../json.ts';
import { type Facts, facts, tierOf } from './facts.ts';
import { azureDeployment } from './openai-chat.ts';
import { openAiCounts } from './openai-counts.ts';
import { type Counts, noCounts, type Shape, type Usage } from './shape.ts';

const OBJECTS = new Set(['response', 'response.compaction']);
const UNDER_WAY = new Set(['queued', 'in_progress']);

/** The response object itself: the whole answer, or what the last `response.*` event of a stream carries. */
function responseIn(part: unknown): object | null {
  return OBJECTS.has(text(at(part, 'object')) ?? '') ? objectAt(part) : objectAt(part, 'response');
}

const typeOf = (item: unknown) => text(at(item, 'type'));

/** What the model put out, item by item; a stream that broke off lists what had begun. */
function itemsOf(response: object | null, parts: unknown[]): unknown[] {
  const listed = list(at(response, 'output'));
  if (listed.length > 0) return listed;
  return parts
    .filter((part) => typeOf(part) === 'response.output_item.added')
    .map((part) => at(part, 'item'));
}

/** Only looking for something is billed; opening a page found and looking through it are not. */
function isSearch(item: unknown): boolean {
  return typeOf(item) === 'web_search_call' && (text(at(item, 'action', 'type')) ?? 'search') === 'search';
}

/**
 * Containers in which code ran: one is billed however often it is used. Those the request names were there before, and
 * were paid for by their creator.
 */
function newContainers(items: unknown[], request: unknown): number {
  const given = new Set(list(at(request, 'tools')).map((tool) => at(tool, 'container')));
  const ran = items.filter((item) => typeOf(item) === 'code_interpreter_call');
  const ids = ran.map((item) => text(at(item, 'container_id')) ?? '');
  return new Set(ids.filter((id) => !given.has(id))).size;
}

/** With tools on the provider's side the model is asked again with what they found, and the input is the sum of all these prompts. */
const ASKED_AGAIN = new Set(['web_search_call', 'file_search_call', 'code_interpreter_call', 'mcp_call']);

function toolFacts(response: object | null, items: unknown[], answer: Answer): Partial<Facts> {
  const searches = items.filter(isSearch).length;
  return {
    websuchen: count(at(response, 'tool_usage', 'web_search', 'num_requests')) || searches || null,
    dateisuchen: items.filter((item) => typeOf(item) === 'file_search_call').length || null,
    codeausfuehrungen: newContainers(items, answer.exchange.request) || null,
    eingabe_ist_summe: items.some((item) => ASKED_AGAIN.has(typeOf(item) ?? '')) || null,
  };
}

function countsOf(response: object | null, items: unknown[], answer: Answer): Counts {
  const usage = objectAt(response, 'usage');
  const counts = usage === null ? noCounts() : openAiCounts(usage, answer);
  const preisstufe = tierOf(text(at(response, 'service_tier')));
  // What xAI counts of its own tools in the usage block comes first.
  const found = { ...facts(toolFacts(response, items, answer)), ...counts.zusatz };
  return { ...counts, zusatz: { ...found, ...facts({ preisstufe }) } };
}

/** Pictures made on the way by a model of its own, whose tokens are in no other count. */
function pictures(response: object | null, answer: Answer): Usage[] {
  const usage = objectAt(response, 'tool_usage', 'image_gen');
  const counts = usage === null ? null : openAiCounts(usage, answer);
  if (!counts?.ausgabe_token) return [];
  const tools = [...list(at(response, 'tools')), ...list(at(answer.exchange.request, 'tools'))];
  const modell = first(tools, (tool) =>
    typeOf(tool) === 'image_generation' ? text(at(tool, 'model')) : null,
  );
  const zusatz = { ...facts({ bild_ausgabe_token: counts.ausgabe_token }), ...counts.zusatz };
  return [{ ...counts, zusatz, modell, werkzeugaufrufe: 0 }];
}

/** Reading or cancelling a response shows one that was made before. */
function isSecondLook({ method, path }: Answer): boolean {
  return method !== 'POST' || /\/responses\/(?!compact$)[^/]/.test(path);
}

/**
 * OpenAI's responses, plain and streamed, and compacted ones. Creating one counts, reading it again does not; of one
 * made in the background only reading it shows what it used, so its event comes once it has ended, with the same id
 * however often it is read.
 */
export const openAiResponses: Shape = {
  name: 'openai-responses',
  polled: true,
  matchesUri: ({ path }) => /\/responses(\/(?!input_tokens$)[^/]+(\/cancel)?)?$/.test(path),
  matchesBody: ({ parts }) => parts.some((part) => OBJECTS.has(text(at(responseIn(part), 'object')) ?? '')),
  toUsages: (answer) => {
    const response = last(answer.parts, responseIn);
    const isBackground = at(response, 'background') === true;
    if (isBackground ? UNDER_WAY.has(text(at(response, 'status')) ?? '') : isSecondLook(answer)) return [];
    const items = itemsOf(response, answer.parts);
    const usages: Usage[] = [
      {
        ...countsOf(response, items, answer),
        modell: modelOf(answer) ?? azureDeployment(answer),
        werkzeugaufrufe: items.filter((item) => typeOf(item)?.endsWith('_call')).length,
      },
      ...pictures(response, answer),
    ];
    const id = isBackground ? text(at(response, 'id')) : null;
    return id === null
      ? usages
      : usages.map((usage, index) => ({ ...usage, ergebnis: index === 0 ? id : `${id} ${index}` }));
  },
};
