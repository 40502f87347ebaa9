import type { Client, Recorded } from '../client.ts';
import { createLocal } from '../context/local.ts';
import type { RunContext, Scope } from '../context/run.ts';
import type { Vorhaben } from '../eingriffe/decide.ts';
import { StoppedByIntervention } from '../eingriffe/errors.ts';
import type { Exchange } from '../event.ts';
import type { Later } from '../later.ts';
import type { Request } from '../reservierungen/demand.ts';
import type { Admission } from '../reservierungen/reservations.ts';
import { mayBeCall } from '../to-events.ts';
import { KeptText } from './kept-text.ts';
import { requestIdIn, requestNoteIn } from './named-in-headers.ts';
import type { SeenRequest } from './seen-request.ts';

/** How an answer ended: as a whole; by the caller; by the connection; by an intervention. */
export type End = 'complete' | 'aborted' | 'broken' | 'stopped';

/** What a call is, before it is made. `modell` is read only where it matters. */
export interface Asked {
  readonly modell: string | null;
  readonly signal?: AbortSignal | undefined;
  /** Its request, as far as that is known; read only where a hard limit holds. */
  readonly uri?: string;
  readonly body?: string | null;
  readonly request?: unknown;
}

const requestOf = (asked: Asked): Request => ({
  uri: asked.uri ?? '',
  modell: asked.modell,
  body: asked.body ?? null,
  request: asked.request ?? {},
});

/** What observes a call from further out; `seen` once something further in has. */
interface Around {
  kind: 'exchange' | 'result';
  seen: boolean;
}

export type Sender = Pick<Client, 'guard' | 'forbids' | 'record' | 'reserver'> & {
  /** Where it is missing, what passed is recorded at once. */
  readonly later?: Later;
};

/** What an event says of where its call was made, without what nothing is known of. */
function placeOf({ attributed, run, parent }: Scope): Recorded {
  const inRun = run === null ? {} : { lauf_id: run.id, schritt_nr: ++run.steps };
  return { ...attributed, ...inRun, ...(parent === null ? {} : { eltern_span: parent }) };
}

function vorhabenOf({ attributed, run }: Scope, asked: Asked): Vorhaben {
  return {
    ...attributed,
    lauf_id: run?.id ?? null,
    get modell() {
      return asked.modell;
    },
  };
}

const BINARY = /^(audio|image|video)\/|octet-stream|zip|pdf/i;

/** Knows of each call that a library makes; whatever goes wrong here stays here. */
export class Observer {
  readonly #sender: Sender;
  readonly #context: RunContext;
  readonly #around = createLocal<Around>();
  readonly #open = new Set<ObservedExchange>();

  constructor(sender: Sender, context: RunContext) {
    this.#sender = sender;
    this.#context = context;
  }

