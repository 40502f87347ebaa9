import { urlOf } from '../address.ts';
import { mayBeCall } from '../to-events.ts';
import { TELLING_HEADERS } from './named-in-headers.ts';
import type { ObservedExchange, Observer } from './observer.ts';
import { passingStream } from './passing-stream.ts';
import { type SeenRequest, seenByFetch } from './seen-request.ts';
import { bodyThatAsks, CountsOut } from './usage-asked.ts';

export type Fetch = typeof fetch;

export interface FetchOptions {
  /** Whether the guard is asked here; else the library was asked before. */
  guards: boolean;
  /** Whether counts of streams are asked for where the caller does not. */
  asksCounts?: boolean;
  /** Whether a stream that is stopped throws the reason, since the library knows no error within one. */
  endsWithReason?: boolean;
}

const observed = new WeakMap<object, Observer>();
/** Servers that refuse to be asked for counts. */
const unwilling = new Set<string>();

/** The same answer around another body. */
function around(response: Response, body: ReadableStream<Uint8Array> | string): Response {
  const { status, statusText, headers, url, redirected, type } = response;
  const Kind = (response.constructor ?? Response) as typeof Response;
  const copy = new Kind(body, { status, statusText, headers });
  const same = { url, redirected, type };
  for (const [name, value] of Object.entries(same)) Object.defineProperty(copy, name, { value });
  return copy;
}

/** Bodies that are not of the web's kind (node-fetch) are read from a copy. */
function readCopy(response: Response, exchange: ObservedExchange): void {
  void response
    .clone()
    .arrayBuffer()
    .then((bytes) => {
      exchange.take(new Uint8Array(bytes));
      exchange.end('complete');
    })
    .catch(() => exchange.end('broken'));
}

/** The headers that say something of a call. */
function headOf({ headers }: Response): Record<string, string> {
  const told = TELLING_HEADERS.map((name) => [name, headers.get(name)] as const);
  return Object.fromEntries(told.filter((header): header is [string, string] => header[1] !== null));
}

function passed(response: Response, exchange: ObservedExchange, takesCountsOut: boolean): Response {
  try {
    exchange.answered(response.status, headOf(response));
    const body = response.body as ReadableStream<Uint8Array> | null;
    if (body === null) exchange.end('complete');
    else if (typeof body.getReader !== 'function') readCopy(response, exchange);
    else {
      const isStream = /event-stream/i.test(exchange.contentType);
      return around(
        response,
        passingStream(body, exchange, takesCountsOut && isStream ? new CountsOut() : null),
      );
    }
  } catch {
    // The caller gets what came.
  }
  return response;
}

/** Whether another body would not fit the headers: its length or its signature stands there. */
function isBound({ headers }: RequestInit): boolean {
  try {
    const given = new Headers(headers);
    return given.has('content-length') || /^AWS4/.test(given.get('authorization') ?? '');
  } catch {
    // Of a form that a `fetch` of one's own may know.
    return true;
  }
}

/** Asks for counts as well; where the server does not know that, asks again without, and never again that way. */
async function asking(
  inner: Fetch,
  input: Parameters<Fetch>[0],
  init: RequestInit | undefined,
  request: SeenRequest,
): Promise<{ response: Response; asks: boolean }> {
  const origin = urlOf(request.uri)?.origin ?? '';
  const body = unwilling.has(origin) || typeof init?.body !== 'string' ? null : bodyThatAsks(request);
  if (body === null || isBound(init ?? {})) return { response: await inner(input, init), asks: false };
  const response = await inner(input, { ...init, body });
  if (response.status !== 400 && response.status !== 422) return { response, asks: true };
  const refusal = await response.text();
  if (!refusal.includes('stream_options')) return { response: around(response, refusal), asks: true };
  unwilling.add(origin);
  return { response: await inner(input, init), asks: false };
}

/** What is given, with its exchanges observed; one that is observed already stays as it is. */
export function observedFetch(inner: Fetch, observer: Observer, options: FetchOptions): Fetch {
  if (observed.get(inner) === observer) return inner;
  const outer: Fetch = async (input, init) => {
    const further = observer.around();
    const request = further?.kind === 'exchange' ? null : await seenByFetch(input, init).catch(() => null);
    if (request === null) return inner(input, init);
    const isCall = mayBeCall(request.method, request.uri);
    if (isCall && options.guards && further === undefined) await observer.admit(request);
    const admission = isCall ? await observer.admissionOf(request) : null;
    const exchange = observer.begin(request, admission);
    if (exchange === null) return inner(input, init);
    exchange.endsWithReason = options.endsWithReason ?? false;
    try {
      const { response, asks } = await observer.within({ kind: 'exchange', seen: true }, async () =>
        options.asksCounts && isCall
          ? asking(inner, input, init, request)
          : { response: await inner(input, init), asks: false },
      );
      return passed(response, exchange, asks);
    } catch (error) {
      exchange.end('broken');
      throw error;
    }
  };
  observed.set(outer, observer);
  return outer;
}
