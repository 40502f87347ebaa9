import type { Answer } from './answer.ts';
import type { Exchange } from './event.ts';
import { at, count, objectAt, parseJson, text } from './json.ts';

/** One line of the results of a batch: what one of its requests got. */
export interface BatchLine {
  /** Null where the request was never made (expired, cancelled), which costs nothing. */
  answer: Answer | null;
  /** What tells the line from all others, also when the results are fetched again. */
  names: string[];
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
  const gemini = objectAt(line, 'response', 'usageMetadata') === null ? null : objectAt(line, 'response');
  return gemini === null ? undefined : { status: 200, body: gemini };
}

function lineOf(line: unknown, exchange: Exchange): BatchLine | null {
  const result = resultIn(line);
  if (result === undefined) return null;
  const ids = [at(line, 'id'), at(result?.body, 'id'), at(result?.body, 'responseId')].map(text);
  const names = [ids.find((id) => id !== null) ?? exchange.uri, text(at(line, 'custom_id')) ?? ''];
  if (result === null) return { answer: null, names };
  const url = URL.parse(exchange.uri);
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

/** A look that costs little, before anything is parsed: both words stand in every line of results. */
const LOOKS_LIKE_RESULTS = /^\s*\{.*"(custom_id|usageMetadata)".*\}/;

/**
 * The lines of the results of a batch, as they are downloaded: OpenAI's output file (also Azure's, Groq's and
 * Mistral's), Anthropic's results, Gemini's output file. Null where the body is something else; a line that is no
 * result (a download cut off) is null among them.
 */
export function batchLines(exchange: Exchange): (BatchLine | null)[] | null {
  if (!LOOKS_LIKE_RESULTS.test(exchange.body)) return null;
  const [first = '', ...others] = exchange.body.split('\n').filter((line) => line.trim() !== '');
  const firstLine = lineOf(parsed(first), exchange);
  if (firstLine === null) return null;
  return [firstLine, ...others.map((line) => lineOf(parsed(line), exchange))];
}
