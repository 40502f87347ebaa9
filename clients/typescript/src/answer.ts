import { urlOf } from './address.ts';
import type { Exchange } from './event.ts';
import { embeddedObjects, eventStreamParts, isEventStream } from './event-stream.ts';
import { at, first, parseJson, text } from './json.ts';
import { isSse, sseData } from './sse.ts';

/** An exchange with its answer read: one part for a JSON answer, one per event, line or element for a stream. */
export interface Answer {
  exchange: Exchange;
  /** Upper case. */
  method: string;
  /** Host with port, lower case; empty where the exchange carries a path only. */
  host: string;
  /** Path as sent, still percent-encoded, without the query. */
  path: string;
  parts: unknown[];
}

/** How JSON begins. What does not (a stream, its `[DONE]`) need not be tried, which costs more than to read it. */
const JSON_BEGIN = /^\s*[[{"tfn\d-](?!DONE\])/;

function parsed(chunks: string[]): unknown[] {
  const values: unknown[] = [];
  for (const chunk of chunks) {
    if (!JSON_BEGIN.test(chunk)) continue;
    try {
      values.push(parseJson(chunk));
    } catch {
      // Cut off, or something else.
    }
  }
  return values;
}

/** Sound and pictures hold no counts, and whatever looks like JSON in them is none. */
const BINARY = /^(audio|image|video)\//i;

/** The body decides, not the content type: recordings and gateways mislabel streams or leave the header out. */
function partsOf(body: string, contentType: string): unknown[] {
  if (body === '' || BINARY.test(contentType)) return [];
  const whole = parsed([body])[0];
  if (whole !== undefined) return Array.isArray(whole) ? whole : [whole];
  if (isEventStream(body, contentType)) return eventStreamParts(body);
  if (isSse(body)) return parsed(sseData(body));
  const lines = parsed(body.split('\n'));
  return lines.length > 0 ? lines : embeddedObjects(body);
}

/** Reads the body of an exchange, whatever its form (JSON, JSON array, SSE, NDJSON, AWS event stream). */
export function readAnswer(exchange: Exchange): Answer {
  const url = urlOf(exchange.uri);
  return {
    exchange,
    method: exchange.method?.toUpperCase() ?? 'POST',
    host: url?.host ?? '',
    path: url?.pathname ?? exchange.uri.replace(/[?#].*$/, ''),
    parts: partsOf(exchange.body, exchange.contentType),
  };
}

/** A group of the path pattern, percent-decoded; null where the path is another. */
export function fromPath(answer: Answer, pattern: RegExp): string | null {
  const raw = pattern.exec(answer.path)?.[1];
  if (raw === undefined) return null;
  try {
    return text(decodeURIComponent(raw));
  } catch {
    return text(raw);
  }
}

/** The model the answer names (Azure's first chunk names an empty one), else the request's. */
export function modelOf(answer: Answer): string | null {
  const named = first(answer.parts, (part) => {
    return (
      text(at(part, 'model')) ?? text(at(part, 'message', 'model')) ?? text(at(part, 'response', 'model'))
    );
  });
  return named ?? text(at(answer.exchange.request, 'model'));
}
