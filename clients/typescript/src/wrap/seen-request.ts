import { at, text } from '../json.ts';

/** A request as the transport gets it. */
export class SeenRequest {
  readonly method: string;
  readonly uri: string;
  readonly signal: AbortSignal | undefined;
  readonly #body: string | (() => string | null) | null;
  #parsed: unknown;

  /** `body` as a function: read each time it is asked for. `request`: of what is no JSON, what is known of it. */
  constructor(seen: {
    method: string;
    uri: string;
    body: string | (() => string | null) | null;
    request?: unknown;
    signal?: AbortSignal | null | undefined;
  }) {
    this.method = seen.method.toUpperCase();
    this.uri = seen.uri;
    this.signal = seen.signal ?? undefined;
    this.#body = seen.body;
    this.#parsed = seen.request;
  }

  /** Read when it is first asked for: long prompts cost time, which nobody should wait for before the call. */
  get request(): unknown {
    if (this.#parsed === undefined) {
      try {
        this.#parsed = JSON.parse(this.body ?? '{}');
      } catch {
        this.#parsed = {};
      }
    }
    return this.#parsed;
  }

  get body(): string | null {
    return typeof this.#body === 'function' ? this.#body() : this.#body;
  }

  /** Gemini and Amazon have the model in the address. */
  get modell(): string | null {
    const inPath = /\/models?\/([^/:]+)[:/][a-z-]+$/i.exec(this.uri.replace(/[?#].*$/, ''))?.[1];
    return inPath === undefined ? text(at(this.request, 'model')) : decodeURIComponent(inPath);
  }
}

/** The text of a body; null of uploads and streams. */
export function bodyText(body: unknown): string | null {
  if (typeof body === 'string') return body;
  if (body instanceof Uint8Array) return new TextDecoder().decode(body);
  if (body instanceof ArrayBuffer) return new TextDecoder().decode(new Uint8Array(body));
  return null;
}

/** The request that `fetch` is given. */
export async function seenByFetch(
  input: Parameters<typeof fetch>[0],
  init: RequestInit = {},
): Promise<SeenRequest> {
  if (typeof input === 'string' || input instanceof URL)
    return new SeenRequest({
      method: init.method ?? 'GET',
      uri: String(input),
      body: bodyText(init.body),
      signal: init.signal,
    });
  const isJson = input.body !== null && /json/i.test(input.headers.get('content-type') ?? '');
  const own = isJson && init.body === undefined ? await input.clone().text() : null;
  return new SeenRequest({
    method: init.method ?? input.method,
    uri: input.url,
    body: bodyText(init.body) ?? own,
    signal: init.signal ?? input.signal,
  });
}
