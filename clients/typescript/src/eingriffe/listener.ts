import { backoffMs, failedDelivery, retryAfterOf } from '../delivery.ts';
import { KeyedPrints } from '../prints/sim-hash.ts';
import { type Scope, scopesIn } from '../reservierungen/answer.ts';
import { quietSleep } from '../timer.ts';
import { Bell } from './bell.ts';
import { eingriffeIn, printKeyIn } from './eingriff.ts';
import type { Known } from './known.ts';
import type { Get } from './quiet-get.ts';

export interface ListenerOptions {
  baseUrl: string;
  key: string;
  get: Get;
  /** How long the service may keep a request waiting for a change. */
  waitSeconds: number;
  /** How much longer than that an answer may take. */
  requestTimeoutMs: number;
  /** First delay after a failure; it doubles up to half a minute. */
  retryDelayMs: number;
  /** Told which calls have hard limits. */
  onScopes(scopes: Scope[]): void;
}

/** Between two questions at least, however fast things change. */
const SPACING_MS = 500;
/** Before the next question where the service would not wait with its answer: too many wait already. */
const NOT_WAITED_PAUSE_MS = 5_000;

/** What a question led to: `news` a list under another tag, `same` nothing new, `broken_off` by ourselves. */
type Outcome =
  | { kind: 'news' | 'same' | 'broken_off' }
  | { kind: 'failed'; error: string; retryAfterMs: number | null };

const failed = (error: string, retryAfterMs: number | null = null): Outcome => ({
  kind: 'failed',
  error,
  retryAfterMs,
});

/** Keeps what is known up to date by asking again and again, in the background; it never keeps the process alive. */
export class Listener {
  readonly #options: ListenerOptions;
  readonly #known: Known;
  readonly #stop = new AbortController();
  /** Ends the present question, or the pause after it. */
  #again = new AbortController();
  #tag: string | undefined;
  /** A question under way that is answered at once. */
  #asksAfresh = false;
  #listening = false;
  #tried = false;
  readonly #triedBell = new Bell();
  /** On the monotonic clock. */
  #heardAt: number | null = null;
  #lastError: string | null = null;
  #prints: KeyedPrints | null = null;

  constructor(options: ListenerOptions, known: Known) {
    this.#options = options;
    this.#known = known;
  }

  /** Begins to listen, once. */
  start(): void {
    if (this.#listening || this.#stop.signal.aborted) return;
    this.#listening = true;
    void this.#listen();
  }

  /** Resolves once the first question is answered or has failed, at the latest after this many milliseconds. */
  async firstAnswer(ms: number, signal: AbortSignal | undefined): Promise<void> {
    if (!this.#tried && this.#listening) await this.#triedBell.wait(ms, signal);
  }

  /** Asks for the whole list at once: part of it was heard another way, and may be older than what is known. */
  recheck(): void {
    this.#tag = undefined;
    if (this.#listening && !this.#asksAfresh) this.#again.abort();
  }

  /** Milliseconds since the service last said what is in force; null when it never did. */
  silentMs(): number | null {
    return this.#heardAt === null ? null : performance.now() - this.#heardAt;
  }

  /** Why the latest question failed, null while all is well. */
  lastError(): string | null {
    return this.#lastError;
  }

  /** Prints under the key of the Mandant; null until the service has told it. */
  prints(): KeyedPrints | null {
    return this.#prints;
  }

  close(): void {
    this.#stop.abort();
    this.#tried = true;
    this.#triedBell.ring();
  }

  async #listen(): Promise<void> {
    let failures = 0;
    while (!this.#stop.signal.aborted) {
      this.#again = new AbortController();
      const askedAt = performance.now();
      const outcome = await this.#ask();
      failures = outcome.kind === 'failed' ? failures + 1 : 0;
      if (outcome.kind === 'failed') this.#lastError = outcome.error;
      else if (outcome.kind !== 'broken_off') {
        this.#lastError = null;
        this.#heardAt = performance.now();
      }
      this.#tried ||= outcome.kind !== 'broken_off';
      if (this.#tried) this.#triedBell.ring();
      await this.#pause(this.#pauseMs(outcome, performance.now() - askedAt, failures));
    }
  }

  #pauseMs(outcome: Outcome, tookMs: number, failures: number): number {
    if (outcome.kind === 'failed') {
      const { retryAfterMs } = outcome;
      const delay = retryAfterMs ?? this.#options.retryDelayMs * 2 ** (failures - 1);
      return Math.max(backoffMs(delay, retryAfterMs !== null), SPACING_MS);
    }
    if (outcome.kind === 'broken_off') return 0;
    if (outcome.kind === 'same' && tookMs < 1_000) return backoffMs(NOT_WAITED_PAUSE_MS, false);
    return Math.max(SPACING_MS - tookMs, 0);
  }

  async #pause(ms: number): Promise<void> {
    const signal = AbortSignal.any([this.#stop.signal, this.#again.signal]);
    await quietSleep(ms, signal);
  }

  async #ask(): Promise<Outcome> {
    const { baseUrl, key, get, waitSeconds, requestTimeoutMs } = this.#options;
    const known = this.#tag;
    const ours = AbortSignal.any([this.#stop.signal, this.#again.signal]);
    this.#asksAfresh = known === undefined;
    try {
      const response = await get(
        `${baseUrl.replace(/\/+$/, '')}/v1/eingriffe/aktiv?warten=${Math.round(waitSeconds)}`,
        {
          headers: { authorization: `Bearer ${key}`, ...(known !== undefined && { 'if-none-match': known }) },
          signal: AbortSignal.any([ours, AbortSignal.timeout(waitSeconds * 1_000 + requestTimeoutMs)]),
        },
      );
      return await this.#hear(response, known);
    } catch (error) {
      if (ours.aborted) return { kind: 'broken_off' };
      return failed(failedDelivery(error).error ?? String(error));
    } finally {
      this.#asksAfresh = false;
    }
  }

  /** Takes over what an answer says. */
  async #hear(response: Response, known: string | undefined): Promise<Outcome> {
    const { status, headers } = response;
    const body = await response.text();
    if (status === 304 && known !== undefined) return { kind: 'same' };
    const eingriffe = response.ok ? eingriffeIn(body) : null;
    if (eingriffe === null)
      return failed(`HTTP ${status}: ${body.slice(0, 200)}`, retryAfterOf(headers.get('retry-after')));
    this.#known.replace(eingriffe);
    this.#options.onScopes(scopesIn(body));
    const printKey = printKeyIn(body);
    if (printKey !== null) this.#prints ??= new KeyedPrints(printKey);
    this.#tag = headers.get('etag') ?? undefined;
    return { kind: this.#tag !== undefined && this.#tag !== known ? 'news' : 'same' };
  }
}
