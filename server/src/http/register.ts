/** Puts routes into the Fastify app: admission, credentials, body, checks, handler, answer; for every operation alike. */
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest, onSendAsyncHookHandler } from 'fastify';
import type { TSchema } from 'typebox';
import { mayBeKept, mayCostTooMuch, type Operation } from '#contracts';
import type { Clock } from '#kernel/clock.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { Authenticator, KeyPrincipal } from '#platform/principal.ts';
import type { Quota } from '#platform/quota.ts';
import type { Shares } from '#platform/shares.ts';
import { type Admission, createAdmission, type Room } from './admission.ts';
import { bytesIn } from './aside/messages.ts';
import type { Readings } from './aside/reading.ts';
import { type Bill, createBill, WORTH_OF_A_BYTE } from './bill.ts';
import { receiveBody, unpackBody } from './body.ts';
import { compileCheck, type Fault } from './check/index.ts';
import { confirmAnswer, type Keeping, OF_ANY_KEY, OF_ONE, ofAllFor } from './confirmation.ts';
import { authorize } from './credentials.ts';
import { encodeAnswer } from './encoding.ts';
import { InvalidRequest, tooLarge } from './errors.ts';
import { goneSignal, whileConnected } from './hang-up.ts';
import { methodsOfOthers } from './methods.ts';
import { compileQueryCheck, createQueryReader } from './query.ts';
import { compileReadBytes, type ReadBody, type ReadBytes } from './readers.ts';
import { createReportShares, isReport } from './reports.ts';
import { type Call, Content, type Route, type RouteOptions } from './route.ts';
import { createWorkBudget, type WorkBudget } from './work-budget.ts';

const DEFAULT_BODY_LIMIT = 64 * 1024;

export interface RegisterOptions {
  authenticator: Authenticator;
  production: boolean;
  baseUrl: () => string;
  clock: Clock;
  readings: Readings | null;
  quota?: Quota | undefined;
}

declare global {
  interface JSON {
    /** V8 has it, the library types do not yet. */
    rawJSON(text: string): unknown;
  }
}

const PARTS = ['params', 'query', 'header'] as const;
type Part = (typeof PARTS)[number];
const LOC: Record<Part, string> = { params: 'path', query: 'query', header: 'header' };

const NO_BODY: ReadBody<null> = { ok: true, value: null };

/** The bodies of an operation. */
interface Bodies {
  id: string;
  read: ReadBytes;
  options: RouteOptions;
}

/** What reading any body in a thread may cost, in milliseconds of CPU time. */
const WORTH_OF_A_BODY = 0.5;

/** Makes what reads the body of a request that may have one. It throws for what is no body of that kind. */
function createBodyOf(
  {
    id,
    read,
    options: { bodyLimit: limit = DEFAULT_BODY_LIMIT, fromAside, known, aside = 'batches' },
  }: Bodies,
  { readings, clock }: RegisterOptions,
  budget: WorkBudget,
) {
  const reading = readings?.[aside];
  return async ({ raw: message, headers, principal, bill }: FastifyRequest, room: Room) => {
    const resizeRoom = (bytes: number) => room.resizeTo(bytes);
    const raw = await receiveBody(message, limit, resizeRoom);
    const circumstances = {
      header: headers,
      receivedAt: clock.now(),
      known: (await known?.(principal as KeyPrincipal)) ?? null,
    };
    const sentWorth = WORTH_OF_A_BYTE * raw.length;
    bill?.isWorth(sentWorth);
    if (!reading || !fromAside || !reading.takes(raw, headers)) {
      const body = read(await unpackBody(raw, headers['content-encoding'], limit, resizeRoom), circumstances);
      if (body.ok) bill?.isWorth(Math.max(sentWorth, body.worth ?? 0));
      return body;
    }
    const body = await reading.read({
      ...circumstances,
      operation: id,
      holder: principal?.mandant ?? null,
      raw,
      mayGoOn: () => budget.check(principal),
      onCost: (cost, worth) => budget.book(principal, cost, WORTH_OF_A_BODY + Math.max(worth, sentWorth)),
    });
    if (!body.ok) return body;
    // What came of it takes room in its place: of a few packed bytes it can be more.
    resizeRoom(bytesIn(body.value));
    return { ...body, value: fromAside(body.value) };
  };
}

