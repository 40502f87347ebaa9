/** One request: whose it is and where it goes, whether it may, and then there and back. */
import {
  bodyThatAsks,
  mayBeCall,
  type ObservedExchange,
  type Scope,
  SeenRequest,
} from '#client/transport.ts';
import { type Bodies, fieldsOf, type HeldBody, textOf } from './bodies.ts';
import type { ProxyConfig } from './config.ts';
import { type Request, type Response, requestHeaders } from './headers.ts';
import type { Log } from './log.ts';
import { ForbiddenAddress, type Outgoing } from './outgoing.ts';
import { reasonOf, refusalOf } from './reason.ts';
import { Refusal, STOP, writtenRefusal } from './refusal.ts';
import { Relay, type Sending } from './relay.ts';
import { type Route, routeOf } from './route.ts';
import type { Sender, Senders } from './senders.ts';

export interface Serving {
  config: ProxyConfig;
  senders: Senders;
  outgoing: Outgoing;
  bodies: Bodies;
  log: Log;
}

/** What a request is on its way. */
interface Passing {
  request: Request;
  response: Response;
  route: Route;
  exchange: ObservedExchange;
  isCall: boolean;
  held: HeldBody | null;
}

/** A page in a browser has no business here: it would speak for the person who looks at it. */
function refusePages({ headers }: Request): void {
  if (/^https?:/.test(headers.origin ?? ''))
    throw new Refusal(403, 'fremde_seite', 'requests of web pages are refused');
}

/** Amazon's signatures hold for the host they were made for, and a proxy that signs anew would hold their secret. */
function refuseSigned({ headers }: Request): void {
  if (/^AWS4-/.test(headers.authorization ?? ''))
    throw new Refusal(
      STOP,
      'signatur',
      'requests with a signature of AWS cannot pass, since it holds for one host: use an API key of Bedrock (AWS_BEARER_TOKEN_BEDROCK), which @aws/bedrock-token-generator makes of any credentials',
    );
  if (/websocket/i.test(headers.upgrade ?? ''))
    throw new Refusal(
      STOP,
      'websocket',
      'connections by WebSocket do not pass, since nothing in them is counted: use the HTTP API of the provider, or connect to it directly and send its counts as events',
    );
}

/** Aborted when the caller hangs up. */
function hangUpOf(response: Response): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableEnded) gone.abort(new Error('the caller has hung up'));
  });
  return gone.signal;
}

export class RequestHandler {
  readonly #given: Serving;
  /** Providers that do not know the question for counts. */
  readonly #unwilling = new Set<string>();

  constructor(given: Serving) {
    this.#given = given;
  }

  async serve(request: Request, response: Response): Promise<void> {
    response.on('error', () => undefined);
    request.on('error', () => undefined);
    try {
      refusePages(request);
      refuseSigned(request);
      await this.#pass(request, response);
    } catch (error) {
      this.#refuse(request, response, error);
    }
  }

