/** A route is an operation with its handler. Routes are declared in the slices and registered here, all in one way. */
import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { BodyOf, HeaderOf, Operation, ParamsOf, QueryOf, ResponseOf } from '#contracts';
import type { KeyPrincipal, SessionPrincipal } from '#platform/principal.ts';
import type { Room } from './admission.ts';
import type { Kind } from './aside/reading.ts';
import type { Bill } from './bill.ts';
import type { BodyReaders } from './readers.ts';

/** What a handler may rely on, by the operation's access. */
type PrincipalOf<O extends Operation> = O['access'] extends { kind: 'session' } | { kind: 'operator' }
  ? SessionPrincipal
  : O['access'] extends { kind: 'key' } | { kind: 'any-key' }
    ? KeyPrincipal
    : null;

/** What a handler gets: everything checked and typed by the operation's schemas. */
export interface Call<O extends Operation, B = BodyOf<O>> {
  params: ParamsOf<O>;
  query: QueryOf<O>;
  header: HeaderOf<O>;
  /** What the route's own readers made of the body, else what its JSON says. */
  body: B;
  principal: PrincipalOf<O>;
  request: FastifyRequest;
  reply: FastifyReply;
}

export interface RouteOptions<B = unknown, G = unknown> {
  /** Largest body, before and after decompression, in bytes; 64 KiB unless given. */
  bodyLimit?: number;
  /**
   * Readers of the media types whose bodies are more to the handler than the JSON that the schema describes. Other types
   * are refused as the schema refuses plain text: it must be one of an object.
   */
  readers?: BodyReaders<B, G>;
  /**
   * Bodies that are large or packed are read in the reading thread, which knows the operation's readers; the handler gets what
   * this makes of what comes from there.
   */
  fromAside?: (read: unknown) => B;
  /** What readers need to know of who sends: plain values, since they go to the thread as well. */
  known?: (sender: KeyPrincipal) => Promise<unknown>;
  /** In which thread; that of batches unless given. */
  aside?: Kind;
  /** A refusal in the form that who asked understands, where that is not JSON; null where it is. `said` is the JSON. */
  refusedAs?: (request: FastifyRequest, status: number, said: string) => Content | null;
  /** HEAD does nothing but check: what GET does here costs much, or has an effect that happens once. */
  idleHead?: boolean;
}

export interface Route {
  operation: Operation;
  options: RouteOptions;
  handle(call: Call<Operation>): Promise<unknown>;
}

/** Binds a handler to its operation. The handler's result is the response body; `Content` where it is not JSON. */
export function route<O extends Operation, B = BodyOf<O>>(
  operation: O,
  handle: (call: Call<O, B>) => Promise<ResponseOf<O> | Content>,
  options: RouteOptions<B, BodyOf<O>> = {},
): Route {
  return { operation, options: options as RouteOptions, handle: handle as unknown as Route['handle'] };
}

type OperatorOperation = Operation & { access: { kind: 'operator' } };

/** Binds a handler to an operation of operators. */
export type OperatorRoute<Owner> = <O extends OperatorOperation>(
  operation: O,
  handle: (call: Call<O>, owner: Owner) => Promise<ResponseOf<O> | Content>,
  options?: Pick<RouteOptions, 'bodyLimit'>,
) => Route;

/** Gives handlers of operators' operations, and of no others, what acts as the owner of the database. */
export const operatorRoutes =
  <Owner>(owner: Owner): OperatorRoute<Owner> =>
  (operation, handle, options) =>
    route(operation, (call) => handle(call, owner), options);

/** An answer in another media type: a page, a file, or a stream of one. */
export class Content {
  readonly type: string;
  readonly body: string | Buffer | Readable;
  readonly headers: Record<string, string>;
  constructor(type: string, body: string | Buffer | Readable, headers: Record<string, string> = {}) {
    this.type = type;
    this.body = body;
    this.headers = headers;
  }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Id of the operation; absent for static files. */
    operation?: string;
    /** Whether programs call it as often as they work: that it succeeded is no line of the log but at level `debug`. */
    isFrequent?: boolean;
  }
  interface FastifyRequest {
    principal: KeyPrincipal | SessionPrincipal | null;
    room: Room | null;
    /** What it costs; null until it is known whose it is. */
    bill: Bill | null;
  }
}
