/** Every error becomes one of three bodies: `{detail, code}`, the 422 list of faults, or a bare 500. */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorBody, ErrorCode, Operation } from '#contracts';
import { AppError, InvalidInput, type Refusal, unavailable, type ValueFault } from '#kernel/errors.ts';
import { isUnreachable } from '#platform/database/index.ts';
import type { Log } from '#platform/log.ts';
import type { Fault } from './check/index.ts';
import { createMethodsAt } from './methods.ts';

/** A request whose values are refused; answered as 422 with the faults. */
export class InvalidRequest extends Error {
  readonly faults: Fault[];

  constructor(faults: Fault[]) {
    super('invalid request');
    this.name = 'InvalidRequest';
    this.faults = faults;
  }
}

/** A fault found by a rule of the domain, in the form of Pydantic's `value_error`. */
export const valueError = (loc: (string | number)[], reason: string, input?: unknown): InvalidRequest =>
  new InvalidRequest([
    { type: 'value_error', loc, msg: `Value error, ${reason}`, input, ctx: { error: reason } },
  ]);

/** The body is not JSON at all, or nested beyond reason; the reference answers it with this sentence. */
export class UnreadableBody extends Error {}

/** A refusal that has its reason in HTTP itself. */
export class HttpError extends Error {
  readonly status: number;
  readonly code: ErrorCode;
  readonly headers: Record<string, string>;

  constructor(status: number, code: ErrorCode, detail: string, headers: Record<string, string> = {}) {
    super(detail);
    this.name = 'HttpError';
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

export const tooLarge = (detail = 'Die Anfrage ist zu groß.') => new HttpError(413, 'zu_gross', detail);

const STATUS: Record<Refusal, number> = {
  malformed: 400,
  unauthorized: 401,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  'too-many': 429,
  'refused-elsewhere': 502,
  unavailable: 503,
};

const fromDomain = ({ kind, code, message, retryAfter }: AppError): HttpError =>
  new HttpError(
    STATUS[kind],
    code,
    message,
    retryAfter === null ? {} : { 'retry-after': String(retryAfter) },
  );

const FASTIFY_ERRORS: Record<string, HttpError> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: new HttpError(415, 'inhaltstyp_ungueltig', 'Content-Type ist ungültig.'),
};

const toBody = (code: ErrorCode, detail: string): ErrorBody => ({ detail, code });

function toHttpError(error: Error): HttpError | null {
  if (error instanceof HttpError) return error;
  if (error instanceof AppError) return fromDomain(error);
  if (isUnreachable(error))
    return fromDomain(unavailable('datenbank_weg', 'Die Datenbank antwortet gerade nicht.', 2));
  const { code, statusCode } = error as FastifyError;
  const known = FASTIFY_ERRORS[code];
  if (known) return known;
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new HttpError(statusCode, 'anfrage_ungueltig', 'Die Anfrage ist ungültig.');
  }
  return null;
}

const PLACES = [
  ['params', 'path'],
  ['query', 'query'],
  ['header', 'header'],
] as const;

/** Where in the request a field of the input stands, by the operation's schemas; the body, where nowhere else. */
function placeOf(operation: Operation | undefined, field: string): string {
  const has = (part: 'params' | 'query' | 'header') =>
    Object.hasOwn((operation?.[part] as { properties?: object } | undefined)?.properties ?? {}, field);
  return PLACES.find(([part]) => has(part))?.[1] ?? 'body';
}

const expectedText = (words: readonly string[]): string => {
  const quoted = words.map((word) => `'${word}'`);
  return [quoted.slice(0, -1).join(', '), quoted.at(-1)].filter(Boolean).join(' or ');
};

/** What the domain says about the input, as faults of the request. */
function toFault(operation: Operation | undefined, fault: ValueFault): Fault {
  const loc = [placeOf(operation, fault.path[0]), ...fault.path];
  if ('reason' in fault) {
    const { reason, input } = fault;
    return { type: 'value_error', loc, msg: `Value error, ${reason}`, input, ctx: { error: reason } };
  }
  const expected = expectedText(fault.expected);
  return {
    type: 'literal_error',
    loc,
    msg: `Input should be ${expected}`,
    input: fault.input,
    ctx: { expected },
  };
}

/** Answers what fails before a route is found, such as an address with broken percent-encoding: no hook runs for it. */
export const createFrameworkErrorHandler =
  (headers: Record<string, string>) =>
  (_error: FastifyError, _request: FastifyRequest, reply: FastifyReply): void => {
    reply
      .code(400)
      .headers({ ...headers, 'cache-control': 'no-store' })
      .send(toBody('adresse_ungueltig', 'Die Adresse ist ungültig.'));
  };

export function registerErrorHandler(app: FastifyInstance, log: Log, operations: Operation[]): void {
  const byId = new Map(operations.map((operation) => [operation.id, operation]));
  app.setErrorHandler((error: Error, request: FastifyRequest, reply: FastifyReply) => {
    const { operation } = request.routeOptions.config;
    if (error instanceof InvalidRequest) return reply.code(422).send({ detail: error.faults });
    if (error instanceof InvalidInput) {
      const detail = error.faults.map((fault) => toFault(byId.get(operation ?? ''), fault));
      return reply.code(422).send({ detail });
    }
    if (error instanceof UnreadableBody)
      return reply.code(400).send({ detail: 'There was an error parsing the body' });
    const answer = toHttpError(error);
    if (answer)
      return reply.code(answer.status).headers(answer.headers).send(toBody(answer.code, answer.message));
    log.error({ err: error, operation, requestId: request.id }, 'unexpected error');
    return reply.code(500).send(toBody('interner_fehler', 'Das hätte nicht passieren dürfen.'));
  });
  const methodsAt = createMethodsAt(operations);
  app.setNotFoundHandler((request, reply) => {
    const methods = methodsAt(request.url.split('?', 1)[0] as string);
    if (methods.length === 0)
      return reply.code(404).send(toBody('pfad_unbekannt', 'Diesen Pfad gibt es nicht.'));
    return reply
      .code(405)
      .header('allow', methods.join(', '))
      .send(toBody('methode_unbekannt', 'Diese Methode gibt es hier nicht.'));
  });
}
