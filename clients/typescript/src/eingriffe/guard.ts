import type { KeyedPrints } from '../prints/sim-hash.ts';
import {
  type Post,
  RESERVATION_DEFAULTS,
  type ReservationOptions,
  Reservations,
} from '../reservierungen/reservations.ts';
import { type Reserver, reserverOf, Unreserved } from '../reservierungen/reserver.ts';
import { decide, isOver, type Vorhaben } from './decide.ts';
import type { Eingriff } from './eingriff.ts';
import { InterventionsUnknown, StoppedByIntervention } from './errors.ts';
import { Known } from './known.ts';
import { Listener, type ListenerOptions } from './listener.ts';
import { Pace } from './pace.ts';
import { Runs } from './runs.ts';

/** How calls are guarded; times are milliseconds. */
export interface GuardOptions extends ReservationOptions {
  /**
   * What holds while the service cannot be reached. `open`: what was last known, and where nothing was, every call may be made.
   * `closed`: no call may be made unless the service was heard within `maxSilenceMs`.
   */
  failure: 'open' | 'closed';
  maxSilenceMs: number;
  /** How long the first call of the process waits at most for the first answer of the service. */
  firstAnswerMs: number;
  /** While something is slowed down (`drosseln`), one call about it in this time, and in this process. */
  throttleMs: number;
  /** No call is kept waiting for longer than this: slow is not stopped. */
  maxThrottleMs: number;
  /** Seconds the service may keep a question waiting for something to change, at most 60. */
  waitSeconds: number;
}

export const GUARD_DEFAULTS: GuardOptions = {
  ...RESERVATION_DEFAULTS,
  failure: 'open',
  maxSilenceMs: 120_000,
  firstAnswerMs: 2_000,
  throttleMs: 5_000,
  maxThrottleMs: 60_000,
  waitSeconds: 25,
};

export interface Ask {
  /** Ends the waiting of a call that is slowed down; the guard rejects with its reason. */
  signal?: AbortSignal;
  /** When the run began, where another process began it; else it began with the first call that was asked for here. */
  laufBeginn?: Date;
}

/** What is known of interventions. */
export interface GuardState {
  /** In force as far as known, in the order of the service. */
  eingriffe: Eingriff[];
  /** Milliseconds since the service last said what is in force; null when it never did. */
  silentMs: number | null;
  /** Why the latest question failed, null while all is well. */
  lastError: string | null;
}

/** Knows what is in force, and lets calls pass or not. */
export class Guard {
  readonly #options: GuardOptions;
  readonly #known = new Known((eingriffe) => this.#pace.keepOnly(eingriffe));
  readonly #runs = new Runs();
  readonly #pace: Pace;
  readonly #listener: Listener;
  readonly #reservations: Reservations;
  /** Money for wrapped calls. */
  readonly reserver: Reserver;

  constructor(
    options: GuardOptions,
    connection: Omit<ListenerOptions, 'waitSeconds' | 'onScopes'>,
    post: Post,
  ) {
    this.#options = options;
    this.#pace = new Pace(options.throttleMs);
    const unreserved = new Unreserved(options.unreservedCalls);
    this.#reservations = new Reservations(options, unreserved.watching(post));
    this.reserver = reserverOf(this.#reservations, options.failure, unreserved);
    this.#listener = new Listener(
      {
        ...connection,
        waitSeconds: options.waitSeconds,
        onScopes: (scopes) => this.#reservations.learn(scopes),
      },
      this.#known,
    );
  }

  /**
   * Resolves when the call may be made. Rejects with `StoppedByIntervention` when it must not, with `InterventionsUnknown` when
   * nobody knows and `failure` is `closed`, with the reason of the signal when that is aborted.
   */
  async pass(call: Vorhaben, { signal, laufBeginn }: Ask): Promise<void> {
    signal?.throwIfAborted();
    const run = this.#runs.see(call, laufBeginn?.getTime() ?? null, Date.now());
    this.#listener.start();
    await this.#listener.firstAnswer(this.#options.firstAnswerMs, signal);
    const latest = performance.now() + this.#options.maxThrottleMs;
    for (;;) {
      this.#requireKnowledge();
      const now = performance.now();
      const { forbids, slow } = decide(this.#known.all(), call, run, Date.now());
      if (forbids) throw new StoppedByIntervention(forbids);
      const waitMs = slow.length === 0 ? 0 : Math.min(this.#pace.readyAt(slow, now), latest) - now;
      if (waitMs <= 0) {
        this.#pace.take(slow, now);
        return;
      }
      const ends = slow.flatMap(({ bis }) => (bis === null ? [] : Date.parse(bis) - Date.now()));
      await this.#known.change(Math.min(waitMs, ...ends), signal);
    }
  }

  /** What forbids a call that is under way, as far as is known at this moment; null where nothing does. */
  forbids(call: Vorhaben): Eingriff | null {
    const known = this.#known.all();
    if (known.length === 0) return null;
    return decide(known, call, this.#runs.see(call, null, Date.now()), Date.now()).forbids;
  }

  /** Takes what the answer to a batch of these agents lists. */
  learn(agents: ReadonlySet<string>, eingriffe: Eingriff[]): void {
    if (this.#known.merge(agents, eingriffe)) this.#listener.recheck();
  }

  /** Prints under the key of the Mandant; null until the service has told it. Begins to listen. */
  prints(): KeyedPrints | null {
    this.#listener.start();
    return this.#listener.prints();
  }

  state(): GuardState {
    const now = Date.now();
    return {
      eingriffe: this.#known.all().filter((each) => !isOver(each, now)),
      silentMs: this.#listener.silentMs(),
      lastError: this.#listener.lastError(),
    };
  }

  /** Stops listening, and gives back what was reserved; what is known stays in force. */
  async close(): Promise<void> {
    this.#listener.close();
    await this.#reservations.close();
  }

  #requireKnowledge(): void {
    if (this.#options.failure === 'open') return;
    const silentMs = this.#listener.silentMs();
    if (silentMs === null || silentMs > this.#options.maxSilenceMs)
      throw new InterventionsUnknown(this.#listener.lastError());
  }
}
