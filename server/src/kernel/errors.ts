/** An error with a stable code and a German sentence for the caller; thrown by domains, answered by the HTTP kit. */
export class AppError extends Error {
  readonly code: string;
  readonly status: number;
  readonly headers: Record<string, string>;

  constructor(status: number, code: string, detail: string, headers: Record<string, string> = {}) {
    super(detail);
    this.name = 'AppError';
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

/** A missing and a foreign object answer alike, so that nothing can be probed. */
export const notFound = (what: string) => new AppError(404, 'nicht_gefunden', `${what} gibt es nicht.`);

export const conflict = (code: string, detail: string) => new AppError(409, code, detail);

export const forbidden = (detail = 'Dazu fehlt Ihnen das Recht.') => new AppError(403, 'verboten', detail);

export const unauthorized = (code: string, detail: string, headers: Record<string, string> = {}) =>
  new AppError(401, code, detail, headers);

/** The service cannot take the request now; the same request may succeed after `seconds`. */
export const unavailable = (code: string, detail: string, seconds = 1) =>
  new AppError(503, code, detail, { 'retry-after': String(seconds) });
