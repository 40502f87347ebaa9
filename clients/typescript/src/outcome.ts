import type { Answer } from './answer.ts';
import { at, first, membersOf, objectAt, text } from './json.ts';

/** `http_<status>` names an error that the provider left without a code; inside a 200 stream there is none. */
function fallbackCode(status: number): string {
  return status >= 400 ? `http_${status}` : 'unbekannt';
}

/** The error an answer or one part of its stream carries; null where it carries none. */
function errorIn(part: unknown): unknown {
  const { type, object, error: own, finish_reason, delta, response, last_error } = membersOf(part);
  if (type === 'error' || object === 'error') return own ?? part;
  const finish = text(finish_reason) ?? text(membersOf(delta).finish_reason);
  if (finish?.startsWith('ERROR')) return { code: finish };
  const error = own ?? membersOf(response).error ?? last_error;
  return error === undefined || error === '' || error === false ? null : error;
}

/**
 * Most telling name first: OpenAI's `code` is finer than its `type`; Google's `code` is the HTTP status again and its
 * `status` the name; AWS prefixes `__type` with a namespace.
 */
function codeOf(error: unknown): string | null {
  const type = text(at(error, '__type'));
  const named = text(at(error, 'code')) ?? text(at(error, 'status')) ?? text(at(error, 'type'));
  return (named ?? type?.split('#').at(-1) ?? null)?.slice(0, 200) ?? null;
}

/** `fehler` from HTTP 400 up or where the body carries an error, with the provider's code or type. */
export function outcomeOf(answer: Answer): { status: 'erfolgreich' | 'fehler'; fehlercode: string | null } {
  const { status } = answer.exchange;
  const error = first(answer.parts, errorIn);
  if (status < 400 && error === null) return { status: 'erfolgreich', fehlercode: null };
  const bare = status < 400 ? null : first(answer.parts, (part) => objectAt(part));
  return { status: 'fehler', fehlercode: codeOf(error) ?? codeOf(bare) ?? fallbackCode(status) };
}
