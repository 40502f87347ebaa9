/**
 * Every answer a test gets, against what the contract declares: a wrong or undeclared one fails the test (`hold-answers.ts`).
 * The service looks at its answers with `watchAnswers`, a caller from outside with `checkAnswer`.
 */
import type { FastifyInstance } from 'fastify';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import {
  everyOperation,
  Fehler,
  HTTPValidationError,
  mayBeInvalid,
  mayBeKept,
  type Node,
  type Operation,
  type RefusalStatus,
  refusalsOf,
} from '#contracts';
// Knows the formats of the contract to TypeBox.
import '#http/check/index.ts';
import { addFault, answered } from './answered.ts';

export interface Answered {
  method: string;
  status: number;
  contentType: string | undefined;
  /** Null where the body is not read, such as that of a stream. */
  body: string | null;
}

/** The schema without room for fields it does not name. */
function closed(schema: TSchema): TSchema {
  const { properties, items, anyOf } = schema as Node;
  const fields = Object.entries(properties ?? {}).map(([name, field]) => [name, closed(field)]);
  return {
    ...schema,
    ...(properties && { properties: Object.fromEntries(fields), additionalProperties: false }),
    ...(items && { items: closed(items) }),
    ...(anyOf && { anyOf: anyOf.map(closed) }),
  };
}

const compiled = new Map<TSchema, ReturnType<typeof Compile>>();
function check(schema: TSchema) {
  const known = compiled.get(schema) ?? Compile(closed(schema));
  compiled.set(schema, known);
  return known;
}

/** What is wrong with a body in JSON; null when it is as declared. */
function faultOf(schema: TSchema, body: string): string | null {
  const value: unknown = JSON.parse(body);
  const validator = check(schema);
  if (validator.Check(value)) return null;
  const [first] = validator.Errors(value);
  return `${first?.instancePath} ${first?.message}: ${body.slice(0, 500)}`;
}

const isJson = (contentType: string | undefined) => contentType?.startsWith('application/json') ?? false;

/** The reference's sentence for a body that is no JSON; the only error without a code. */
const UNREADABLE = JSON.stringify({ detail: 'There was an error parsing the body' });

/** Why an operation may not refuse like this; null where it declares status and code. */
function undeclared(operation: Operation, status: number, code: unknown): string | null {
  if (status === 422) return mayBeInvalid(operation) ? null : 'an undeclared status';
  const codes: string[] | undefined = refusalsOf(operation).get(status as RefusalStatus);
  if (!codes) return 'an undeclared status';
  return code === undefined || codes.includes(String(code)) ? null : `an undeclared code: ${code}`;
}

/** `operation` undefined, or with a method the path does not have: refused by the kit. */
function faultOfError(
  operation: Operation | undefined,
  { status, contentType, body }: Answered,
): string | null {
  if (!isJson(contentType)) return `an error as ${contentType}`;
  const { code } = (body === null ? {} : JSON.parse(body)) as { code?: unknown };
  const surprise = operation ? undeclared(operation, status, code) : null;
  if (surprise !== null) return surprise;
  if (body === null || body === UNREADABLE) return null;
  if (status === 422) return faultOf(HTTPValidationError, body);
  return faultOf(Fehler, body) ?? (code === undefined ? `an error without a code: ${body}` : null);
}

/** Neither read by who asked nor held against the contract: who has hung up is answered only in the log. */
const isUnread = ({ method, status }: Answered) => method === 'HEAD' || status === 499;

/** Whether an answer with a status that is also that of a success is a refusal: only those have a code. */
const isRefusal = ({ status, contentType, body }: Answered) =>
  status >= 400 && body !== null && isJson(contentType) && 'code' in JSON.parse(body);

const isOwnStatus = (operation: Operation, status: number) =>
  [operation.status ?? 200, operation.alsoStatus].includes(status);

/** What is wrong with a success. */
function faultOfSuccess(operation: Operation, { contentType, body }: Answered): string | null {
  const type = contentType?.split(';')[0] ?? '';
  if (!(operation.media ?? ['application/json']).includes(type)) return `undeclared: ${contentType}`;
  return isJson(contentType) && body !== null ? faultOf(operation.response, body) : null;
}

/** What an operation (undefined: none of the contract) must not answer; null when all is as declared. */
export function faultOfAnswer(operation: Operation | undefined, answer: Answered): string | null {
  const { status } = answer;
  if (isUnread(answer)) return null;
  if (status === 304) return operation && mayBeKept(operation) ? null : 'an undeclared status';
  if (operation?.emptyStatus === status) return answer.body ? `a body: ${answer.body}` : null;
  if (operation && isOwnStatus(operation, status) && !isRefusal(answer))
    return faultOfSuccess(operation, answer);
  if (status >= 400) return faultOfError(operation, answer);
  return operation ? 'an undeclared status' : null;
}

const declared: readonly Operation[] = Object.values(everyOperation);

const patterns = declared.map(
  (operation) => [operation, new RegExp(`^${operation.path.replace(/\{\w+\}/g, '[^/]+')}$`)] as const,
);

/** The operation of a path; where one is written out and another has a parameter, the one written out. */
const operationAt = (method: string, path: string): Operation | undefined =>
  patterns
    .filter(([operation, pattern]) => operation.method === method && pattern.test(path))
    .map(([operation]) => operation)
    .sort((a, b) => Number(a.path.includes('{')) - Number(b.path.includes('{')))[0];

function take(operation: Operation | undefined, answer: Answered, path: string): void {
  if (operation) answered.add(operation.id);
  const fault = faultOfAnswer(operation, answer);
  if (fault !== null) addFault(`${answer.method} ${path} answered ${answer.status}: ${fault}`);
}

/** An answer as it came from a path of the service. */
export function checkAnswer(url: string, answer: Answered): void {
  const path = new URL(url).pathname;
  const operation = operationAt(answer.method, path);
  if (operation || path.startsWith('/v1/')) take(operation, answer, path);
}

/** Looks at everything the app answers under `/v1/`, and whatever else is an operation; before the app is ready. */
export function watchAnswers(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    // Named by `http/route`, which tests of pages do not read.
    const { operation: id } = request.routeOptions.config as { operation?: string };
    const operation = declared.find((each) => each.id === id);
    if (!operation && !request.url.startsWith('/v1/')) return;
    const answer = {
      method: request.method,
      status: reply.statusCode,
      contentType: reply.getHeader('content-type') as string | undefined,
      body: typeof payload === 'string' ? payload : null,
    };
    take(operation, answer, request.url.split('?', 1)[0] as string);
  });
}
