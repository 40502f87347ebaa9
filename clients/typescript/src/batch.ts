import { urlOf } from './address.ts';
import type { Answer } from './answer.ts';
import type { Exchange } from './event.ts';
import { at, count, list, objectAt, parseJson, text } from './json.ts';

/** One line of the results of a batch: what one of its requests got. */
export interface BatchLine {
  /** Null where the request was never made (expired, cancelled), which costs nothing. */
  answer: Answer | null;
  /** What tells the line from all others, also when the results are fetched again. */
  names: string[];
}

/** Gemini's lines have no status; what was refused has an error instead of an answer. */
function geminiResultIn(line: unknown): { status: number; body: object } | undefined {
  const response = objectAt(line, 'response');
  if (objectAt(response, 'usageMetadata') !== null) return { status: 200, body: response as object };
  const error = text(at(line, 'key')) === null ? null : objectAt(line, 'error');
  return error === null ? undefined : { status: 400, body: { error } };
}

/** The status and the body of a line; null where the request was never made, undefined where it is no result at all. */
function resultIn(line: unknown): { status: number; body: object } | null | undefined {
  if (text(at(line, 'custom_id')) !== null && at(line, 'response') !== undefined) {
    const body = objectAt(line, 'response', 'body');
    return body === null ? null : { status: count(at(line, 'response', 'status_code')) ?? 200, body };
  }
  const type = text(at(line, 'result', 'type'));
  if (text(at(line, 'custom_id')) !== null && type !== null) {
    const message = objectAt(line, 'result', 'message');
    if (message !== null) return { status: 200, body: message };
    const error = objectAt(line, 'result', 'error');
    return error === null ? null : { status: 400, body: error };
  }
  return geminiResultIn(line);
}

function lineOf(line: unknown, position: number, exchange: Exchange): BatchLine | null {
  const result = resultIn(line);
  if (result === undefined) return null;
  const url = urlOf(exchange.uri);
  // The provider's own id of the answer where there is one, else the place in the file; an address may be signed anew.
  const ids = [at(line, 'id'), at(result?.body, 'id'), at(result?.body, 'responseId')].map(text);
  const file = url === null ? exchange.uri : `${url.origin}${url.pathname}`;
  const own = text(at(line, 'custom_id')) ?? text(at(line, 'key')) ?? String(position);
  const names = [ids.find((id) => id !== null) ?? file, own];
  if (result === null) return { answer: null, names };
  const { status, body } = result;
  const request = { uri: url?.origin ?? '', method: 'POST', request: {}, contentType: exchange.contentType };
  const answered = { ...request, status, body: '' };
  return {
    answer: { exchange: answered, method: 'POST', host: url?.host ?? '', path: '', parts: [body] },
    names,
  };
}

function parsed(line: string): unknown {
  try {
    return parseJson(line);
  } catch {
    return undefined;
  }
}

/** A batch of Gemini that was sent without a file has its results in the batch itself, once it has ended. */
function inlined(body: string, exchange: Exchange): (BatchLine | null)[] | null {
  const batch = parsed(body);
  const entries = list(at(batch, 'response', 'inlinedResponses', 'inlinedResponses'));
  if (entries.length === 0) return null;
  return entries.map((entry, position) => {
    const line = lineOf({ key: String(position), ...objectAt(entry) }, position, exchange);
    return line && { ...line, names: [text(at(batch, 'name')) ?? exchange.uri, String(position)] };
  });
}

/**
 * The lines of the results of a batch, as they are downloaded: OpenAI's output file (also Azure's, Groq's and
 * Mistral's), Anthropic's results, Gemini's output file or batch. Null where the body is something else; a line that is
 * no result (a download cut off) is null among them.
 */
export function batchLines(exchange: Exchange): (BatchLine | null)[] | null {
  const body = exchange.body.trim();
  if (body.includes('"inlinedResponses"')) return inlined(body, exchange);
  // A look that costs little, before anything is parsed: one of the words stands in every line.
  const end = body.indexOf('\n');
  const head = end < 0 ? body : body.slice(0, end);
  if (!/"(custom_id|key|usageMetadata)"/.test(head) || lineOf(parsed(head), 0, exchange) === null)
    return null;
  return body
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line, position) => lineOf(parsed(line), position, exchange));
}