/** Compiles the checks of an operation once; the result checks one request and collects the faults of all parts. */
function compileRequestCheck(operation: Operation) {
  const compile = (schema: TSchema | undefined) => (schema ? compileCheck(schema) : null);
  const checks = {
    params: compile(operation.params),
    query: operation.query ? compileQueryCheck(operation.query) : null,
    header: compile(operation.header),
  };
  return (values: Record<Part, unknown>, body: ReadBody<unknown>): Record<Part | 'body', unknown> => {
    const checked: Record<Part | 'body', unknown> = { params: {}, query: {}, header: {}, body: null };
    const faults: Fault[] = [];
    for (const part of PARTS) {
      const result = checks[part]?.(values[part], [LOC[part]], { missingInput: 'null' });
      if (result?.ok) checked[part] = result.value;
      else if (result) faults.push(...result.faults);
    }
    if (body.ok) checked.body = body.value;
    else faults.push(...body.faults);
    if (faults.length > 0) throw new InvalidRequest(faults);
    return checked;
  };
}

const withWhole = (_key: string, item: unknown) =>
  typeof item === 'bigint' ? JSON.rawJSON(item.toString()) : item;

/** Sums beyond 2^53 are BigInt (kernel/count.ts); JSON has no such limit. Few answers have any, and to look for them takes twice as long. */
function toJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof TypeError) return JSON.stringify(value, withWhole);
    throw error;
  }
}

function send(reply: FastifyReply, status: number, result: unknown): FastifyReply {
  // A handler may have set another status (503 of the health check).
  reply.code(reply.statusCode === 200 ? status : reply.statusCode);
  if (result instanceof Content) return reply.type(result.type).headers(result.headers).send(result.body);
  return reply.type('application/json; charset=utf-8').send(toJson(result));
}

function keepingOf({ access, keptByAll }: Operation): Keeping {
  if (keptByAll !== undefined) return ofAllFor(keptByAll);
  return access.kind === 'any-key' ? OF_ANY_KEY : OF_ONE;
}

/** Puts refusals in the form of who asked. */
const refuseIn =
  (form: NonNullable<Route['options']['refusedAs']>): onSendAsyncHookHandler =>
  async (request, reply, payload) => {
    const isRefusal = reply.statusCode >= 400 && typeof payload === 'string';
    const content = isRefusal ? form(request, reply.statusCode, payload) : null;
    if (content === null) return payload;
    reply.removeHeader('content-length').type(content.type);
    return content.body;
  };

/** What is done to answers on their way out. Only to what is read: what changes something shows secrets, and must be quick. */
function hooksOnSend({ operation, options: { refusedAs } }: Route): onSendAsyncHookHandler[] {
  if (refusedAs) return [refuseIn(refusedAs)];
  if (operation.method !== 'GET') return [];
  return mayBeKept(operation) ? [confirmAnswer(keepingOf(operation)), encodeAnswer] : [encodeAnswer];
}

/**
 * Counts what comes with a key; throws 429. Left out is what needs no scope: whether the key works, and which interventions are in force,
 * which a sender of too much must know most of all.
 */
function admitByQuota(
  { access }: Operation,
  { principal, headers }: FastifyRequest,
  quota: Quota | undefined,
): void {
  if (access.kind !== 'key' || principal?.kind !== 'key') return;
  const length = headers['content-length'];
  quota?.admit(principal, access.scope, length === undefined ? null : Number(length));
}

/** What a program sends with its calls, and what it asks before them. */
const isFrequent = ({ access }: Operation): boolean =>
  access.kind === 'any-key' || (access.kind === 'key' && access.scope === 'Senden');

