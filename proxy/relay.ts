/** One answer on its way from the provider to the caller: the same bytes at the same time, read along beside. */
import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import {
  CountsOut,
  type End,
  isStream,
  lastBytes,
  type ObservedExchange,
  type Reason,
  TELLING_HEADERS,
} from '#client/transport.ts';
import { answerHeaders, type Response, writeHead } from './headers.ts';
import { type Tap, tapOf } from './unpacking.ts';

type Controller = Dispatcher.DispatchController;
type Headers = Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>[2];

/** Of an answer that nobody waits for so much is read on. */
const READ_ON_BYTES = 1_048_576;
/** A refusal that may be about what we asked for besides is looked at first, up to this many bytes. */
const REFUSAL_BYTES = 65_536;

/** What is sent, and how. */
export interface Sending {
  headers: string[];
  body: Buffer | string | Readable | null;
  /** Whether counts are asked for on the caller's behalf, and taken out again. */
  asksCounts: boolean;
}

export interface RelayOptions {
  exchange: ObservedExchange;
  response: Response;
  isCall: boolean;
  readOnMs: number;
  /** How callers get to know what stops them. */
  reasonOf(stopped: NonNullable<ReturnType<ObservedExchange['stoppedBy']>>): Reason;
  /** The connection failed before there was an answer. */
  onFailed(error: Error): void;
  /** The provider does not know the question for counts. */
  onUnwilling(): void;
  onOver(): void;
}

class Gone extends Error {}

const one = (value: string | string[] | undefined): string => (Array.isArray(value) ? value[0] : value) ?? '';

export class Relay implements Dispatcher.DispatchHandler {
  readonly #given: RelayOptions;
  readonly #asksCounts: boolean;
  #controller: Controller | null = null;
  #counts: CountsOut | null = null;
  #tap: Tap | null = null;
  #isPacked = false;
  #isStopped = false;
  #isCallerGone = false;
  #isSent = false;
  #isAnswered = false;
  #isOver = false;
  #readOnBytes = 0;
  #readOnTimer: NodeJS.Timeout | undefined;
  /** A refusal that is looked at, and how it begins. */
  #refusal: { pieces: Buffer[]; bytes: number; begin(): void } | null = null;

