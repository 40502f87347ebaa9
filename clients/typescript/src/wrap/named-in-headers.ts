/** What the headers of an answer say of its call, by which others name it. */
import type { Ereignis, Exchange } from '../event.ts';

/** The headers that are looked at, in lower case. */
export const TELLING_HEADERS: readonly string[] = ['content-type', 'x-amzn-requestid', 'request-id'];

/** Amazon names a call in its headers alone. */
export function requestIdIn(headers: Record<string, string>): Pick<Exchange, 'requestId'> {
  const requestId = headers['x-amzn-requestid'];
  return requestId === undefined ? {} : { requestId };
}

/** Anthropic names the request beside the answer; Claude Code tells of its calls by that name. Beside what is said already. */
export function requestNoteIn(
  headers: Record<string, string>,
  zusatz: Ereignis['zusatz'],
): Pick<Ereignis, 'zusatz'> {
  const request = headers['request-id'];
  return request?.startsWith('req_') ? { zusatz: { anfrage_id: request.slice(0, 200), ...zusatz } } : {};
}
