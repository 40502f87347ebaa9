/** What went wrong with a call, in a form every screen can show. */

/** One entry of a 422 answer: where, what kind, with which bounds. */
export interface Fault {
  loc: (string | number)[];
  msg: string;
  type: string;
  ctx?: Record<string, unknown>;
}

interface ErrorParts {
  status: number;
  code: string;
  detail: string;
  faults?: Fault[];
  retryAfter?: number | null;
  sessionLost?: boolean;
}

/**
 * A call that did not succeed. `status` 0 means the service could not be reached. `detail` is the service's
 * sentence in the language of the cockpit; `faults` is filled for 422; `retryAfter` in seconds for 429;
 * `sessionLost` when a call that relied on the session was not recognised.
 */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly faults: Fault[];
  readonly retryAfter: number | null;
  readonly sessionLost: boolean;

  constructor(parts: ErrorParts) {
    super(parts.detail);
    this.name = 'ApiError';
    this.status = parts.status;
    this.code = parts.code;
    this.detail = parts.detail;
    this.faults = parts.faults ?? [];
    this.retryAfter = parts.retryAfter ?? null;
    this.sessionLost = parts.sessionLost ?? false;
  }
}

/** The stable code of a refused call; null for any other failure and for none. */
export const codeOf = (error: unknown): string | null => (error instanceof ApiError ? error.code : null);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function toFault(entry: unknown): Fault[] {
  if (!isRecord(entry) || !Array.isArray(entry.loc)) return [];
  const loc = entry.loc.filter((part) => typeof part === 'string' || typeof part === 'number');
  const fault: Fault = { loc, msg: String(entry.msg ?? ''), type: String(entry.type ?? '') };
  return [isRecord(entry.ctx) ? { ...fault, ctx: entry.ctx } : fault];
}

interface ErrorAnswer {
  status: number;
  body: unknown;
  /** Header `Retry-After`, in seconds. */
  retryAfter: string | null;
  /** Whether the call relied on the session. */
  bySession: boolean;
}

/** Reads an error answer: `{detail, code}` or, for 422, `{detail: [faults]}`; a body of another form is tolerated. */
export function toApiError({ status, body, retryAfter, bySession }: ErrorAnswer): ApiError {
  const parts = isRecord(body) ? body : {};
  const seconds = retryAfter === null ? null : Number(retryAfter);
  const code = typeof parts.code === 'string' ? parts.code : `http_${status}`;
  return new ApiError({
    status,
    code,
    detail: typeof parts.detail === 'string' ? parts.detail : '',
    faults: Array.isArray(parts.detail) ? parts.detail.flatMap(toFault) : [],
    retryAfter: seconds !== null && Number.isFinite(seconds) ? seconds : null,
    // A wrong password or code is a 401 of another name.
    sessionLost: bySession && (code === 'nicht_angemeldet' || code === 'http_401'),
  });
}