  /** Resolves when the call may be made; rejects as `guard` does. */
  async admit(asked: Asked): Promise<void> {
    // What stands around it has been asked for already.
    if (this.#around.get() !== undefined) return;
    const scope = this.#context.current();
    const signal = asked.signal;
    const vorhaben = vorhabenOf(scope, asked);
    await this.#sender.guard(vorhaben, signal === undefined ? {} : { signal });
    const { reserver } = this.#sender;
    if (reserver.isNeeded())
      reserver.keep(vorhaben, await reserver.admit(vorhaben, requestOf(asked), signal));
  }

  /** The same for a request that may be something else. */
  async admitCall(method: string, uri: string, asked: Asked): Promise<void> {
    if (mayBeCall(method, uri)) await this.admit(asked);
  }

  /** What observes the present call from further out. */
  around(): Readonly<Around> | undefined {
    return this.#around.get();
  }

  /** What `work` calls is observed further out already. */
  within<Result>(around: Around, work: () => Result): Result {
    return this.#around.run(around, work);
  }

  /** What the call of a request was admitted with; a further attempt at it reserves for itself. Rejects as `admit` does. */
  async admissionOf(request: SeenRequest): Promise<Admission | null> {
    const { reserver } = this.#sender;
    if (!reserver.isNeeded()) return null;
    const vorhaben = vorhabenOf(this.#context.current(), request);
    return reserver.claim(vorhaben, request) ?? (await reserver.admit(vorhaben, request, request.signal));
  }

  /**
   * Admits a call and begins its exchange, in one step: for who stands between a caller and its provider, where nothing observes
   * further out. Rejects as `admit` does.
   */
  async enter(request: SeenRequest, scope: Scope): Promise<ObservedExchange> {
    const vorhaben = vorhabenOf(scope, request);
    const { signal } = request;
    await this.#sender.guard(vorhaben, signal === undefined ? {} : { signal });
    const { reserver } = this.#sender;
    const admission = reserver.isNeeded() ? await reserver.admit(vorhaben, request, signal) : null;
    return this.look(request, scope, admission);
  }

  /** An exchange begins; null where it is observed further out. */
  begin(request: SeenRequest, admission: Admission | null = null): ObservedExchange | null {
    const around = this.#around.get();
    if (around?.kind === 'exchange') return null;
    if (around !== undefined) around.seen = true;
    return this.look(request, this.#context.current(), admission);
  }

  /** An exchange begins that nothing observes further out. */
  look(request: SeenRequest, scope: Scope, admission: Admission | null = null): ObservedExchange {
    const exchange = new ObservedExchange(request, vorhabenOf(scope, request), scope, this.#sender, () =>
      this.#open.delete(exchange),
    );
    exchange.admission = admission;
    this.#open.add(exchange);
    return exchange;
  }

  /** Nothing more will come: what passed of answers that are under way is counted. */
  close(): void {
    for (const exchange of this.#open) exchange.end('aborted');
  }

  /** A call begins whose exchange cannot be seen: what the library says of it is put into the form of one. */
  beginResult(asked: Asked): ObservedResult {
    const around = this.#around.get();
    if (around !== undefined) around.seen = true;
    const scope = this.#context.current();
    const vorhaben = vorhabenOf(scope, asked);
    return {
      stoppedBy: () => stoppedBy(this.#sender, vorhaben),
      record: (exchange, call) => {
        const zusatz = { ...call.zusatz, ...scope.attributed.zusatz };
        const admission = this.#sender.reserver.claim(vorhaben, requestOf(asked));
        remember(scope, this.#sender.record(exchange, { ...call, ...placeOf(scope), zusatz }, admission));
      },
    };
  }
}

export interface ObservedResult {
  stoppedBy(): StoppedByIntervention | null;
  record(exchange: Exchange, call: Recorded): void;
}

function stoppedBy(sender: Sender, vorhaben: Vorhaben): StoppedByIntervention | null {
  try {
    const eingriff = sender.forbids(vorhaben);
    return eingriff === null ? null : new StoppedByIntervention(eingriff);
  } catch {
    return null;
  }
}

function remember({ run }: Scope, ids: string[]): void {
  if (run !== null) run.latest = ids.at(-1) ?? run.latest;
}

/** What an answer that did not end by itself says of its call. */
const ENDED: Partial<Record<End, Recorded>> = {
  broken: { status: 'fehler', fehlercode: 'verbindung_abgebrochen' },
  stopped: { status: 'fehler', fehlercode: 'eingriff' },
};

/** The head of an answer. */
interface Answer {
  status: number;
  contentType: string;
  headers: Record<string, string>;
}

/** One request and its answer, as they pass. */
export class ObservedExchange {
  readonly request: SeenRequest;
  readonly #vorhaben: Vorhaben;
  readonly #scope: Scope;
  readonly #sender: Sender;
  readonly #startedAt = performance.now();
  readonly #zeitpunkt = new Date().toISOString();
  readonly #kept = new KeptText();
  #answer: Answer | null = null;
  #isKept = false;
  /** Whether a stream that is stopped throws the reason: its library knows no error of its provider within a stream. */
  endsWithReason = false;
  /** What its call was admitted with. */
  admission: Admission | null = null;
  #firstMs: number | null = null;
  #isOver = false;

  readonly #onEnd: () => void;

  constructor(request: SeenRequest, vorhaben: Vorhaben, scope: Scope, sender: Sender, onEnd: () => void) {
    this.#onEnd = onEnd;
    this.request = request;
    this.#vorhaben = vorhaben;
    this.#scope = scope;
    this.#sender = sender;
  }

  /** The head of the answer is there. */
  answered(status: number, headers: Record<string, string>): void {
    const contentType = headers['content-type'] ?? '';
    this.#answer = { status, contentType, headers };
    this.#isKept = !BINARY.test(contentType) || /eventstream/.test(contentType);
  }

  get status(): number {
    return this.#answer?.status ?? 0;
  }

  get contentType(): string {
    return this.#answer?.contentType ?? '';
  }

  /** A piece of the answer passes. */
  take(piece: Uint8Array): void {
    this.#firstMs ??= performance.now() - this.#startedAt;
    if (this.#isKept) this.#kept.take(piece);
  }

  /** What forbids the call that is under way. */
  stoppedBy(): StoppedByIntervention | null {
    return stoppedBy(this.#sender, this.#vorhaben);
  }

  /** The answer is over; what is said after the first time is not heard. */
  end(how: End): void {
    this.#onEnd();
    if (this.#answer === null) this.admission?.part?.giveBack();
    if (this.#isOver || this.#answer === null) return;
    this.#isOver = true;
    const record = this.#recording(this.#answer, how);
    if (this.#sender.later === undefined) record();
    else this.#sender.later.add(record);
  }

  /** Has it recorded as it is at this moment. */
  #recording(answer: Answer, how: End): () => void {
    const latenzMs = performance.now() - this.#startedAt;
    const isStream = /stream|ndjson/.test(answer.contentType);
    const call = {
      ...placeOf(this.#scope),
      ...requestNoteIn(answer.headers, this.#scope.attributed.zusatz),
      ...ENDED[how],
      ...(isStream && this.#firstMs !== null ? { erste_zeichen_ms: Math.round(this.#firstMs) } : {}),
    };
    return () => {
      try {
        const { uri, method, request } = this.request;
        const ids = this.#sender.record(
          {
            method,
            uri,
            request,
            status: answer.status,
            contentType: answer.contentType,
            ...requestIdIn(answer.headers),
            body: this.#kept.text(),
            zeitpunkt: this.#zeitpunkt,
            latenzMs,
            ...(how === 'complete' ? {} : { aborted: true }),
          },
          call,
          ...(this.admission === null ? [] : [this.admission]),
        );
        remember(this.#scope, ids);
      } catch {
        // The caller has its answer; that it is not counted must not be its concern.
      }
    };
  }
}
