/** A route is an operation with its handler. Routes are declared in the slices and registered here, all in one way. */
import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { BodyOf, HeaderOf, Operation, ParamsOf, QueryOf, ResponseOf } from '#contracts';
import type { KeyPrincipal, SessionPrincipal } from '#platform/principal.ts';
import type { Room } from './admission.ts';
import type { BodyScan, ParsedBody } from './body.ts';

/** What a handler may rely on, by the operation's access. */
type PrincipalOf<O extends Operation> = O['access'] extends { kind: 'session' }
  ? SessionPrincipal
  : O['access'] extends { kind: 'key' } | { kind: 'any-key' }
    ? KeyPrincipal
    : null;

/** What a handler gets: everything checked and typed by the operation's schemas. */
export interface Call<O extends Operation, S = never> {
  params: ParamsOf<O>;
  query: QueryOf<O>;
  header: HeaderOf<O>;
  body: BodyOf<O>;
  principal: PrincipalOf<O>;
  /** What the route's `scan` made of the body; then there is no `body`. Null when it left the body to the general way. */
  scanned: S | null;
  /** The body's bytes, for operations that store or hash them. */
  raw: ParsedBody;
  request: FastifyRequest;
  reply: FastifyReply;
  /**
   * Lets go of `body` and `raw`: large ones that stay while the handler waits for the database survive garbage collections
   * for nothing.
   */
  releaseBody(): void;
}

export interface RouteOptions<S = never> {
  /** Largest body, before and after decompression, in bytes; 64 KiB unless given. */
  bodyLimit?: number;
  /** Reads usual bodies from their bytes, where objects for all their values would cost too much. */
  scan?: BodyScan<S>;
  /** HEAD does nothing but check: what GET does here costs much, or has an effect that happens once. */
  idleHead?: boolean;
}

export interface Route {
  operation: Operation;
  options: RouteOptions<unknown>;
  handle(call: Call<Operation>): Promise<unknown>;
}

/** Binds a handler to its operation. The handler's result is the response body; `Content` where it is not JSON. */
export function route<O extends Operation, S = never>(
  operation: O,
  handle: (call: Call<O, S>) => Promise<ResponseOf<O> | Content>,
  options: RouteOptions<S> = {},
): Route {
  return { operation, options, handle: handle as unknown as Route['handle'] };
}

/** An answer that is JSON text already (a stored answer must be repeated to the byte). */
export class JsonText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

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
  }
  interface FastifyRequest {
    principal: KeyPrincipal | SessionPrincipal | null;
    room: Room | null;
  }
}
