/** What the domains refuse, thrown there; the HTTP kit answers it, the command line says it. */

import type { ErrorCode } from '#contracts/error-codes.ts';
import type { Sentence } from './sentence.ts';

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

/** An error with a stable code and a sentence for the caller; the message is the German one. */
export class AppError extends Error {
  readonly kind: Refusal;
  readonly code: ErrorCode;
  readonly detail: Sentence;
  /** Seconds after which the same may succeed; null where time alone changes nothing. */
  readonly retryAfter: number | null;

  constructor(kind: Refusal, code: ErrorCode, detail: Sentence, retryAfter: number | null = null) {
    super(detail.de);
    this.name = 'AppError';
    this.kind = kind;
    this.code = code;
    this.detail = detail;
    this.retryAfter = retryAfter;
  }
}

/** A missing and a foreign object answer alike, so that nothing can be probed. `what`: `Diesen Lauf`, `This run`. */
export const notFound = (what: Sentence) =>
  new AppError('not-found', 'nicht_gefunden', {
    de: `${what.de} gibt es nicht.`,
    en: `${what.en} does not exist.`,
  });

export const conflict = (code: ErrorCode, detail: Sentence) => new AppError('conflict', code, detail);

export const forbidden = (
  detail: Sentence = { de: 'Dazu fehlt Ihnen das Recht.', en: 'You do not have the right to do this.' },
) => new AppError('forbidden', 'verboten', detail);

export const unauthorized = (code: ErrorCode, detail: Sentence) => new AppError('unauthorized', code, detail);

/** The service cannot take the request now; the same request may succeed after `seconds`. */
export const unavailable = (code: ErrorCode, detail: Sentence, seconds = 1) =>
  new AppError('unavailable', code, detail, seconds);

/** What is wrong with one value of the input. */
export type ValueFault = {
  /** From the input inward: `["domains", 3]`. */
  path: [string, ...(string | number)[]];
  /** The value; left out for secrets. */
  input?: unknown;
} & (
  | {
      /** A clause or a sentence. */
      reason: Sentence;
    }
  | {
      /** The words that are possible. */
      expected: readonly string[];
    }
  | {
      /** As the request check says it: the kind of fault, the message in English, and what it is made of. */
      type: string;
      msg: string;
      ctx?: Record<string, unknown>;
    }
);

/** A file may have a fault in each of its cells; more would only swell the answer. */
const MOST_FAULTS = 100;

/** Input that only the domain can refuse. */
export class InvalidInput extends Error {
  /** The first of them. */
  readonly faults: readonly ValueFault[];
  /** How many there are besides. */
  readonly more: number;

  /** Keeps `most` faults and the number of the others; `more`: others that are left out already. */
  constructor(faults: ValueFault | readonly ValueFault[], { most = MOST_FAULTS, more = 0 } = {}) {
    super('invalid input');
    this.name = 'InvalidInput';
    const all = [faults].flat();
    this.faults = all.slice(0, most);
    this.more = more + all.length - this.faults.length;
  }
}