  async #pass(request: Request, response: Response): Promise<void> {
    const { config, senders, bodies } = this.#given;
    const route = routeOf(request.url ?? '/', request.headers, config.targets);
    const key = route.key ?? config.key;
    if (key === null)
      throw new Refusal(
        401,
        'schluessel_fehlt',
        'neither the request nor the proxy has a key (docs/proxy.md)',
      );
    const sender = senders.of(key);
    const method = request.method ?? 'GET';
    const scope = sender.context.scopeOf(route.attribution);
    const signal = hangUpOf(response);
    if (!mayBeCall(method, route.uri)) {
      const exchange = sender.observer.look(new SeenRequest({ method, uri: route.uri, body: null }), scope);
      return this.#send({ request, response, route, exchange, isCall: false, held: null }, signal);
    }
    const held = await bodies.read(request);
    try {
      const exchange = await enter(sender, scope, await seenBy(request, route, held, signal));
      this.#send({ request, response, route, exchange, isCall: true, held }, signal);
    } catch (error) {
      held.letGo();
      throw error;
    }
  }

  #send(passing: Passing, signal: AbortSignal): void {
    const { route, exchange, held, isCall } = passing;
    const { outgoing, config } = this.#given;
    const sending = this.#sendingOf(passing);
    const options = {
      exchange,
      isCall,
      response: passing.response,
      readOnMs: config.readOnMs,
      reasonOf: (stopped: Parameters<typeof reasonOf>[0]) => reasonOf(stopped, config.cockpitUrl),
      onFailed: (error: Error) =>
        this.#refuse(passing.request, passing.response, this.#failureOf(route, error)),
      onUnwilling: () => {
        this.#unwilling.add(route.target.origin);
        this.#send(passing, signal);
      },
      onOver: () => held?.letGo(),
    };
    const relay = new Relay(options, sending);
    if (signal.aborted) relay.callerGone();
    else signal.addEventListener('abort', () => relay.callerGone(), { once: true });
    const { headers, body } = sending;
    const method = (passing.request.method ?? 'GET') as 'GET';
    outgoing
      .to(route.target)
      .dispatch({ origin: route.target.origin, path: route.path, method, headers, body }, relay);
  }

  /** The bytes as they came; of streams that say their counts only where they are asked, with the question. */
  #sendingOf({ request, route, exchange, held }: Passing): Sending {
    const hasBody = request.headers['content-length'] !== undefined || 'transfer-encoding' in request.headers;
    if (held === null)
      return { headers: requestHeaders(request, []), body: hasBody ? request : null, asksCounts: false };
    const mayAsk = !this.#unwilling.has(route.target.origin) && !route.uri.includes('api.mistral.ai');
    const asking = mayAsk ? bodyThatAsks(exchange.request, true) : null;
    if (asking === null)
      return { headers: requestHeaders(request, ['content-length']), body: held.bytes, asksCounts: false };
    const headers = requestHeaders(request, ['content-length', 'content-encoding', 'accept-encoding']);
    return { headers: [...headers, 'accept-encoding', 'identity'], body: asking, asksCounts: true };
  }

  #failureOf({ target }: Route, error: Error): Refusal {
    const { log } = this.#given;
    const { code = error.name } = error as { code?: string };
    log.warn({ provider: new URL(target.origin).host, code }, 'a provider could not be reached');
    return error instanceof ForbiddenAddress
      ? new Refusal(
          STOP,
          'ziel_verboten',
          `${error.message}; what is meant to be reached is named in PROXY_TARGETS`,
        )
      : new Refusal(502, 'anbieter_nicht_erreicht', `the provider could not be reached: ${code}`);
  }

  #refuse(request: Request, response: Response, error: unknown): void {
    const { config, log } = this.#given;
    if (response.destroyed || response.headersSent) return void response.destroy();
    const refusal =
      refusalOf(error, config.cockpitUrl) ?? new Refusal(502, 'fehler', 'the request failed here');
    if (refusal.code === 'fehler') log.error({ error: String(error) }, 'a request failed');
    const path = (request.url ?? '').replace(/\?.*$/, '');
    const { status, body, headers } = writtenRefusal(path, refusal);
    (response as { writeHead(status: number, headers: object): void }).writeHead(status, headers);
    response.end(JSON.stringify(body));
  }
}

/** Admits a call. Rejects as the guard does, and where the service knows no such key: nothing would be counted. */
async function enter(sender: Sender, scope: Scope, seen: SeenRequest): Promise<ObservedExchange> {
  const exchange = await sender.observer.enter(seen, scope);
  if (!sender.isUnknown()) return exchange;
  exchange.end('aborted');
  throw new Refusal(401, 'schluessel_unbekannt', 'the service does not know the key of the request');
}

async function seenBy(
  { method = 'POST', headers }: Request,
  { uri }: Route,
  { bytes }: HeldBody,
  signal: AbortSignal,
): Promise<SeenRequest> {
  const type = headers['content-type'] ?? '';
  if (/multipart\/form-data/i.test(type))
    return new SeenRequest({ method, uri, body: null, signal, request: await fieldsOf(bytes, type) });
  const body = () => textOf(bytes, headers['content-encoding']);
  return new SeenRequest({ method, uri, body, signal });
}
