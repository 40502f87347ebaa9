import { builtin } from '../../builtin.ts';
import { at, text } from '../../json.ts';
import type { End, ObservedExchange, Observer } from '../observer.ts';
import { endingOf, passingStream } from '../passing-stream.ts';
import { bodyText, SeenRequest } from '../seen-request.ts';
import { asObject, has, type Inside, isObject, type Library, type Method } from './library.ts';

/** As Amazon's clients hand requests to their transport. */
interface AwsRequest {
  method: string;
  protocol?: string;
  hostname: string;
  port?: number;
  path: string;
  body?: unknown;
}

interface AwsResponse {
  statusCode: number;
  headers: Record<string, string>;
  body?: unknown;
}

function seen(request: AwsRequest, signal: unknown): SeenRequest {
  const port = request.port === undefined ? '' : `:${request.port}`;
  return new SeenRequest({
    method: request.method,
    uri: `${request.protocol ?? 'https:'}//${request.hostname}${port}${request.path}`,
    body: bodyText(request.body),
    signal: signal instanceof AbortSignal ? signal : undefined,
  });
}

/** HTTP/2 ends a body that was broken off as any other, and says so beside. */
function endOf(body: NodeJS.ReadableStream, { request }: ObservedExchange, otherwise: End = 'complete'): End {
  if (request.signal?.aborted) return 'aborted';
  const { aborted, errored } = body as { aborted?: boolean; errored?: unknown };
  return aborted || errored ? 'broken' : otherwise;
}

/** A body of Node's kind with its copy going to the exchange. */
function passingNode(body: NodeJS.ReadableStream, exchange: ObservedExchange): unknown {
  const streams = builtin('node:stream');
  if (streams === undefined) return body;
  const tap = new streams.Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      const ending = endingOf(exchange);
      if (ending === null) {
        exchange.take(chunk);
        return done(null, chunk);
      }
      exchange.end('stopped');
      if (ending instanceof Uint8Array) {
        this.push(ending);
        this.push(null);
      }
      done(ending instanceof Uint8Array ? null : ending);
    },
    flush(done) {
      exchange.end(endOf(body, exchange));
      done();
    },
  });
  // A reader that stops closes it before its end.
  streams.pipeline(body, tap, () => exchange.end(endOf(body, exchange, 'aborted')));
  return tap;
}

function passed(response: AwsResponse, exchange: ObservedExchange): void {
  const { body } = response;
  exchange.answered(response.statusCode, response.headers);
  if (body instanceof ReadableStream) response.body = passingStream(body, exchange);
  else if (isObject(body) && has(body, 'pipe', 'on'))
    response.body = passingNode(body as unknown as NodeJS.ReadableStream, exchange);
  else {
    if (body instanceof Uint8Array) exchange.take(body);
    exchange.end('complete');
  }
}

/** The transport with its exchanges observed: each attempt is one. */
function observedHandler(handler: Inside, observer: Observer): Inside {
  const handle = (handler.handle as Method).bind(handler);
  return Object.create(handler, {
    handle: {
      async value(request: AwsRequest, options: unknown) {
        const asked = seen(request, at(options, 'abortSignal'));
        const exchange = observer.begin(asked, await observer.admissionOf(asked));
        if (exchange === null) return handle(request, options);
        const work = async () => handle(request, options);
        const output = await observer.within({ kind: 'exchange', seen: true }, work).catch((error) => {
          exchange.end('broken');
          throw error;
        });
        try {
          passed((output as { response: AwsResponse }).response, exchange);
        } catch {
          // The caller gets what came.
        }
        return output;
      },
    },
  }) as Inside;
}

/** Runs once for a command, before its attempts; what it throws is the caller's. */
const guarding = (observer: Observer) => (next: Method, context: unknown) => async (args: unknown) => {
  const command = text(at(context, 'commandName')) ?? '';
  if (/^(Converse|Invoke)/.test(command))
    await observer.admit(asObject(text(at(args, 'input', 'modelId')), at(args, 'input')));
  return next(args);
};

/** `@aws-sdk/client-bedrock-runtime`: its middleware asks the guard, its transport shows the exchanges. */
export const bedrock: Library = {
  name: '@aws-sdk/client-bedrock-runtime',
  matches: ({ config, middlewareStack }) =>
    has(middlewareStack, 'add') && isObject(config) && has(config.requestHandler, 'handle'),
  connect({ config, middlewareStack }, observer) {
    const settings = config as Inside;
    settings.requestHandler = observedHandler(settings.requestHandler as Inside, observer);
    const stack = middlewareStack as Record<string, Method>;
    stack.add?.(guarding(observer), { step: 'initialize', name: 'zaehlwerk', override: true });
  },
};
