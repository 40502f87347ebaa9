/** The steps of runs that a stretch brings, and the states of these runs after them. */
import type pg from 'pg';
import type { PackedBatch } from '#domains/ereignisse/index.ts';
import {
  advance,
  compareSteps,
  newRun,
  type RunState,
  readRunState,
  type Step,
  writeRunState,
} from '#domains/laeufe/index.ts';
import type { EventKey } from './event-key.ts';
import type { CountedEvent } from './normalise.ts';

/** A step whose model has no number yet. */
export interface PendingStep {
  lauf: string;
  modell: string;
  step: Step;
}

const MICROSECONDS = 1e6;

/** Reads the events of one batch, by their number and as they are counted, as steps of their runs. */
export function createStepReader(
  batch: PackedBatch,
): (index: number, event: CountedEvent, id: EventKey) => PendingStep {
  const promptAt = batch.fingerprints('prompt_fingerabdruck');
  const werkzeugAt = batch.fingerprints('werkzeug_fingerabdruck');
  return (index, event, id) => toStep(event, id, promptAt(index), werkzeugAt(index));
}

function toStep(
  event: CountedEvent,
  id: EventKey,
  prompt: string | null,
  werkzeug: string | null,
): PendingStep {
  const { buckets } = event;
  const uncached = (buckets?.eingabeOhneCache ?? 0) + (buckets?.cacheSchreib ?? 0);
  return {
    lauf: event.lauf ?? '',
    modell: event.modell ?? '',
    step: {
      schritt: event.schritt,
      zeit: event.seconds * MICROSECONDS + event.micros,
      ereignisId: id,
      prompt,
      werkzeug,
      modell: 0,
      eingabe: uncached + (buckets?.cacheLese ?? 0),
      ohneCacheLesen: uncached,
      usd: event.usd,
      failed: event.failed,
      geschaetzt: event.geschaetzt,
    },
  };
}

/** By run: what came of it. */
export class Steps {
  readonly byRun = new Map<string, PendingStep[]>();

  add(step: PendingStep): void {
    const known = this.byRun.get(step.lauf);
    if (known) known.push(step);
    else this.byRun.set(step.lauf, [step]);
  }
}

/** A run's state to be stored. */
export interface ChangedRun {
  lauf: string;
  state: RunState;
}

// A run that is there without a state (which is kept for a while only) must be read anew.
const READ = `SELECT n.mandant_id, n.lauf_id, s.zustand, s.neu_lesen, l.lauf_id IS NOT NULL AS begonnen
  FROM unnest($1::uuid[], $2::uuid[]) AS n (mandant_id, lauf_id)
  LEFT JOIN lauf_zustaende s USING (mandant_id, lauf_id) LEFT JOIN laeufe l USING (mandant_id, lauf_id)`;

interface StateRow {
  mandant_id: string;
  lauf_id: string;
  zustand: Buffer | null;
  neu_lesen: boolean | null;
  begonnen: boolean;
}

function stateOf({ zustand, neu_lesen: stale, begonnen }: StateRow): RunState {
  if (zustand === null) return { ...newRun(), stale: begonnen };
  const state = readRunState(zustand);
  state.stale ||= stale === true;
  return state;
}

/**
 * The states of the runs that these steps belong to, after them. `modelNumber` gives the `merkmal_id` of a model. The
 * transaction holds the counting locks, and has not changed the runs yet.
 */
export async function advanceRuns(
  client: pg.ClientBase,
  parts: readonly { mandant: string; steps: Steps; modelNumber: (modell: string) => number }[],
): Promise<ChangedRun[][]> {
  const runs = parts.flatMap(({ mandant, steps }) =>
    Array.from(steps.byRun.keys(), (lauf) => [mandant, lauf]),
  );
  if (runs.length === 0) return parts.map(() => []);
  const { rows } = await client.query<StateRow>({
    name: 'laufzustaende',
    text: READ,
    values: [runs.map(([mandant]) => mandant), runs.map(([, lauf]) => lauf)],
  });
  const states = new Map(rows.map((row) => [`${row.mandant_id} ${row.lauf_id}`, stateOf(row)]));
  return parts.map(({ mandant, steps, modelNumber }) =>
    Array.from(steps.byRun, ([lauf, pending]) => {
      const state = states.get(`${mandant} ${lauf}`) ?? newRun();
      pending.sort((a, b) => compareSteps(a.step, b.step));
      for (const { modell, step } of pending) {
        step.modell = modelNumber(modell);
        advance(state, step);
      }
      return { lauf, state };
    }),
  );
}

/** Bytes of all states one behind the other, and where each begins, from 1, and how long it is. */
export function packStates(runs: readonly ChangedRun[]): {
  bytes: Buffer;
  starts: number[];
  lengths: number[];
} {
  const pieces = runs.map(({ state }) => writeRunState(state));
  const lengths = pieces.map((piece) => piece.length);
  let end = 1;
  const starts = lengths.map((length) => {
    const start = end;
    end += length;
    return start;
  });
  return { bytes: Buffer.concat(pieces), starts, lengths };
}
