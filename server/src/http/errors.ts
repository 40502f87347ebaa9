/** Every error becomes one of three bodies: `{detail, code}`, the 422 list of faults, or a bare 500. */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorBody, ErrorCode, Operation } from '#contracts';
import { AppError, InvalidInput, type Refusal, unavailable, type ValueFault } from '#kernel/errors.ts';
import { type Language, languageOf, type Sentence } from '#kernel/sentence.ts';
import { CallerGone } from '#platform/caller.ts';
import { isUnreachable } from '#platform/database/index.ts';
import type { Log } from '#platform/log.ts';
import type { Metrics } from '#platform/metrics.ts';
import { type Fault, shortText, shown } from './check/index.ts';
import { createMethodsAt } from './methods.ts';
import { createRefusalPause } from './refusal-pause.ts';

/** A request whose values are refused; answered as 422 with the faults. */
export class InvalidRequest extends Error {
  readonly faults: Fault[];

  constructor(faults: Fault[]) {
    super('invalid request');
    this.name = 'InvalidRequest';
    this.faults = faults;
  }
}

/** The body is not JSON at all, or nested beyond reason; the reference answers it with this sentence. */
export class UnreadableBody extends Error {}

/** A refusal that has its reason in HTTP itself. */
export class HttpError extends Error {
  readonly status: number;
  readonly code: ErrorCode;
  readonly detail: Sentence;
  readonly headers: Record<string, string>;

  constructor(status: number, code: ErrorCode, detail: Sentence, headers: Record<string, string> = {}) {
    super(detail.de);
    this.name = 'HttpError';
    this.status = status;
    this.code = code;
    this.detail = detail;
    this.headers = headers;
  }
}

export const tooLarge = (
  detail: Sentence = { de: 'Die Anfrage ist zu groß.', en: 'The request is too large.' },
) => new HttpError(413, 'zu_gross', detail);

/** What nginx calls it; HTTP has no word for it. */
const CLIENT_CLOSED = 499;

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

const fromDomain = ({ kind, code, detail, retryAfter }: AppError): HttpError =>
  new HttpError(STATUS[kind], code, detail, retryAfter === null ? {} : { 'retry-after': String(retryAfter) });

const FASTIFY_ERRORS: Record<string, HttpError> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: new HttpError(415, 'inhaltstyp_ungueltig', {
    de: 'Content-Type ist ungültig.',
    en: 'Content-Type is not valid.',
  }),
};

const toBody = (code: ErrorCode, detail: Sentence, language: Language): ErrorBody => ({
  detail: detail[language],
  code,
});

/** The language of an answer to this request, as the answer says itself. */
export function speak(request: FastifyRequest, reply: FastifyReply): Language {
  const language = languageOf(request.headers['accept-language']);
  const varies = reply.getHeader('vary');
  reply.header('vary', varies === undefined ? 'Accept-Language' : `${varies}, Accept-Language`);
  reply.header('content-language', language);
  return language;
}

