import type { Ereignis } from '../event.ts';
import { uuidV7 } from '../uuid.ts';
import { activeTraceparent } from './active-trace.ts';
import { createLocal } from './local.ts';
import { traceUuid } from './traceparent.ts';

/** For whom and by whom calls are made. Each name has the interface's own beside it, which says the same. */
export interface Attribution {
  /** Key of the agent; what stands before a slash is its project. */
  agent?: string;
  /** Reference of the end customer. */
  endkunde?: string;
  endkunde_ref?: string;
  /** Reference of the function. */
  funktion?: string;
  funktion_ref?: string;
  /** Reference of the user. */
  benutzer?: string;
  benutzer_ref?: string;
  /** Key of the project, where it is not what stands before the slash of the agent. */
  projekt?: string;
  /** Free data, kept with every event. */
  extra?: Record<string, unknown>;
  zusatz?: Record<string, unknown>;
}

export interface RunOptions extends Attribution {
  /** UUID of the run, where it has one already; else that of the trace, else that of OpenTelemetry's active span, else a new one. */
  lauf_id?: string;
  /** W3C header of the request that is being served: its trace is the run. */
  traceparent?: string | null;
  /** Begins a run of its own within another. */
  newRun?: boolean;
}

/** What an event says of who made the call. */
type Attributed = Pick<Ereignis, 'agent' | 'endkunde_ref' | 'funktion_ref' | 'benutzer_ref' | 'zusatz'>;

interface Run {
  id: string;
  /** Steps so far. */
  steps: number;
  /** Event of the latest step. */
  latest: string | null;
}

/** Where a call is made. */
export interface Scope {
  attributed: Attributed;
  /** Null outside of any. */
  run: Run | null;
  /** The step of another agent that led here. */
  parent: string | null;
}

function attributedBy(given: Attribution, outer: Attributed): Attributed {
  const zusatz = {
    ...outer.zusatz,
    ...given.zusatz,
    ...given.extra,
    ...(given.projekt === undefined ? {} : { projekt: given.projekt }),
  };
  const said = {
    agent: given.agent,
    endkunde_ref: given.endkunde ?? given.endkunde_ref,
    funktion_ref: given.funktion ?? given.funktion_ref,
    benutzer_ref: given.benutzer ?? given.benutzer_ref,
  };
  const known = Object.entries(said).filter(([, value]) => value !== undefined);
  return { ...outer, ...Object.fromEntries(known), ...(Object.keys(zusatz).length === 0 ? {} : { zusatz }) };
}

/** One that is asked for within another is not that of the trace, to which both belong. */
const idOfNew = ({ newRun }: RunOptions): string =>
  (newRun ? null : traceUuid(activeTraceparent())) ?? uuidV7();

/** Runs of which the latest step is remembered. */
const MOST_RUNS = 1_000;

/** What holds for a whole program: `lauf_id` is the run of calls outside of any other. */
export type Defaults = Attribution & Pick<RunOptions, 'lauf_id'>;

/** Knows in which run a call is made, and for whom. */
export class RunContext {
  readonly #local = createLocal<Scope>();
  /** The latest runs by their id: one that is entered again, by its id or its trace, goes on with its steps. */
  readonly #runs = new Map<string, Run>();
  readonly #outside: Scope;
  /** Has the latest steps named whose events are not there yet. */
  settle: () => void = () => undefined;

  /** `defaults` hold outside of runs, and in them for what they do not say. */
  constructor(defaults: Defaults) {
    const { lauf_id } = defaults;
    const run = lauf_id === undefined ? null : { id: lauf_id, steps: 0, latest: null };
    this.#outside = { attributed: attributedBy(defaults, {}), run, parent: null };
  }

  current(): Scope {
    return this.#local.get() ?? this.#outside;
  }

  /** Where a call is made of which others say all that is known: it belongs to a run only if they name one. */
  scopeOf(options: RunOptions): Scope {
    const named = options.lauf_id ?? traceUuid(options.traceparent);
    const attributed = attributedBy(options, this.#outside.attributed);
    return { attributed, run: named === null ? null : this.#enter(named), parent: null };
  }

  /**
   * Everything that `work` begins belongs to a run: that around it, unless it names one or asks for a new one, which then says from which
   * it was begun.
   */
  run<Result>(options: RunOptions, work: () => Result): Result {
    // What holds outside of runs is no run around this one.
    const outer = this.#local.get() ?? { ...this.#outside, run: null };
    const named =
      options.lauf_id ?? (outer.run === null || options.newRun ? traceUuid(options.traceparent) : null);
    const keeps = outer.run !== null && !options.newRun && (named === null || named === outer.run.id);
    const run = keeps ? outer.run : this.#enter(named ?? idOfNew(options));
    const said = attributedBy(options, outer.attributed);
    const from = keeps ? undefined : outer.run?.id;
    const attributed = from === undefined ? said : { ...said, zusatz: { ...said.zusatz, eltern_lauf: from } };
    const isAnother = attributed.agent !== outer.attributed.agent;
    if (isAnother) this.settle();
    const parent = isAnother ? (outer.run?.latest ?? null) : outer.parent;
    return this.#local.run({ attributed, run, parent }, work);
  }

  #enter(id: string): Run {
    const run = this.#runs.get(id) ?? { id, steps: 0, latest: null };
    this.#runs.delete(id);
    this.#runs.set(id, run);
    const oldest = this.#runs.keys().next().value;
    if (this.#runs.size > MOST_RUNS && oldest !== undefined) this.#runs.delete(oldest);
    return run;
  }
}
