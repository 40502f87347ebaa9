/** Reserves money for calls that have a hard limit: from blocks in memory, and where those have no room by asking the service. */
import { agentOf, type Vorhaben } from '../eingriffe/decide.ts';
import { LimitReached } from '../eingriffe/errors.ts';
import { at, text } from '../json.ts';
import { beforeTheEnd } from '../lifecycle.ts';
import { quietTimer } from '../timer.ts';
import { type Granted, grantsIn, type Rates, type Scope } from './answer.ts';
import { Blocks, IDLE_MS, LAPSES_AFTER_S, type ReservedShare } from './blocks.ts';
import { type Demand, demandOf, type Request } from './demand.ts';
import { blockKey } from './scopes.ts';

export interface ReservationOptions {
  /** What becomes of a call that nothing bounds: `allow` lets it pass while there is any room, and marks its event. */
  unbounded: 'allow' | 'refuse';
  /** Where only what others have reserved is in the way: how long to wait for it to come back. */
  limitWaitMs: number;
  /** Of text that is known to have fewer tokens than bytes: this many bytes a token. */
  bytesPerToken: number;
  /** With `failure: 'open'`: how many calls with a hard limit pass while the service does not answer; further ones are refused. */
  unreservedCalls: number;
}

export const RESERVATION_DEFAULTS: ReservationOptions = {
  unbounded: 'allow',
  limitWaitMs: 5_000,
  bytesPerToken: 1,
  unreservedCalls: Number.POSITIVE_INFINITY,
};

/** Sends a body to the service; rejects where it does not answer, or not with success. */
export type Post = (body: string) => Promise<string>;

interface Wish {
  key: string;
  call: Vorhaben;
  asked: Request;
  demand: Demand;
  resolve(granted: Granted): void;
  reject(error: unknown): void;
}

/** What a call that is not bounded carries. */
const UNBOUNDED = { reservierung: 'unbegrenzt' };
/** Wishes of one request. */
const MAX_WISHES = 100;
/** This many calls ahead are asked for first, and at most. */
const FIRST_AHEAD = 4;
const MOST_AHEAD = 64;
/** Rates and exemptions are asked for anew after this. */
const REMEMBERED_MS = 60_000;
const MAX_REMEMBERED = 10_000;
/** Between two questions whether room has come back. */
const RETRY_MS = 250;
/** A call that was let pass and never made. */
const FORGOTTEN_MS = 60_000;

/** What a call may do: spend its part, or pass without one. */
export interface Admission {
  readonly part: ReservedShare | null;
  readonly isUnbounded: boolean;
}

const FREE: Admission = { part: null, isUnbounded: false };
const UNBOUND: Admission = { part: null, isUnbounded: true };

interface Waiting extends Admission {
  key: string;
  since: number;
}

export class Reservations {
  readonly #options: ReservationOptions;
  readonly #post: Post;
  #scopes: readonly Scope[] = [];
  readonly #blocks = new Blocks();
  readonly #rates = new Map<string, { rates: Rates; until: number }>();
  /** Calls of these names no hard limit holds for, though the client cannot tell: until when that is believed. */
  readonly #exempt = new Map<string, number>();
  readonly #ahead = new Map<string, number>();
  /** Admitted, and not begun yet. */
  #waiting: Waiting[] = [];
  #queue: Wish[] = [];
  #asking = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #forget: (() => void) | undefined;
  #closed = false;

  constructor(options: ReservationOptions, post: Post) {
    this.#options = options;
    this.#post = post;
  }

