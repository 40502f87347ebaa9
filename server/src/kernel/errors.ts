/** What the domains refuse, thrown there; the HTTP kit answers it, the command line says it. */

import type { ErrorCode } from '#contracts/error-codes.ts';

/** Why something is refused; each door has its own word for it. */
export type Refusal =
  | 'malformed'
  | 'unauthorized'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  | 'too-many'
  /** Somebody whom the service asks refused in turn. */
  | 'refused-elsewhere'
  | 'unavailable';

/** An error with a stable code and a German sentence for the caller. */
export class AppError extends Error {
  readonly kind: Refusal;
  readonly code: ErrorCode;
  /** Seconds after which the same may succeed; null where time alone changes nothing. */
  readonly retryAfter: number | null;

  constructor(kind: Refusal, code: ErrorCode, detail: string, retryAfter: number | null = null) {
    super(detail);
    this.name = 'AppError';
    this.kind = kind;
    this.code = code;
    this.retryAfter = retryAfter;
  }
}

/** A missing and a foreign object answer alike, so that nothing can be probed. */
export const notFound = (what: string) =>
  new AppError('not-found', 'nicht_gefunden', `${what} gibt es nicht.`);

export const conflict = (code: ErrorCode, detail: string) => new AppError('conflict', code, detail);

export const forbidden = (detail = 'Dazu fehlt Ihnen das Recht.') =>
  new AppError('forbidden', 'verboten', detail);

export const unauthorized = (code: ErrorCode, detail: string) => new AppError('unauthorized', code, detail);

/** The service cannot take the request now; the same request may succeed after `seconds`. */
export const unavailable = (code: ErrorCode, detail: string, seconds = 1) =>
  new AppError('unavailable', code, detail, seconds);

/** What is wrong with one value of the input. */
export type ValueFault = {
  /** From the input inward: `["domains", 3]`. */
  path: [string, ...(string | number)[]];
  /** The value; left out for secrets. */
  input?: unknown;
} & (
  | {
      /** A German clause. */
      reason: string;
    }
  | {
      /** The words that are possible. */
      expected: readonly string[];
    }
);

/** Input that only the domain can refuse. */
export class InvalidInput extends Error {
  readonly faults: readonly ValueFault[];

  constructor(...faults: ValueFault[]) {
    super('invalid input');
    this.name = 'InvalidInput';
    this.faults = faults;
  }
}
