/** The one way to the service: same origin, session cookie, JSON. */
import { ApiError, toApiError } from './error.ts';
import { type AnswerOf, type Callable, type InputOf, routes } from './operations.ts';
import { buildPath, type QueryValue } from './path.ts';
import { GIVE_UP_MS, waitingFor } from './waiting.ts';

interface CallOptions {
  signal?: AbortSignal;
  /** Call with this API key instead of the session. */
  key?: string;
}

interface Parts {
  params?: Record<string, string>;
  query?: Record<string, QueryValue>;
  body?: unknown;
}

function requestOf(method: string, body: unknown, options: CallOptions): RequestInit {
  const headers = new Headers({
    accept: 'application/json',
    'accept-language': document.documentElement.lang || 'de',
  });
  if (body !== undefined) headers.set('content-type', 'application/json');
  if (options.key !== undefined) headers.set('authorization', `Bearer ${options.key}`);
  return {
    method,
    headers,
    credentials: options.key === undefined ? 'same-origin' : 'omit',
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  };
}

/** Until the head of the answer is there; the body may take as long as it is long. */
async function answered(path: string, request: RequestInit): Promise<Response> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new DOMException('no answer', 'TimeoutError')), GIVE_UP_MS);
  const signal = request.signal ? AbortSignal.any([request.signal, late.signal]) : late.signal;
  try {
    return await waitingFor(fetch(path, { ...request, signal }));
  } finally {
    clearTimeout(timer);
  }
}

const isTimeout = (error: unknown): boolean => error instanceof Error && error.name === 'TimeoutError';

async function readJson(response: Response): Promise<unknown> {
  if (!response.headers.get('content-type')?.includes('json')) return null;
  return response.json().catch(() => null);
}

/**
 * Calls an operation and resolves with the answer as it comes, for what is not JSON. Throws `ApiError` for every answer
 * that is not a success and when the service cannot be reached; an aborted call throws the signal's reason.
 */
export async function callRaw<N extends Callable>(
  name: N,
  input: InputOf<N>,
  options: CallOptions = {},
): Promise<Response> {
  const [method, template] = routes[name];
  // The contract's type of the input is known to the caller; here only its three parts matter.
  const { params, query, body } = input as Parts;
  let response: Response;
  try {
    response = await answered(buildPath(template, params, query), requestOf(method, body, options));
  } catch (error) {
    if (options.signal?.aborted) throw error;
    const code = isTimeout(error) ? 'antwortet_nicht' : 'nicht_erreichbar';
    throw new ApiError({ status: 0, code, detail: '' });
  }
  if (response.ok) return response;
  throw toApiError({
    status: response.status,
    body: await readJson(response),
    retryAfter: response.headers.get('retry-after'),
    bySession: options.key === undefined,
  });
}

/** Calls an operation of the contract; throws as `callRaw` does. */
export async function call<N extends Callable>(
  name: N,
  input: InputOf<N>,
  options: CallOptions = {},
): Promise<AnswerOf<N>> {
  // The service checks every answer against the same contract before it sends it.
  return (await readJson(await callRaw(name, input, options))) as AnswerOf<N>;
}