/** An answer to HEAD where nothing was made: of unknown length. */
const unmade = ({ media }: Operation): Content =>
  new Content(media?.[0] ?? 'application/json; charset=utf-8', Readable.from([]));

/** What makes an answer; a report when its turn comes. */
const workOf =
  ({ operation, handle }: Route, reports: Shares<MandantId>) =>
  (call: Call<Operation>, { principal }: FastifyRequest): unknown => {
    if (!isReport(operation)) return handle(call);
    // Until its turn comes nothing has begun: a change, too, is waited for only as long as somebody wants it.
    const asking = { signal: goneSignal(call.reply) };
    return reports.inTurn(principal?.mandant ?? null, async () => handle(call), asking);
  };

function registerOne(
  app: FastifyInstance,
  entry: Route,
  options: RegisterOptions,
  admission: Admission,
  budget: WorkBudget,
  reports: Shares<MandantId>,
): void {
  const { operation } = entry;
  const work = workOf(entry, reports);
  const { bodyLimit: limit = DEFAULT_BODY_LIMIT, readers = {} } = entry.options;
  const check = compileRequestCheck(operation);
  const queryOf = createQueryReader(operation.query);
  const read = compileReadBytes(operation.body, readers);
  const bodyOf = read && createBodyOf({ id: operation.id, read, options: entry.options }, options, budget);

  // Apart from the handler, so that nothing but the call holds the body while the handler waits.
  const callOf = async (request: FastifyRequest, reply: FastifyReply, room: Room | null) => {
    const body = room && bodyOf ? await bodyOf(request, room) : NO_BODY;
    const values = { params: request.params, query: queryOf(request.query), header: request.headers };
    const call = { ...check(values, body), principal: request.principal, request, reply };
    return call as unknown as Call<Operation>;
  };

  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    // From here on the body is in memory until the work is done, whether or not its sender waits for that.
    const { room, bill } = request;
    request.room = null;
    try {
      const call = await callOf(request, reply, room);
      const idle = request.method === 'HEAD' && entry.options.idleHead;
      const made = idle
        ? unmade(operation)
        : await whileConnected(operation, reply, async () => work(call, request));
      return send(reply, operation.status ?? 200, made);
    } finally {
      room?.release();
      bill?.settle();
    }
  };

  app.route({
    method: operation.method,
    url: operation.path.replace(/\{(\w+)\}/g, ':$1'),
    config: { operation: operation.id, isFrequent: isFrequent(operation) },
    onSend: hooksOnSend(entry),
    onRequest: async (request) => {
      if (Number(request.headers['content-length']) > limit) throw tooLarge();
      const room = read ? admission.admit() : null;
      request.room = room;
      request.principal = await authorize(request, operation, options.authenticator, options);
      room?.assignTo(request.principal?.mandant ?? null);
      admitByQuota(operation, request, options.quota);
      if (mayCostTooMuch(operation)) budget.check(request.principal);
      request.bill = createBill(operation, budget, request.principal);
    },
    // By a callback, so that all that follows is counted: the handler, the answer, a refusal.
    preHandler: (request, _reply, done) => (request.bill as Bill).add(done),
    handler: answer,
  });
}

/** Registers all routes. */
export function registerRoutes(app: FastifyInstance, routes: Route[], options: RegisterOptions): void {
  const admission = createAdmission();
  const budget = createWorkBudget();
  const reports = createReportShares();
  app.decorateRequest('principal', null);
  app.decorateRequest('room', null);
  app.decorateRequest('bill', null);
  app.addHook('onResponse', async (request) => {
    request.room?.release();
    // The last stretch of the handler, and what was made of the answer on its way out.
    request.bill?.settle();
  });
  // A sender that hangs up before its turn gets no response, but its room must be given back all the same.
  app.addHook('onRequestAbort', async (request) => request.room?.release());
  for (const entry of routes) registerOne(app, entry, options, admission, budget, reports);
  for (const { method, url } of methodsOfOthers(routes.map(({ operation }) => operation)))
    app.route({ method, url, handler: (_, reply) => reply.callNotFound() });
}
