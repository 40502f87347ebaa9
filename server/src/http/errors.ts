/** Every error becomes one of three bodies: `{detail, code}`, the 422 list of faults, or a bare 500. */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Fault } from '#contracts';
import { AppError, unavailable } from '#kernel/errors.ts';
import { isUnreachable } from '#platform/database/index.ts';
import type { Log } from '#platform/log.ts';

/** Input that only the domain can refuse; answered as 422 with the faults. */
export class InvalidInput extends Error {
  readonly faults: Fault[];

  constructor(faults: Fault[]) {
    super('invalid input');
    this.name = 'InvalidInput';
    this.faults = faults;
  }
}

/** A fault found by a rule of the domain, in the form of Pydantic's `value_error`. */
export const valueError = (loc: (string | number)[], reason: string, input?: unknown): InvalidInput =>
  new InvalidInput([
    { type: 'value_error', loc, msg: `Value error, ${reason}`, input, ctx: { error: reason } },
  ]);

/** The body is not JSON at all, or nested beyond reason; the reference answers it with this sentence. */
export class UnreadableBody extends Error {}

export const tooLarge = (detail = 'Die Anfrage ist zu groß.') => new AppError(413, 'zu_gross', detail);

const FASTIFY_ERRORS: Record<string, AppError> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: new AppError(415, 'inhaltstyp_ungueltig', 'Content-Type ist ungültig.'),
};

function toAppError(error: Error): AppError | null {
  if (error instanceof AppError) return error;
  if (isUnreachable(error)) return unavailable('datenbank_weg', 'Die Datenbank antwortet gerade nicht.', 2);
  const { code, statusCode } = error as FastifyError;
  const known = FASTIFY_ERRORS[code];
  if (known) return known;
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new AppError(statusCode, 'anfrage_ungueltig', 'Die Anfrage ist ungültig.');
  }
  return null;
}

/** What fails before a route is found, such as an address with broken percent-encoding. */
export function answerFrameworkError(
  _error: FastifyError,
  _request: FastifyRequest,
  reply: FastifyReply,
): void {
  reply.code(400).send({ detail: 'Die Adresse ist ungültig.', code: 'adresse_ungueltig' });
}

export function registerErrorHandler(app: FastifyInstance, log: Log): void {
  app.setErrorHandler((error: Error, request: FastifyRequest, reply: FastifyReply) => {
    if (error instanceof InvalidInput) return reply.code(422).send({ detail: error.faults });
    if (error instanceof UnreadableBody)
      return reply.code(400).send({ detail: 'There was an error parsing the body' });
    const answer = toAppError(error);
    if (answer)
      return reply
        .code(answer.status)
        .headers(answer.headers)
        .send({ detail: answer.message, code: answer.code });
    log.error(
      { err: error, operation: request.routeOptions.config.operation, requestId: request.id },
      'unexpected error',
    );
    return reply.code(500).send({ detail: 'Das hätte nicht passieren dürfen.', code: 'interner_fehler' });
  });
  app.setNotFoundHandler((_request, reply) =>
    reply.code(404).send({ detail: 'Diesen Pfad gibt es nicht.', code: 'pfad_unbekannt' }),
  );
}