  /** What the service says of hard limits; where that has changed, everything is asked for anew. */
  learn(scopes: Scope[]): void {
    if (JSON.stringify(scopes) === JSON.stringify(this.#scopes)) return;
    this.#scopes = scopes;
    this.#exempt.clear();
    this.#ahead.clear();
    this.#blocks.sweep(Number.POSITIVE_INFINITY);
    this.#giveBackSoon(0);
  }

  /** Whether any call has to reserve. */
  isNeeded(): boolean {
    return this.#scopes.length > 0;
  }

  /**
   * Resolves once the call has its part. Rejects with `LimitReached` where there is no room, with whatever went wrong where the
   * service does not answer.
   */
  async admit(call: Vorhaben, asked: Request, signal: AbortSignal | undefined): Promise<Admission> {
    const key = this.isNeeded() ? blockKey(this.#scopes, call) : null;
    if (key === null || this.#isExempt(key)) return FREE;
    const demand = demandOf(asked, this.#options.bytesPerToken);
    const end = performance.now() + this.#options.limitWaitMs;
    for (;;) {
      signal?.throwIfAborted();
      const part = this.#fromMemory(key, asked, demand);
      if (part !== null) return { part, isUnbounded: false };
      const granted = await this.#ask({ key, call, asked, demand });
      const admission = this.#admissionOf(key, asked, demand, granted);
      if (admission !== null) return admission;
      if (granted.grenze === null || !mayComeBack(granted) || performance.now() + RETRY_MS > end)
        throw new LimitReached(granted.grenze, granted.highest === null);
      // Blocks of this process may be what is in the way.
      this.#blocks.sweep(Number.POSITIVE_INFINITY);
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }

  /** Keeps what a call was admitted with until it begins. */
  keep(call: Vorhaben, admission: Admission): void {
    if (admission === FREE) return;
    const key = blockKey(this.#scopes, call) ?? '';
    this.#waiting.push({ ...admission, key, since: performance.now() });
    this.#giveBackSoon(FORGOTTEN_MS);
  }

  /** What a call that begins was admitted with: of those that wait under its name the one that fits best; null where none does. */
  claim(call: Vorhaben, asked: Request): Admission | null {
    if (this.#waiting.length === 0) return null;
    const key = blockKey(this.#scopes, call) ?? '';
    const own = this.#waiting.filter((each) => each.key === key);
    if (own.length === 0) return null;
    const needed = this.#amountOf(asked, demandOf(asked, this.#options.bytesPerToken)) ?? 0n;
    const amount = ({ part }: Waiting) => part?.amount ?? 0n;
    const sorted = own.sort((a, b) => (amount(a) < amount(b) ? -1 : 1));
    const found = sorted.find((each) => amount(each) >= needed) ?? sorted.at(-1);
    this.#waiting = this.#waiting.filter((each) => each !== found);
    return found ?? null;
  }

  /** Gives back the rest; nothing is reserved any more. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#forget?.();
    await this.#giveBackAll();
  }

  #isExempt(key: string): boolean {
    return (this.#exempt.get(key) ?? 0) > performance.now();
  }

  /** The highest cost of a call, as far as its rates are known; null where they are not. */
  #amountOf(asked: Request, demand: Demand): bigint | null {
    const found = this.#rates.get(ratesKey(asked, demand));
    if (found === undefined || found.until < performance.now() || !demand.begrenzt) return null;
    const { rates } = found;
    const input = demand.eingabe ?? rates.mostInput;
    const output = demand.ausgabe ?? rates.mostOutput;
    if (input === null || output === null || input > rates.upTo) return null;
    return rates.input * BigInt(input) + rates.output * BigInt(output) + rates.call;
  }

  #fromMemory(key: string, asked: Request, demand: Demand): ReservedShare | null {
    const amount = this.#amountOf(asked, demand);
    return amount === null || amount === 0n ? null : this.#blocks.take(key, amount, performance.now());
  }

  /** Null where it was refused. */
  #admissionOf(key: string, asked: Request, demand: Demand, granted: Granted): Admission | null {
    const now = performance.now();
    if (granted.rates !== null)
      remember(this.#rates, ratesKey(asked, demand), { rates: granted.rates, until: now + REMEMBERED_MS });
    if (!granted.granted) return null;
    if (granted.block !== null && granted.highest !== null) {
      const part = this.#blocks.add(key, granted.block, granted.highest, now);
      this.#giveBackSoon(IDLE_MS);
      return { part, isUnbounded: false };
    }
    if (granted.highest === null) {
      if (this.#options.unbounded === 'refuse') throw new LimitReached(null, true);
      return UNBOUND;
    }
    if (granted.highest > 0n) remember(this.#exempt, key, now + REMEMBERED_MS);
    return FREE;
  }

  #ask(wish: Omit<Wish, 'resolve' | 'reject'>): Promise<Granted> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ ...wish, resolve, reject });
      // All that asks in this turn goes together.
      if (!this.#asking) queueMicrotask(() => void this.#askAll());
    });
  }

  async #askAll(): Promise<void> {
    if (this.#asking) return;
    this.#asking = true;
    while (this.#queue.length > 0) {
      const wishes = this.#queue.splice(0, MAX_WISHES);
      const zurueck = this.#blocks.takeBack();
      const ahead = new Set<string>();
      const aufrufe = wishes.map(({ key, call, asked, demand }) => {
        // Of those alike only the first asks for more than itself.
        const vorrat = ahead.has(key) ? 1 : this.#aheadOf(key);
        ahead.add(key);
        return { ...wishOf(call, asked, demand), vorrat };
      });
      try {
        const grants = grantsIn(
          await this.#post(JSON.stringify({ aufrufe, zurueck, dauer_s: LAPSES_AFTER_S })),
        );
        for (const [index, { resolve, reject }] of wishes.entries()) {
          const granted = grants[index];
          if (granted === undefined) reject(new Error('no answer to a wish'));
          else resolve(granted);
        }
      } catch (error) {
        for (const { reject } of wishes) reject(error);
      }
    }
    this.#asking = false;
  }

  /** The more often a block is used up, the more calls the next one is for. */
  #aheadOf(key: string): number {
    const calls = this.#ahead.get(key) ?? FIRST_AHEAD;
    remember(this.#ahead, key, Math.min(2 * calls, MOST_AHEAD));
    return calls;
  }

  #giveBackSoon(ms: number): void {
    if (this.#closed) return;
    this.#forget ??= beforeTheEnd({
      isIdle: () => this.#blocks.isEmpty(),
      finish: () => this.#giveBackAll(),
      keep: () => undefined,
    });
    this.#timer ??= quietTimer(() => {
      this.#timer = undefined;
      void this.#giveBackIdle();
    }, ms);
  }

  async #giveBackIdle(): Promise<void> {
    const now = performance.now();
    for (const { part, since } of this.#waiting) if (since + FORGOTTEN_MS <= now) part?.giveBack();
    this.#waiting = this.#waiting.filter(({ since }) => since + FORGOTTEN_MS > now);
    this.#blocks.sweep(now);
    await this.#sendBack();
    if (!this.#blocks.isEmpty() || this.#waiting.length > 0) this.#giveBackSoon(IDLE_MS);
  }

  async #giveBackAll(): Promise<void> {
    for (const { part } of this.#waiting.splice(0)) part?.giveBack();
    this.#blocks.sweep(Number.POSITIVE_INFINITY);
    await this.#sendBack();
  }

  /** What does not arrive lapses by itself. */
  async #sendBack(): Promise<void> {
    while (this.#blocks.hasBack()) {
      try {
        await this.#post(JSON.stringify({ zurueck: this.#blocks.takeBack() }));
      } catch {
        return;
      }
    }
  }
}

/** What the event of a call carries. */
export const bookedBy = ({ part, isUnbounded }: Admission): Record<string, unknown> =>
  part?.booked() ?? (isUnbounded ? UNBOUNDED : {});

/** Whether it is only reservations of others that are in the way. */
function mayComeBack({ grenze, highest }: Granted): boolean {
  if (grenze === null) return false;
  const left = Number(grenze.grenze_eur) - Number(grenze.verbraucht_eur);
  return Number(grenze.reserviert_eur) > 0 && (highest === null || left > Number(highest) / 1e34);
}

const ratesKey = ({ modell }: Request, { anbieter, region, preisstufe, cacheSchreiben, eingabe }: Demand) =>
  JSON.stringify([anbieter, modell, region, preisstufe, cacheSchreiben, eingabe === null]);

function remember<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
  const oldest = map.keys().next().value;
  if (map.size > MAX_REMEMBERED && oldest !== undefined) map.delete(oldest);
}

function wishOf(call: Vorhaben, { modell }: Request, demand: Demand): Record<string, unknown> {
  const { anbieter, region, preisstufe, eingabe, ausgabe, cacheSchreiben, begrenzt } = demand;
  return {
    agent: agentOf(call),
    projekt: text(at(call.zusatz, 'projekt'))?.slice(0, 100),
    endkunde_ref: call.endkunde_ref,
    funktion_ref: call.funktion_ref,
    benutzer_ref: call.benutzer_ref,
    lauf_id: call.lauf_id,
    anbieter: text(at(call, 'anbieter')) ?? anbieter,
    modell,
    region,
    preisstufe,
    eingabe_token: eingabe,
    ausgabe_token: ausgabe,
    cache_schreiben: cacheSchreiben,
    begrenzt,
  };
}