  constructor(given: RelayOptions, { asksCounts }: Pick<Sending, 'asksCounts'>) {
    this.#given = given;
    this.#asksCounts = asksCounts;
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    if (this.#isCallerGone) controller.abort(new Gone());
  }

  onRequestSent(): void {
    this.#isSent = true;
  }

  onResponseStart(controller: Controller, status: number, headers: Headers, message?: string): void {
    if (status < 200) return;
    const begin = () => this.#begin(controller, status, headers, message ?? '');
    const mayBeOurs = this.#asksCounts && (status === 400 || status === 422);
    if (mayBeOurs) this.#refusal = { pieces: [], bytes: 0, begin };
    else begin();
  }

  onResponseData(controller: Controller, piece: Buffer): void {
    if (this.#refusal === null) {
      this.#pass(controller, piece);
      return;
    }
    this.#refusal.pieces.push(piece);
    this.#refusal.bytes += piece.length;
    if (this.#refusal.bytes > REFUSAL_BYTES) this.#passRefusal(controller);
  }

  onResponseEnd(controller: Controller, trailers: Headers): void {
    const text = Buffer.concat(this.#refusal?.pieces ?? []).toString('utf8');
    if (text.includes('stream_options')) {
      clearTimeout(this.#readOnTimer);
      this.#isOver = true;
      this.#given.onUnwilling();
      return;
    }
    this.#passRefusal(controller);
    const { response } = this.#given;
    const rest = this.#counts?.rest() ?? null;
    if (!this.#isCallerGone) {
      if (rest !== null) this.#write(rest);
      if (Object.keys(trailers).length > 0) response.addTrailers(trailers as Record<string, string>);
      response.end();
    }
    this.#end('complete');
  }

  onResponseError(_controller: Controller, error: Error): void {
    if (this.#isOver) return;
    if (!this.#isCallerGone) {
      if (this.#isAnswered) this.#given.response.destroy();
      else this.#given.onFailed(error);
    }
    this.#end(this.#isCallerGone ? 'aborted' : 'broken');
  }

  /** The caller hangs up: of a call the answer is read on within bounds, since its counts come last. */
  callerGone(): void {
    if (this.#isOver || this.#isCallerGone) return;
    this.#isCallerGone = true;
    if (!this.#given.isCall || !this.#isSent) {
      this.#controller?.abort(new Gone());
      return;
    }
    if (this.#controller?.paused) this.#controller.resume();
    this.#readOnTimer = setTimeout(() => this.#controller?.abort(new Gone()), this.#given.readOnMs);
  }

  #begin(controller: Controller, status: number, headers: Headers, message: string): void {
    const { exchange, response } = this.#given;
    const encoding = one(headers['content-encoding']).toLowerCase();
    const contentType = one(headers['content-type']);
    this.#isAnswered = true;
    this.#isPacked = encoding !== '' && encoding !== 'identity';
    const told = TELLING_HEADERS.map((name) => [name, one(headers[name])] as const);
    exchange.answered(status, Object.fromEntries(told.filter(([, value]) => value !== '')));
    this.#tap = tapOf(encoding, (piece) => exchange.take(piece));
    if (this.#asksCounts && isStream(contentType) && !this.#isPacked) this.#counts = new CountsOut();
    if (this.#isCallerGone) return;
    const without = this.#counts === null ? [] : ['content-length'];
    writeHead(response, status, message, answerHeaders(rawOf(controller, headers), without));
    // What a stream begins with may come long after its head.
    if (isStream(contentType) && 'flushHeaders' in response) setImmediate(() => response.flushHeaders());
  }

  #pass(controller: Controller, piece: Buffer): void {
    if (this.#isStopped) return;
    const stopped = isStream(this.#given.exchange.contentType) ? this.#given.exchange.stoppedBy() : null;
    if (stopped !== null) {
      this.#stop(controller, this.#given.reasonOf(stopped));
      return;
    }
    this.#tap?.take(piece);
    const passed = this.#counts === null ? piece : this.#counts.pass(piece);
    if (!this.#isCallerGone) {
      if (passed !== null) this.#write(passed);
      return;
    }
    this.#readOnBytes += piece.length;
    if (this.#readOnBytes > READ_ON_BYTES) controller.abort(new Gone());
  }

  #write(bytes: Uint8Array): void {
    const { response } = this.#given;
    // Both kinds of answers have this function, but TypeScript finds no common signature.
    const wantsMore = (response as { write(bytes: Uint8Array): boolean }).write(bytes);
    if (wantsMore || this.#controller?.paused) return;
    this.#controller?.pause();
    response.once('drain', () => this.#controller?.resume());
  }

  #passRefusal(controller: Controller): void {
    const refusal = this.#refusal;
    this.#refusal = null;
    refusal?.begin();
    for (const piece of refusal?.pieces ?? []) this.#pass(controller, piece);
  }

  /** A packed stream has no place for further words: its connection is cut, which no client takes for its end. */
  #stop(controller: Controller, reason: Reason): void {
    const { exchange, response } = this.#given;
    this.#isStopped = true;
    if (!this.#isCallerGone) {
      if (this.#isPacked) response.destroy();
      else response.end(lastBytes(exchange.contentType, exchange.request.uri, reason));
    }
    this.#end('stopped');
    controller.abort(new Gone());
  }

  #end(how: End): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#readOnTimer);
    const { exchange, isCall, onOver } = this.#given;
    // Given up before there was an answer, a call may have cost something all the same: it is estimated.
    const isGuess = how === 'aborted' && !this.#isAnswered && this.#isSent && isCall;
    if (isGuess) exchange.answered(200, {});
    const told = isGuess ? 'broken' : how;
    const count = () =>
      setImmediate(() => {
        exchange.end(told);
        onOver();
      });
    if (this.#tap === null) count();
    else this.#tap.end(count);
  }
}

/** As they were written, where undici says it. */
function rawOf({ rawHeaders }: Controller, headers: Headers): (string | Buffer)[] {
  if (Array.isArray(rawHeaders)) return rawHeaders as (string | Buffer)[];
  return Object.entries(headers).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value ?? '']).flatMap((each) => [name, each]),
  );
}