function toHttpError(error: Error): HttpError | null {
  if (error instanceof HttpError) return error;
  if (error instanceof AppError) return fromDomain(error);
  if (isUnreachable(error))
    return fromDomain(
      unavailable(
        'datenbank_weg',
        { de: 'Die Datenbank antwortet gerade nicht.', en: 'The database does not answer right now.' },
        2,
      ),
    );
  const { code, statusCode } = error as FastifyError;
  const known = FASTIFY_ERRORS[code];
  if (known) return known;
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new HttpError(statusCode, 'anfrage_ungueltig', {
      de: 'Die Anfrage ist ungültig.',
      en: 'The request is not valid.',
    });
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

/** What the domain says about the input, as faults of the request, in the form of Pydantic's `value_error`. */
function toFault(operation: Operation | undefined, fault: ValueFault, language: Language): Fault {
  const loc = [
    placeOf(operation, fault.path[0]),
    ...fault.path.map((step) => (typeof step === 'string' ? shortText(step) : step)),
  ];
  const input = shown(fault.input);
  if ('reason' in fault) {
    const reason = fault.reason[language];
    return { type: 'value_error', loc, msg: `Value error, ${reason}`, input, ctx: { error: reason } };
  }
  if ('type' in fault) {
    const { path: _, ...said } = fault;
    return { ...said, loc, input };
  }
  const expected = expectedText(fault.expected);
  return {
    type: 'literal_error',
    loc,
    msg: `Input should be ${expected}`,
    input,
    ctx: { expected },
  };
}

/** Every fault that the domain tells, and how many there are besides. */
function faultsOf(
  operation: Operation | undefined,
  { faults, more }: InvalidInput,
  language: Language,
): Fault[] {
  const told = faults.map((fault) => toFault(operation, fault, language));
  const [first] = told;
  if (!first || more === 0) return told;
  const msg = { de: `… und ${more} weitere Fehler`, en: `… and ${more} more faults` }[language];
  return [...told, { type: 'more_faults', loc: first.loc.slice(0, 2), msg, ctx: { more } }];
}

/** Answers what fails before a route is found, such as an address with broken percent-encoding: no hook runs for it. */
export const createFrameworkErrorHandler =
  (headers: Record<string, string>) =>
  (_error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    const language = speak(request, reply);
    reply
      .code(400)
      .headers({ ...headers, 'cache-control': 'no-store' })
      .send(
        toBody(
          'adresse_ungueltig',
          { de: 'Die Adresse ist ungültig.', en: 'The address is not valid.' },
          language,
        ),
      );
  };

/** Answers where no operation is: at a path that nobody knows, or with a method that is another one's. */
function notFoundHandler(operations: Operation[]) {
  const methodsAt = createMethodsAt(operations);
  return (request: FastifyRequest, reply: FastifyReply) => {
    const methods = methodsAt(request.url.split('?', 1)[0] as string);
    const language = speak(request, reply);
    if (methods.length === 0) {
      const detail = { de: 'Diesen Pfad gibt es nicht.', en: 'There is no such path.' };
      return reply.code(404).send(toBody('pfad_unbekannt', detail, language));
    }
    const detail = { de: 'Diese Methode gibt es hier nicht.', en: 'There is no such method here.' };
    return reply
      .code(405)
      .header('allow', methods.join(', '))
      .send(toBody('methode_unbekannt', detail, language));
  };
}

/** Sends a refusal; one too many of a Mandant that does not pause is held for a moment. */
function createRefuse() {
  const pause = createRefusalPause();
  return (request: FastifyRequest, reply: FastifyReply, answer: HttpError, language: Language) => {
    const send = () =>
      reply
        .code(answer.status)
        .headers(answer.headers)
        .send(toBody(answer.code, answer.detail, language));
    const mandant = answer.status === STATUS['too-many'] ? request.principal?.mandant : undefined;
    const milliseconds = mandant ? pause.of(mandant) : 0;
    if (milliseconds === 0) return send();
    // Its room is for who sends something.
    request.room?.release();
    request.room = null;
    pause.hold(milliseconds, send);
    return reply;
  };
}

export function registerErrorHandler(
  app: FastifyInstance,
  { log, metrics }: { log: Log; metrics: Metrics },
  operations: Operation[],
): void {
  const byId = new Map(operations.map((operation) => [operation.id, operation]));
  const refuse = createRefuse();
  const notFound = notFoundHandler(operations);
  app.setErrorHandler((error: Error, request: FastifyRequest, reply: FastifyReply) => {
    const { operation } = request.routeOptions.config;
    const language = speak(request, reply);
    // No operation has the method QUERY, and without a content type it is refused before that is looked up.
    if ((error as FastifyError).code === 'FST_ERR_ROUTE_MISSING_CONTENT_TYPE')
      return notFound(request, reply);
    // Nobody reads it; the log tells it from what failed.
    if (error instanceof CallerGone) return reply.code(CLIENT_CLOSED).send();
    // Pydantic's words, which are English.
    if (error instanceof InvalidRequest)
      return reply.code(422).header('content-language', 'en').send({ detail: error.faults });
    if (error instanceof InvalidInput)
      return reply.code(422).send({ detail: faultsOf(byId.get(operation ?? ''), error, language) });
    if (error instanceof UnreadableBody)
      return reply
        .code(400)
        .header('content-language', 'en')
        .send({ detail: 'There was an error parsing the body' });
    const answer = toHttpError(error);
    if (answer) {
      metrics.addRefused(answer.code);
      return refuse(request, reply, answer, language);
    }
    log.error({ err: error, operation, requestId: request.id }, 'unexpected error');
    return reply
      .code(500)
      .send(
        toBody(
          'interner_fehler',
          { de: 'Das hätte nicht passieren dürfen.', en: 'This should not have happened.' },
          language,
        ),
      );
  });
  app.setNotFoundHandler(notFound);
}
